// SPDX-License-Identifier: MIT
// The steady state of the Dirichlet problem (the paper's equation 10): Δ f = 0 off the known nodes.
//
// How far the answer is off is measured and not guessed: beside the classes one more column is solved for, the witness,
// whose known rows are all alike. Its truth is that same number wherever a known node reaches, so that its error can be
// seen. The classes do not wait for it to come to rest.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heatfront/diffusion/dirichlet.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/trunk.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

// Are there so many nodes in branches that the steady state is solved without them?
bool is_worth_cutting(const Graph& graph, const std::vector<Twig>& twigs);

// A problem without its branches: there they have the temperature of what they hang on, in the operator's coordinates.
class TrunkProblem {
 public:
  TrunkProblem(const DirichletProblem& problem, std::vector<Twig> twigs, const FlowOptions& options,
               Threads& threads);
  TrunkProblem(const TrunkProblem&) = delete;  // the operator is lent the trunk
  TrunkProblem& operator=(const TrunkProblem&) = delete;

  SolveReport solve(SteadySolver& solver, MatrixView state) const;

 private:
  NodeId node(std::int64_t i) const { return trunk_.nodes[at(i)]; }

  Trunk trunk_;
  Laplacian laplacian_;
};

class HarmonicExtension {
 public:
  HarmonicExtension(const DirichletProblem& problem, const Laplacian& laplacian, const FlowOptions& options);

  // state: the start in the operator's coordinates → the answer. Needs a column of padding, for the one whose truth is
  // known. The report's error is that of an entry, as the user sees it.
  SolveReport solve(MatrixView state);

 private:
  double begin(MatrixView state) const;
  std::size_t component(std::int64_t u) const { return at(components_.of[at(u)]); }
  std::vector<Real> means_of_components(ConstMatrixView state) const;  // column by column
  double deviation(ConstMatrixView state, double truth) const;

  const DirichletProblem& problem_;
  const Laplacian& laplacian_;
  double tolerance_;
  std::unique_ptr<SteadySolver> solver_;
  std::vector<bool> reached_;  // by known nodes
  Components components_;      // where there is a front
  std::optional<TrunkProblem> trunk_;
};

}  // namespace heatfront
