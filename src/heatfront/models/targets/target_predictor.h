// SPDX-License-Identifier: MIT
// A model of values or many labels in use: made once, then asked again and again while labels change. Nothing is trained; the front is
// fitted to changed labels exactly (linear_fit.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/flow/flow.h"
#include "heatfront/models/targets/target_model.h"

namespace heatfront {

// known: told; estimated; unreached: nothing leads there from a label, and the mean of the labels is said.
enum class TargetStatus : std::uint8_t { known, estimated, unreached };
std::string_view name_of(TargetStatus status);

struct TargetAnswer {
  std::size_t columns = 0;
  std::vector<double> values;  // (n, columns) in the units of the data; of classes a score from 0 to 1
  std::vector<TargetStatus> status;
  SolveReport report;

  std::span<const double> row(NodeId u) const { return std::span(values).subspan(at(u) * columns, columns); }
  std::vector<double> at_nodes(std::span<const NodeId> nodes) const;  // row by row
  std::int64_t count(TargetStatus status) const;
};

// f(u), before it is put into units, as a sum, exactly:
//
//     Σ_k of attribute k + Σ_j b_j (y_j − front(j))     and, without a flow, also Σ_j a_j y_j
struct TargetReasons {
  std::vector<double> labels;     // a, or b where heat flows, by known label
  Matrix attributes;              // by column of the data's features (d, columns); without rows: it has none
  Matrix places;                  // by node, where nodes are their own attributes (n, columns); likewise
  std::vector<double> front;      // z_uᵀ W, by column; empty: it has none
  std::vector<double> left_over;  // y_j − front(j), by known label, row by row; empty: nothing flows
};

class LinearFit;

class TargetPredictor {
 public:
  // Both are lent and must outlive this.
  TargetPredictor(const TargetModel& model, Threads& threads);
  ~TargetPredictor();

  TargetAnswer answer(const Targets& known);
  TargetReasons reasons(NodeId u, const Targets& known);

 private:
  ConstMatrixView front_of(const Targets& known, SolveReport& report);
  LinearFit& fitted_to(const Targets& known);
  std::vector<double> left_over(const Targets& known, ConstMatrixView front) const;

  const TargetModel& model_;
  const TargetModelEntry& entry_;
  Threads& threads_;
  TargetOptions options_;
  Targets trained_;
  std::unique_ptr<LinearFit> fit_;  // made when labels are others than those of training
  std::unique_ptr<Flow> flow_;
};

// y of the labels, as a front is told them.
FrontTargets front_targets(const Targets& known, const TargetUnits& units);

// From f (n, columns): in units, with what is known as it was told.
TargetAnswer target_answer(const Dataset& data, const Targets& known, const TargetUnits& units,
                           ConstMatrixView f, bool everywhere, const SolveReport& report);

// The labelled nodes held at these rows (labels, columns), everything else 0 to begin with.
Matrix held_state(NodeId nodes, const Targets& known, std::span<const double> rows);

}  // namespace heatfront
