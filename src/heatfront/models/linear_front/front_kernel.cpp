// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_kernel.h"

#include <algorithm>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"

namespace heatfront {
namespace {

constexpr std::int64_t kColumnsAtOnce = 256;  // of a state that flows

Matrix copied(ConstMatrixView from) {
  Matrix result = padded_matrix(from.rows, from.cols);
  for (std::int64_t i = 0; i < from.rows; ++i) std::ranges::copy(from.row(i), result.row(i).begin());
  return result;
}

}  // namespace

FrontFeatures::FrontFeatures(const std::string& view, const Dataset& dataset) : cols_(dataset.nodes()) {
  if (view == kIdentityFeatures) return;
  input_ = network_input(view, dataset);
  cols_ = input_->cols();
  of_data_ = view != "neighbourhood";
}

Matrix FrontFeatures::times(ConstMatrixView w, Threads& threads) const {
  return is_identity() ? copied(w) : product_of(*input_, w, threads);
}

Matrix FrontFeatures::transposed_times(ConstMatrixView a, Threads& threads) const {
  return is_identity() ? copied(a) : transposed_product_of(*input_, a, threads);
}

double FrontFeatures::square_of(NodeId u) const {
  if (is_identity()) return 1;
  const InputView x = input_->view();
  double sum = 0;
  const auto add = [&](Real value) { sum += static_cast<double>(value) * static_cast<double>(value); };
  if (!x.is_sparse()) {
    std::ranges::for_each(x.dense.row(u), add);
    return sum;
  }
  for (std::int64_t k = x.sparse.begins[u]; k < x.sparse.ends[u]; ++k)
    add(x.sparse.values == nullptr ? Real(1) : x.sparse.values[k]);
  return sum;
}

Matrix FrontFeatures::dense() const {
  const std::int64_t n = is_identity() ? cols_ : input_->rows();
  Matrix result = padded_matrix(n, cols_);
  if (is_identity()) {
    for (std::int64_t u = 0; u < n; ++u) result(u, u) = 1;
    return result;
  }
  const InputView x = input_->view();
  if (!x.is_sparse()) return copied(x.dense);
  for (std::int64_t u = 0; u < n; ++u) {
    for (std::int64_t k = x.sparse.begins[u]; k < x.sparse.ends[u]; ++k)
      result(u, x.sparse.columns[k]) = x.sparse.values == nullptr ? Real(1) : x.sparse.values[k];
  }
  return result;
}

FrontKernel::FrontKernel(const Dataset& dataset, std::span<const Real> weights, const FrontFeatures& features,
                         const FlowOptions& flow, Threads& threads)
    : features_(features),
      nodes_(dataset.nodes()),
      flow_(dataset.graph, weights, flow, threads),
      threads_(threads) {}

Matrix FrontKernel::at_nodes(ConstMatrixView w) {
  Matrix state = features_.times(w, threads_);
  products_ += flow_.forward(state).products;
  return state;
}

Matrix FrontKernel::to_features(Matrix a) {
  products_ += flow_.backward({}, a, nullptr).products;
  return features_.transposed_times(a, threads_);
}

Matrix FrontKernel::rows(std::span<const NodeId> nodes) {
  Matrix result = padded_matrix(features(), std::ssize(nodes));
  for (std::int64_t first = 0; first < std::ssize(nodes); first += kColumnsAtOnce) {
    const std::int64_t count = std::min(kColumnsAtOnce, std::ssize(nodes) - first);
    Matrix state = padded_matrix(nodes_, count);
    for (std::int64_t i = 0; i < count; ++i) state(nodes[at(first + i)], i) = 1;
    const Matrix part = to_features(std::move(state));
    for (std::int64_t k = 0; k < part.rows(); ++k)
      std::ranges::copy(part.row(k), result.row(k).begin() + first);
  }
  return result;
}

}  // namespace heatfront
