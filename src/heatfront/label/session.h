// SPDX-License-Identifier: MIT
// A trained model in use: labels are set, changed and removed, and the clamped flow
//
//     f' = λ Δ f  off the known nodes,     f = s·e_y  on them,     f(0) = the trained front
//
// is solved anew. Nothing is trained.
//
// A class that training did not know has at each node the lowest value of the node's own front. The flow keeps
// order (no entry of exp(tΔ) is negative), so such a class is nowhere warmer than another without heat from
// its own labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/diffusion/decide.h"
#include "heatfront/diffusion/dirichlet.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

struct Answer {
  Temperatures temperatures;
  Decisions decisions;
};

Answer solve_and_decide(const DirichletProblem& problem, const FlowOptions& flow, Threads& threads);

class Session {
 public:
  explicit Session(TrainedModel model);

  const TrainedModel& model() const { return model_; }
  const FlowOptions& flow() const { return flow_; }
  ConstMatrixView front() const;        // n × classes, also of those unseen in training
  DirichletProblem problem() const;     // lends what the session owns
  ClassId known_class(NodeId u) const;  // kUnknown where no label is held fixed

  ClassId add_class(const std::string& name);

  // Changes from begin_batch() to close_batch() are undone together; any other change is a batch of its own.
  void begin_batch();
  void close_batch() { open_ = false; }

  // Each goes into the model's log unless it was so already; says whether it was not.
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

  Answer solve(Threads& threads) const { return solve_and_decide(problem(), flow_, threads); }

 private:
  void hold(NodeId u, ClassId label);
  bool change(NodeId u, ClassId label);
  void drop_unused_classes();
  void widen_front();

  TrainedModel model_;  // its known nodes ascend
  FlowOptions flow_;
  double label_scale_ = 1;
  Matrix wide_front_;  // front(), where that has more columns than the model's
  std::int64_t batch_ = 0;
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
