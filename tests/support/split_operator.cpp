// SPDX-License-Identifier: MIT
#include "support/split_operator.h"

#include <algorithm>
#include <map>

#include "heatfront/base/error.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront::test {

SplitOperator::SplitOperator(const Laplacian& whole, double lambda, const LaplacianOptions& options,
                             std::span<const int> owners, int rank, Meeting& meeting, const SplitFault& fault)
    : meeting_(meeting),
      ranks_(rank, meeting),
      fault_(fault),
      lowest_(whole.lowest()),
      sum_roundings_(whole.sum_roundings()),
      clamps_(whole.clamps()) {
  const Graph& graph = whole.graph();
  std::vector<std::int64_t> place(owners.size()), taken(static_cast<std::size_t>(meeting.count()));
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    place[at(u)] = taken[static_cast<std::size_t>(owners[at(u)])]++;
    if (owners[at(u)] == rank) own_.push_back(u);
  }
  std::map<NodeId, NodeId> ghosts;
  offsets_.push_back(0);
  for (NodeId u : own_) {
    double to_others = 0;
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[at(arc)];
      to_others += whole.weights().empty() ? 1 : static_cast<double>(whole.weights()[at(arc)]);
      arcs_.push_back(arc);
      if (!whole.weights().empty()) weights_.push_back(whole.weights()[at(arc)]);
      if (owners[at(v)] == rank) {
        targets_.push_back(static_cast<NodeId>(place[at(v)]));
        continue;
      }
      const auto [ghost, is_new] =
          ghosts.try_emplace(v, static_cast<NodeId>(std::ssize(own_) + std::ssize(ghosts_)));
      if (is_new) ghosts_.push_back({owners[at(v)], place[at(v)]});
      targets_.push_back(ghost->second);
    }
    offsets_.push_back(std::ssize(targets_));
    const double degree = options.self_loop + to_others;
    const double share = entry_of(options.kind).by_degree && degree > 0 ? 1 / degree : 1;
    scale_.push_back(static_cast<Real>(lambda * share));
    outflow_.push_back(whole.outflow()[at(u)]);
    if (!whole.metric().empty()) metric_.push_back(whole.metric()[at(u)]);
    if (!whole.row_scale().empty()) row_scale_.push_back(whole.row_scale()[at(u)]);
    if (!whole.clamped().empty()) clamped_.push_back(whole.clamped()[at(u)]);
  }
  if (std::ranges::find(clamped_, 1) == clamped_.end()) clamped_.clear();
}

Matrix SplitOperator::with_ghosts(ConstMatrixView own) const {
  if (products_++ == fault_.products_before_error && ranks_.rank() == ranks_.count() - 1)
    throw Error("a rank cannot go on");
  Matrix all(rows() + std::ssize(ghosts_), own.cols, own.stride);
  std::copy_n(own.data, own.rows * own.stride, all.view().data);
  meeting_.exchange_rows(ranks_.rank(), own, [&](int owner, ConstMatrixView theirs) {
    for (std::size_t i = 0; i < ghosts_.size() && !fault_.keeps_ghosts_cold; ++i) {
      if (ghosts_[i].owner == owner)
        std::ranges::copy(theirs.row(ghosts_[i].row), all.row(rows() + static_cast<std::int64_t>(i)).begin());
    }
  });
  return all;
}

RowKernel SplitOperator::kernel() const {
  return {.offsets = offsets_.data(),
          .targets = targets_.data(),
          .weights = weights_.empty() ? nullptr : weights_.data(),
          .scale = scale_.data(),
          .shift = outflow_.data(),
          .clamped = clamped_.empty() ? nullptr : clamped_.data(),
          .order = nullptr,
          .far_apart = false};
}

void SplitOperator::apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  const Matrix all = with_ghosts(x);
  apply_rows(kernel(), step, all, y, sum, 0, rows());
}

void SplitOperator::apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  Matrix free(x.rows, x.cols, x.stride);
  copy(x, free, threads_);
  clear_clamped_rows(*this, free);
  const Matrix all = with_ghosts(free);
  RowKernel rows_of_all = kernel();
  rows_of_all.clamped = nullptr;
  apply_rows(rows_of_all, {.alpha = step.alpha, .beta = step.beta, .gamma = step.gamma}, all, y, {}, 0,
             rows());
  for_clamped_rows(*this, [&](std::int64_t u) {
    for (std::int64_t c = 0; c < x.cols; ++c) y(u, c) += static_cast<Real>(step.beta) * x(u, c);
  });
  if (sum.data != nullptr) add_scaled(step.delta, y, sum, threads_);
}

void SplitOperator::add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                                 OperatorGradient& gradient) const {
  const Matrix all = with_ghosts(x);
  add_row_gradients(kernel(), scale, a, all, gradient.entries.data(), gradient.diagonal.data(), 0, rows());
}

Matrix SplitOperator::part_of(ConstMatrixView whole) const {
  Matrix part(rows(), whole.cols, whole.stride);
  for (std::int64_t i = 0; i < rows(); ++i) std::ranges::copy(whole.row(own_[at(i)]), part.row(i).begin());
  return part;
}

void SplitOperator::put_back(ConstMatrixView part, MatrixView whole) const {
  for (std::int64_t i = 0; i < rows(); ++i) std::ranges::copy(part.row(i), whole.row(own_[at(i)]).begin());
}

OperatorGradient SplitOperator::zero_gradient() const {
  return {std::vector<Real>(arcs_.size()), std::vector<Real>(own_.size())};
}

void SplitOperator::put_back(const OperatorGradient& part, OperatorGradient& whole) const {
  for (std::size_t i = 0; i < arcs_.size(); ++i) whole.entries[at(arcs_[i])] = part.entries[i];
  for (std::size_t i = 0; i < own_.size(); ++i) whole.diagonal[at(own_[i])] = part.diagonal[i];
}

}  // namespace heatfront::test
