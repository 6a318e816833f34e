// SPDX-License-Identifier: MIT
// What is on the table while somebody labels: the session and its answer, the history of what was set, the journal of it on disk, and a
// number that tells two pages whether they show the same. Nothing here knows of requests, and nothing of it may be called by two threads
// at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heatfront/label/label_effect.h"
#include "heatfront/label/session.h"
#include "heatfront_explore/film.h"
#include "heatfront_explore/journal.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront::explore {

using Clock = std::function<std::int64_t()>;  // seconds since 1970

struct LabelChanges {
  std::vector<NodeLabel> set;
  std::vector<NodeId> unset;
};

// How far a label reaches: what differs without it, or, where the node has none, with the class that the model gives it.
struct Reach {
  NodeId node = 0;
  ClassId label = 0;
  bool held = false;
  std::vector<Real> moved;  // by node: the most that the temperature of a class differs
  Real most = 0;            // of other nodes
  std::int64_t flips = 0;   // other nodes whose class hangs on it
};

class Workbench {
 public:
  // `file`: where the model is saved; the journal is beside it. What an earlier start left in the journal is taken up.
  Workbench(TrainedModel model, std::filesystem::path file, Clock clock, Threads& threads);

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  const Dataset& data() const { return session_->model().data; }
  const Answer& answer() const { return answer_; }
  std::int64_t version() const { return version_; }    // another after every change of the answer
  std::int64_t taken_up() const { return taken_up_; }  // steps of the journal, at the start
  const std::filesystem::path& file() const { return file_; }
  bool unsaved() const { return unsaved_; }
  std::size_t can_redo() const { return undone_.size(); }

  ClassId add_class(const std::string& name);
  void rename_class(ClassId label, const std::string& name);
  LabelEffect label(const LabelChanges& changes);  // one step of the history; Error leaves all as it was
  LabelEffect undo();
  LabelEffect redo();

  // What label() would come to; nothing is changed.
  Answer preview(const LabelChanges& changes) const;
  Reach reach(NodeId u) const;
  const Film& film();  // of the answer now; made once for each answer

  // A model that learned from the labels beside this one, and is to answer from now on. Labels set meanwhile are set in it too.
  LabelEffect take(TrainedModel trained);

  // Labels and places to file(), and the journal goes.
  void save(const Matrix& layout);

 private:
  void check(const LabelChanges& changes) const;
  LabelEffect solved(const BeforeLabels& before);
  BeforeLabels before() const;
  Step reversed(std::span<const LabelChange> batch) const;

  std::filesystem::path file_;
  Clock clock_;
  Journal journal_;
  std::unique_ptr<Session> session_;
  Answer answer_;
  std::vector<Step> undone_;
  std::vector<std::string> fresh_classes_;  // added, and in no step of the journal yet
  std::optional<Film> film_;
  std::int64_t version_ = 1, taken_up_ = 0;
  bool unsaved_ = false;
};

}  // namespace heatfront::explore
