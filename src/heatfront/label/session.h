// SPDX-License-Identifier: MIT
// A trained model in use: labels are set, changed and removed, and the clamped flow
//
//     f' = λ Δ f  off the known nodes,     f = s·e_y  on them,     f(0) = the trained front
//
// is solved anew, or whatever else the model does with known labels. Nothing is trained.
//
// A class that training did not know has at each node the lowest value of the node's own front. The flow keeps
// order (no entry of exp(tΔ) is negative), so such a class is nowhere warmer than another without heat from
// its own labels.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/labelled_flow.h"
#include "heatfront/graph/rank_graph.h"
#include "heatfront/models/models.h"
#include "heatfront/models/predictor.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

class Session {
 public:
  Session(TrainedModel model, Threads& threads);

  const TrainedModel& model() const { return *model_; }
  const ModelEntry& entry() const { return entry_; }  // of the table of models

  // Is the answer a flow of heat? If not, these are an Error.
  bool flows() const { return predictor_->flow() != nullptr; }
  LabelledFlow& labelled_flow() const;  // kept from solve to solve
  DirichletProblem problem() const { return labelled_flow().problem(model_->known); }
  const FlowOptions& flow_options() const { return flow().options(); }
  NodeFlow& flow() const { return labelled_flow().flow(); }

  // From now on each rank computes its rows of the flow, and every one has all of the answer: what asks for a flow is collective. Lends the
  // cluster. Error where the answer is no flow, and where these rows are of another graph.
  void share_out(RankGraph rows, const Cluster& cluster);

  // Can its answers be explained, and what a label would change be foreseen? If not, these are an Error.
  bool is_linear() const { return predictor_->is_linear(); }
  std::vector<Reasons> reasons(std::span<const NodeId> nodes) const;
  Influence influence(std::span<const NodeId> nodes) const;
  Answer answer_with(const KnownLabels& known) const;

  ConstMatrixView front() const;        // n × classes, also of those unseen in training
  ClassId known_class(NodeId u) const;  // kUnknown where no label is held fixed

  ClassId add_class(const std::string& name);
  void rename_class(ClassId label, const std::string& name);

  // Changes from begin_batch() to close_batch() are undone together; any other change is a batch of its own.
  void begin_batch();
  void close_batch() { open_ = false; }

  // When what changes from now on changes, in seconds since 1970, for the log: the library knows no clock. 0: nobody says.
  void set_time(std::int64_t seconds) { time_ = seconds; }

  // Each is an Error where the model cannot take new labels, and goes into its log unless it was so already; says whether it was not.
  bool set(NodeId u, ClassId label);
  bool unset(NodeId u);

  // The labels of the validation nodes, where none is held yet; returns how many.
  std::int64_t include_validation();

  // The temperature of every known label, from now on; 1 is the paper's. It belongs to the model's options, not to
  // its log.
  void set_label_scale(double scale);

  // Takes the last batch of the log back, and classes that nothing uses any more. Returns how many labels that
  // changed; Error where the log is empty.
  std::int64_t undo();

  // With the labels held now: one solve, and one pass over its answer.
  Answer solve();

  Threads& threads() const { return threads_; }

 private:
  void hold(NodeId u, ClassId label);
  bool change(NodeId u, ClassId label, LabelSource from);
  void drop_unused_classes();
  void widen_front();
  void take_classes();
  void check_takes_labels() const;
  void check_new_name(const std::string& name) const;
  void check_linear() const;

  std::unique_ptr<TrainedModel>
      model_;  // its known nodes ascend; it stays where it is, for the predictor looks into it
  const ModelEntry& entry_;
  Threads& threads_;
  Matrix wide_front_;  // front(), where that has more columns than the model's
  std::unique_ptr<Predictor> predictor_;
  std::int64_t batch_ = 0;
  std::int64_t time_ = 0;
  bool open_ = false;
};

struct ChangedNode {
  NodeId node = 0;
  ClassId before = kUnknown, after = kUnknown;
  Real margin_before = 0, margin_after = 0;
  Real moved = 0;     // the most that the temperature of a class changed by
  bool told = false;  // its label is held fixed, or was: it changed because it was told to
};

// The nodes whose class differs, most moved first. `after` may have more classes than `before`, or fewer.
std::vector<ChangedNode> changed(const Answer& before, const Answer& after);

}  // namespace heatfront
