// SPDX-License-Identifier: MIT
// A trained model of values or many labels in use: labels are set, changed, removed and taken back, and count fully at once. Intervals of
// values come from how far answers about other labels were off (conformal.h):
//
//     value(u) ± q,     q: the ⌈(n + 1) level⌉-th smallest |said − value|
//
// of n validation nodes, which took no part in training, or, where there are none, of the training labels, each left out in its turn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heatfront/evaluate/metrics.h"
#include "heatfront/evaluate/target_metrics.h"
#include "heatfront/models/targets/target_predictor.h"

namespace heatfront {

class TargetSession {
 public:
  TargetSession(TargetModel model, Threads& threads);

  const TargetModel& model() const { return *model_; }
  const Targets& known() const { return model_->known; }

  // Changes from begin_batch() to close_batch() are undone together; any other change is a batch of its own. Each says whether it was not
  // so already.
  void begin_batch();
  void close_batch() { open_ = false; }
  void set_time(std::int64_t seconds) { time_ = seconds; }  // of what is changed from now on; 0: not told
  bool set(NodeId u, std::span<const double> row);
  bool unset(NodeId u);
  std::int64_t include_validation();
  std::int64_t undo();  // Error where the log is empty; returns how many labels changed

  TargetAnswer answer() { return predictor_->answer(model_->known); }
  TargetAnswer answer_with(const Targets& known) { return predictor_->answer(known); }
  TargetReasons reasons(NodeId u) { return predictor_->reasons(u, model_->known); }
  Threads& threads() const { return threads_; }

 private:
  bool change(NodeId u, std::span<const double> row);

  Threads& threads_;
  std::unique_ptr<TargetModel> model_;  // it stays where it is, for the predictor looks into it
  std::unique_ptr<TargetPredictor> predictor_;
  std::int64_t batch_ = 0, time_ = 0;
  bool open_ = false;
};

inline constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

// How far values can be off, by column.
struct TargetIntervals {
  double level = 0;
  std::int64_t calibrated_on = 0;  // nodes
  bool left_out = false;           // they trained, each left out in its turn; else they are validation nodes
  std::vector<double> radius;      // infinite: there are too few nodes for this level
};
inline constexpr double kUsualCoverage = 0.9;
TargetIntervals intervals_of(const TargetModel& model, const TargetAnswer& answer, double level);

// How good the model is: by test nodes and by validation nodes that are not held, by labels left out while training, and what those
// would say who know no model.
struct TargetEvaluation {
  TargetScores test, validation, left_out;
  TargetScores mean, neighbours;  // of the test nodes, or of labels left out where there are none
  TargetIntervals intervals;
  std::vector<double> covered;  // share of test nodes within their interval, by column; NaN: there are none
  bool by_test = false;         // there are test nodes
  ClassRetrieval retrieval;     // of many labels, where one is asked about: by the same nodes as the mean
};
TargetEvaluation evaluate_targets(const TargetModel& model, const TargetAnswer& answer, double level,
                                  std::size_t about = kNoColumn);

// Judged as the kind of labels asks for.
TargetScores scores_at(const TargetModel& model, const TargetAnswer& answer, std::span<const NodeId> nodes);

// The column of this name: a value, or a class. Error says which there are.
std::size_t find_target(const Dataset& data, std::string_view name);

struct TargetLabelShare {
  NodeId node = 0;
  double value = 0;   // its label
  double weight = 0;  // of it, or of what the front leaves of it
  double adds = 0;    // to the value that is explained, in its units
};

struct TargetAttributeShare {
  std::int64_t column = 0;  // of the features; a node where nodes are their own attributes
  bool is_node = false;
  double adds = 0;
};

// Why a node has its value, in one column: value = centre + what was added, exactly.
struct TargetExplanation {
  NodeId node = 0;
  std::size_t column = 0;
  TargetStatus status = TargetStatus::estimated;
  double value = 0, centre = 0;
  double from_labels = 0, from_attributes = 0;  // NaN: it has none
  bool both = false;                     // labels and attributes add up together; else each of them alone
  double residual = 0;                   // the most by which the parts miss the value
  std::vector<TargetLabelShare> labels;  // the largest first
  std::vector<TargetAttributeShare> attributes;  // likewise
};
TargetExplanation explain_target(TargetSession& session, const TargetAnswer& answer, NodeId u,
                                 std::size_t column, std::size_t most = 8);

// What to explain of a node: all values; of classes those that it is said to have, or the one with the highest score.
std::vector<std::size_t> columns_to_explain(const TargetModel& model, const TargetAnswer& answer, NodeId u);

// The nodes that have most of a column: of a class the likeliest, of a value the highest; each with what made it so.
struct TargetRankOptions {
  std::size_t column = 0;
  std::int64_t count = 50;
  bool known = false;  // also those whose label is held
};
struct TargetRanking {
  std::size_t column = 0;
  std::int64_t candidates = 0;           // nodes that could have been listed
  std::vector<TargetExplanation> nodes;  // most first, of equals the first
};
TargetRanking rank_targets(TargetSession& session, const TargetAnswer& answer,
                           const TargetRankOptions& options);

struct MovedTarget {
  NodeId node = 0;
  double before = 0, after = 0;  // in the column that moved most by its scale
  std::size_t column = 0;
  double moved = 0;  // by its scale
};
// Nodes that are held in neither, most moved first; those that moved by less than a thousandth of the scale are left out.
std::vector<MovedTarget> moved_targets(const TargetModel& model, const TargetAnswer& before,
                                       const TargetAnswer& after);

}  // namespace heatfront
