// SPDX-License-Identifier: MIT
// The steady state of the Dirichlet problem (the paper's equation 10): Δ f = 0 off the known nodes.
//
// How far the answer is off is measured and not guessed: beside the classes one more column is solved for, the witness,
// whose known rows are all alike. Its truth is that same number wherever a known node reaches, so that its error can be
// seen. The classes do not wait for it to come to rest.
//
// Where links are so weak beside others that single precision does not see them (graph/walks.h), or it does not come to rest,
// the steady state is solved in double precision: by elimination, or with a proof of its error where that would take too much.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/flow/double_extension.h"
#include "heatfront/flow/flow.h"
#include "heatfront/flow/harmonic_system.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/trunk.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

// Are there so many nodes in branches that the steady state is solved without them?
bool is_worth_cutting(const Graph& graph, const std::vector<Twig>& twigs);

// A problem without its branches: there they have the temperature of what they hang on, in the operator's coordinates.
class TrunkProblem {
 public:
  TrunkProblem(const Laplacian& laplacian, std::span<const NodeId> known, std::vector<Twig> twigs,
               const FlowOptions& options);
  TrunkProblem(const TrunkProblem&) = delete;  // the operator is lent the trunk
  TrunkProblem& operator=(const TrunkProblem&) = delete;

  SolveReport solve(SteadySolver& solver, MatrixView state) const;
  double longest_walk() const { return longest_walk_; }

 private:
  NodeId node(std::int64_t i) const { return trunk_.nodes[at(i)]; }

  Trunk trunk_;
  Laplacian laplacian_;
  double longest_walk_;
};

class HarmonicExtension {
 public:
  // The operator is lent; these nodes are clamped in it.
  HarmonicExtension(const Laplacian& laplacian, std::span<const NodeId> known, const FlowOptions& options);

  struct Answer {
    SolveReport report;                 // its error is that of the worst column
    std::vector<double> column_errors;  // of an entry, as the user sees it
  };

  // state: the start → the answer, as the user sees both. Needs a column of padding, for the one whose truth is known.
  Answer solve(MatrixView state);

 private:
  double begin(MatrixView state) const;
  double deviation(ConstMatrixView state, double truth) const;
  // Their errors are relative to `truth`, the largest known number.
  SolveReport settle(double truth, MatrixView witnessed);
  SolveReport solve_in_single(double truth, MatrixView witnessed) const;
  SolveReport solve_by_elimination(MatrixView state);
  SolveReport solve_in_double(double truth, MatrixView state);
  bool is_at_rest(double off) const;
  const DoubleExtension& in_double();
  void keep_in_range(MatrixView state) const;
  struct Mean {
    double value = 0;  // in the operator's coordinates
    double error = 0;
  };
  std::vector<Mean> means_of_components(ConstMatrixView start) const;  // column by column
  std::size_t component(std::int64_t u) const { return at(components_.of[at(u)]); }
  double tolerance() const { return options_.solve.tolerance; }

  const Laplacian& laplacian_;
  std::vector<NodeId> known_;
  FlowOptions options_;
  std::unique_ptr<SteadySolver> solver_;
  HarmonicSystem system_;
  Components components_;  // where a node is absent
  std::optional<TrunkProblem> trunk_;
  bool fits_single_ = true;
  bool fills_up_ = false;                     // when nodes are eliminated
  std::optional<DoubleExtension> in_double_;  // where it was needed
};

}  // namespace heatfront
