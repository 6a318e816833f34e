// SPDX-License-Identifier: MIT
// The Laplacians (laplacians/laplacians.h) as operators on states: λ Δ, with the rows of clamped nodes zero. Some kinds work in
// coordinates of their own: enter() takes a state there and leave() brings it back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/flow/laplacians/laplacians.h"
#include "heatfront/graph/graph.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

struct RowKernel;

struct LaplacianOptions {
  LaplacianKind kind = LaplacianKind::symmetric;
  double self_loop = 1;  // ℓ; 0: no loops
};

class Laplacian : public Operator {
 public:
  // Graph and weights (one per arc, or none for all 1) are lent and must outlive the operator. λ speeds the
  // flow up. Loops: by node, of that much more weight; lent, too.
  Laplacian(const Graph& graph, std::span<const Real> weights, const LaplacianOptions& options, double lambda,
            Threads& threads, std::span<const Real> loops = {});

  // Other weights on the same graph, or the same span with other numbers in it; allocates nothing.
  void set_weights(std::span<const Real> weights);

  // Rows at speeds of their own, du/dt = λ diag(s) Δ u with 0 < s_u ≤ 1: one number per node, lent; allocates
  // nothing after the first time.
  void set_row_speeds(std::span<const Real> speeds);

  // Holds these nodes fixed, in place of those held before.
  void clamp(std::span<const NodeId> nodes);

  // States of the flow → coordinates of the operator, and back; gradients with respect to states likewise.
  void enter(MatrixView state) const;
  void leave(MatrixView state) const;
  void enter_adjoint(MatrixView gradient) const;
  void leave_adjoint(MatrixView gradient) const;

  std::int64_t rows() const override { return graph_.nodes(); }
  double lowest() const override;
  bool self_adjoint() const override { return kind_.self_adjoint; }
  bool clamps() const override { return !clamped_.empty(); }
  std::span<const std::uint8_t> clamped() const override { return clamped_; }
  std::span<const Real> outflow() const override { return shift_; }
  Threads& threads() const override { return threads_; }
  double sum_roundings() const override { return sum_roundings_; }
  std::span<const Real> row_scale() const override;
  std::span<const Real> metric() const override;
  void prepare_products() const override { row_plan(); }
  void apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;
  void apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;
  void add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                    OperatorGradient& gradient) const override;

  OperatorGradient zero_gradient() const;

  // ∂L/∂w of every edge, at both of its arcs, and ∂L/∂ℓ. The flow began at `start` and ended at `end`, with
  // ∂L/∂end and ∂L/∂start beside them, all as the user sees them (not in the operator's coordinates).
  struct WeightGradient {
    std::vector<Real> edges;
    double self_loop = 0;
    std::vector<double> by_degree;  // what the computation scribbles on
  };
  void weight_gradient(const OperatorGradient& gradient, ConstMatrixView start, ConstMatrixView d_start,
                       ConstMatrixView end, ConstMatrixView d_end, std::span<const ArcId> reverse,
                       WeightGradient& result) const;

  const Graph& graph() const { return graph_; }
  std::span<const Real> weights() const { return weights_; }  // empty: all 1
  std::span<const Real> degrees() const { return degrees_; }
  double metric_at(std::int64_t u) const {
    return metric().empty() ? 1 : static_cast<double>(metric()[static_cast<std::size_t>(u)]);
  }

 private:
  // What not every use needs: made when it is asked for, and so not by two threads at once (prepare_products()).
  struct SpectrumBound {
    int sweeps_due = 0;  // before `lowest` is that of the weights
    double lowest = 0;
    std::vector<double> y, next, by_block;  // y is kept for the next weights
  };
  struct RowPlan {
    bool far_apart;             // most neighbours, in the order of the nodes
    std::vector<NodeId> order;  // of the rows, within each block that a thread takes; empty: as they come
  };

  void set_degrees();
  void bound_spectrum() const;
  const RowPlan& row_plan() const;
  std::int64_t rows_a_block(std::int64_t stride) const;  // that a thread takes
  RowKernel row_kernel(std::int64_t stride) const;

  const Graph& graph_;
  std::span<const Real> weights_;
  std::span<const Real> loops_;   // beside ℓ; empty: none
  std::span<const Real> speeds_;  // s; empty: all 1
  const LaplacianEntry& kind_;
  double self_loop_;  // ℓ
  double lambda_;
  Threads& threads_;
  double sum_roundings_;
  std::vector<Real> degrees_;                // d
  std::vector<Real> roots_, inverse_roots_;  // √d, 1/√d
  std::vector<Real> scale_, shift_;          // a and b of the row kernel
  std::vector<Real> inverse_speeds_;         // 1/s; empty: all 1
  std::vector<Real> metric_;                 // where there are speeds
  std::vector<std::uint8_t> clamped_;        // empty: none
  mutable SpectrumBound bound_;
  mutable std::optional<RowPlan> plan_;
};

// With a smaller degree, as without edge and loop, nothing flows: λ over it would leave the range of numbers.
inline constexpr auto kLeastDegree = static_cast<double>(kLeastWeight);

// Error where the operator takes this state, in its coordinates, out of the range of numbers.
void require_representable(const Laplacian& laplacian, ConstMatrixView state);

}  // namespace heatfront
