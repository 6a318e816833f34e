// SPDX-License-Identifier: MIT
// The explorer without sockets: a request in, a reply out. The requests, all under /api/ but for the files of the page:
//
//     GET  state      what there is, how it stands: names, counts, scores, history, layout, training; JSON
//     GET  graph      places and edges (wire.h)         GET  places?have=V   newer places, or 204
//     GET  names      of the nodes; [] where they are called by number
//     GET  answer     classes, confidences, status      GET  film            41 states over time
//     GET  why?node=  json_of(Explanation)              GET  reach?node=     how far a label reaches
//     GET  beside     the answer of the model beside, and where the two differ
//     GET  suggest?count=                               GET  disagree        nodes whose features say another class than the answer
//     GET  export?what=labels|predictions|model|film    a file
//     POST label      {"set": [[node, class], …], "unset": [node, …], "preview": true} → what changed, and the answer
//     POST class      {"name": …}, and "rename": class for one that is there
//     POST undo, redo → as label                        POST save
//     POST train      {"stop": true} ends it            POST quit
//
// Nodes and classes are numbers. Every reply in JSON has the version of the answer it is about, so that two pages on one model can tell
// that the other has changed it. A request that cannot be done is answered by {"error": …} and 400.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "heatfront/graph/layout.h"
#include "heatfront/models/trained_model.h"
#include "heatfront_explore/beside.h"
#include "heatfront_explore/gate.h"
#include "heatfront_explore/request.h"
#include "heatfront_explore/training.h"
#include "heatfront_explore/workbench.h"

namespace heatfront::explore {

struct ExplorerOptions {
  std::filesystem::path file;      // where the model is saved; empty: nowhere, and there is no journal
  Clock clock;                     // for the log
  LayoutOptions layout;            // rounds in all, where the model has no places
  std::int64_t first_rounds = 30;  // of them, before the first picture
  std::vector<std::string> notes;  // for whoever looks at the page, a sentence each
  std::optional<Beside> beside = {};
};

class Explorer {
 public:
  Explorer(TrainedModel model, ExplorerOptions options, Threads& threads);
  ~Explorer();
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  // Who may ask; without a gate everybody may (a notebook asks in the same process).
  void set_gate(Gate gate) { gate_ = std::move(gate); }

  // May be called by several threads; they wait for each other.
  Reply handle(const Request& request);

  bool asked_to_quit() const { return quit_; }
  void on_quit(std::function<void()> call) { on_quit_ = std::move(call); }

  void finish_layout();    // waits until the places are as good as they get
  void finish_training();  // waits until it is done; the next request takes it up

 private:
  struct Route;
  static const Route* find_route(const Request& request);

  void improve_layout(Layout layout);
  void take_training();

  Reply state(const Request& request);
  Reply graph(const Request& request);
  Reply places(const Request& request);
  Reply names(const Request& request);
  Reply answer(const Request& request);
  Reply film(const Request& request);
  Reply why(const Request& request);
  Reply reach(const Request& request);
  Reply beside(const Request& request);
  Reply suggestions(const Request& request);
  Reply disagreement(const Request& request);
  Reply exported(const Request& request);
  Reply label(const Request& request);
  Reply new_class(const Request& request);
  Reply undo(const Request& request);
  Reply redo(const Request& request);
  Reply save(const Request& request);
  Reply train(const Request& request);
  Reply quit(const Request& request);
  Reply effect_reply(const LabelEffect& effect) const;

  ExplorerOptions options_;
  std::optional<Gate> gate_;
  Threads& threads_;
  std::mutex mutex_;  // of all below
  Workbench bench_;
  Matrix places_;
  std::int64_t places_version_ = 1, rounds_ = 0;
  std::string training_note_;
  Training training_;
  std::atomic<bool> quit_ = false, closing_ = false, laid_out_ = true;
  std::function<void()> on_quit_;
  std::thread layout_thread_;
};

}  // namespace heatfront::explore
