// SPDX-License-Identifier: MIT
// One linear flow on a graph, made once and run again and again:
//
//     f' = λ Δ f  off the held nodes,     f stays as it is on them
//
// to a time, along a curve of times, or to rest; forward and backward. Weights and held nodes change without anything
// being built anew. States are n × C and padded (padded_matrix), in the user's order of the nodes and in the user's coordinates.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/held_rows.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/arc_pairs.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/graph.h"
#include "heatfront/graph/reorder.h"
#include "heatfront/solve/solver.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {

struct FlowOptions {
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  double time = 5;  // kForever: the steady state
  double lambda = 1;
  std::string solver;  // empty: chebyshev, and cg for the steady state
  SolveOptions solve;
  LaplacianOptions laplacian;
  Reordering reorder = Reordering::none;  // the nodes meanwhile; the answer is in the user's order
  std::int64_t memory_limit = 0;          // bytes for states; 0: none. Classes are solved in blocks that fit
                                          // (along a curve: times in groups).
};

inline constexpr double kLongestTime = 1e30;  // what is slower than numbers can tell moves nothing by then
inline constexpr double kSlowestFlow = 1e-6, kFastestFlow = 1e6;  // λ; beyond that, change the time
inline constexpr double kLargestLoop = 1e6;                       // the least weights have to count beside it

// Those that are numbers.
OptionFields fields(FlowOptions& options);
void check(const FlowOptions& options);  // Error unless they are within their ranges

bool is_forever(const FlowOptions& options);

// The one that is named, or the default; Error lists the right ones.
const SolverEntry& solver_of(const FlowOptions& options);

struct Temperatures {
  Matrix values;  // n × classes, padded
  SolveReport report;
  std::vector<double>
      column_errors;  // what |error| of an entry is at most, by class (an estimate without a bound)
};

// Called once for each time, in ascending order, with the temperatures then; false stops the curve.
using VisitTime = std::function<bool(double time, const Temperatures& temperatures)>;

class HarmonicExtension;

// What training asks of a flow, whoever has its rows (RankFlow has those of one of several processes). A step is repeated thousands of
// times, and trusts its numbers.
class StepFlow {
 public:
  virtual ~StepFlow() = default;

  // Other weights, or the same span with other numbers in it.
  virtual void set_weights(std::span<const Real> weights) = 0;

  // These nodes from now on, in place of those held before; none: the flow is free.
  virtual void hold(std::span<const NodeId> nodes) = 0;

  // forward: f(0) → f(t), in place; unless the trace is null, backward() can follow: ∂L/∂f(t) → ∂L/∂f(0), and ∂L/∂A written to
  // `d_operator` unless that is null.
  virtual SolveReport forward(MatrixView state, Trace* trace) = 0;
  virtual SolveReport backward(const Trace& trace, MatrixView gradient, OperatorGradient* d_operator) = 0;

  // ∂L/∂w from what backward() found; see Laplacian::weight_gradient.
  virtual void weight_gradient(const OperatorGradient& gradient, ConstMatrixView start,
                               ConstMatrixView d_start, ConstMatrixView end, ConstMatrixView d_end,
                               ArcPairs& pairs, Laplacian::WeightGradient& result) const = 0;
  virtual OperatorGradient zero_gradient() const = 0;

 protected:
  StepFlow() = default;
  StepFlow(const StepFlow&) = default;
  StepFlow& operator=(const StepFlow&) = default;
};

// What the answers of a trained model ask of a flow, whoever computes it (SharedFlow does on several processes). States have the rows of all
// nodes.
class NodeFlow {
 public:
  virtual ~NodeFlow() = default;

  virtual const FlowOptions& options() const = 0;
  virtual const Graph& graph() const = 0;
  virtual std::span<const Real> weights() const = 0;
  virtual Threads& threads() const = 0;

  // These nodes from now on, in place of those held before; none: the flow is free.
  virtual void hold(std::span<const NodeId> nodes) = 0;

  // The answer from this start, with its certificate: numbers that cannot be followed are an Error, classes are solved in
  // blocks where memory asks for it, and held rows keep their bits.
  virtual Temperatures solve(Matrix start) = 0;

  // The same at many times, which ascend, from one recurrence: the Chebyshev polynomials of a start do not depend on t. Times
  // are taken in groups whose states fit the memory; a group goes on from the last state of the one before, and so does one whose
  // series would be very long. options().time and .solver are not used, and there are no errors unless options().solve.certify. Returns the report of the whole curve.
  virtual SolveReport curve(std::span<const double> times, Matrix start, const VisitTime& visit) = 0;

  // How much of every node's start arrives at u: f(u) = Σ_v a_v f_v(0). One column for each of these nodes, in one flow, to this
  // tolerance or a finer one of the flow's own, by the Chebyshev series whatever the solver, for its adjoint needs no trace.
  virtual Matrix shares_of(std::span<const NodeId> nodes, double tolerance) = 0;

  // state ← (1 − tA)⁻¹ state: the mean of the flow over times that are t on average. One column per node asked for.
  virtual Matrix mean_heat_from(std::span<const NodeId> sources, double tolerance) = 0;

  // What heat can reach from where: joined by edges of weights above 0.
  virtual const Components& components() = 0;

 protected:
  NodeFlow() = default;
  NodeFlow(const NodeFlow&) = default;
  NodeFlow& operator=(const NodeFlow&) = default;
};

class Flow final : public StepFlow, public NodeFlow {
 public:
  // Keeps the graph; weights (one per arc, or none for all 1) are lent and must outlive the flow, as the threads must.
  Flow(const Graph& graph, std::span<const Real> weights, const FlowOptions& options, Threads& threads);
  ~Flow() override;
  Flow(const Flow&) = delete;  // the operator looks into this one
  Flow& operator=(const Flow&) = delete;

  const FlowOptions& options() const override { return options_; }
  const Graph& graph() const override { return graph_; }
  std::span<const Real> weights() const override { return weights_; }
  Threads& threads() const override { return laplacian_.threads(); }

  void set_weights(std::span<const Real> weights) override;
  void hold(std::span<const NodeId> nodes) override;

  Temperatures solve(Matrix start) override;
  SolveReport curve(std::span<const double> times, Matrix start, const VisitTime& visit) override;

  SolveReport forward(MatrixView state, Trace* trace = nullptr) override;
  SolveReport backward(const Trace& trace, MatrixView gradient, OperatorGradient* d_operator) override;

  // The same, each column for a time of its own, from one recurrence, of a flow that holds no node; without a trace.
  SolveReport forward_each(std::span<const double> times, MatrixView state);
  SolveReport backward_each(std::span<const double> times, MatrixView gradient);

  void weight_gradient(const OperatorGradient& gradient, ConstMatrixView start, ConstMatrixView d_start,
                       ConstMatrixView end, ConstMatrixView d_end, ArcPairs& pairs,
                       Laplacian::WeightGradient& result) const override;
  OperatorGradient zero_gradient() const override { return laplacian_.zero_gradient(); }

  Matrix shares_of(std::span<const NodeId> nodes, double tolerance) override;
  Matrix mean_heat_from(std::span<const NodeId> sources, double tolerance) override;
  const Components& components() override;

 private:
  bool reorders() const { return !order_.empty(); }
  NodeId inner(NodeId u) const { return reorders() ? place_[at(u)] : u; }
  Matrix in_inner_order(Matrix state) const;
  Matrix in_users_order(Matrix state) const;
  Matrix reordered_back(ConstMatrixView state) const;
  double time() const;  // that heat flows: none where nothing can
  double largest_entry();

  FlowOptions options_;
  Graph graph_;                        // the user's
  std::span<const Real> weights_;      // the user's
  std::vector<NodeId> order_, place_;  // order_[inner] = user's, place_[user's] = inner; empty: the same
  WeightedGraph reordered_;            // where there is an order
  Laplacian laplacian_;
  std::unique_ptr<TimeSolver> solver_;          // none to rest
  HeldRows held_;                               // in inner order
  std::unique_ptr<HarmonicExtension> at_rest_;  // with what is held now; made when it is asked for
  std::optional<Components> components_;        // in the user's order; likewise
  std::optional<double> largest_entry_;         // of a column of norm 1, as the user sees it; likewise
};

}  // namespace heatfront
