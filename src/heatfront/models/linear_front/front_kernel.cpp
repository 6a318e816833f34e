// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_kernel.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/weighted_degree.h"
#include "heatfront/models/features.h"

namespace heatfront {
namespace {

Matrix copied(ConstMatrixView from) {
  Matrix result = padded_matrix(from.rows, from.cols);
  for (std::int64_t i = 0; i < from.rows; ++i) std::ranges::copy(from.row(i), result.row(i).begin());
  return result;
}

// Hᵀ = M H M⁻¹: what a state is divided by before it flows, so that the flow is the adjoint one. Empty: H is symmetric.
std::vector<Real> adjoint_scale(const Flow& flow) {
  const LaplacianOptions& laplacian = flow.options().laplacian;
  const LaplacianEntry& kind = entry_of(laplacian.kind);
  if (!kind.by_degree || kind.root_coordinates) return {};
  std::vector<Real> scale;
  for (NodeId u = 0; u < flow.graph().nodes(); ++u) {
    const double degree = weighted_degree(flow.graph(), flow.weights(), laplacian.self_loop, u);
    scale.push_back(static_cast<Real>(degree < kLeastDegree ? 1 : degree));
  }
  return scale;
}

// Z_Lᵀ (d, |L|) from Hᵀ E_L (n, |L|), or from all of Z (n, d).
Matrix rows_from_nodes(const FrontFeatures& features, ConstMatrixView heat, std::span<const Real> scale,
                       Threads& threads) {
  if (scale.empty()) return features.transposed_times(heat, threads);
  Matrix scaled = padded_matrix(heat.rows, heat.cols);
  copy(heat, scaled, threads);
  scale_rows(scale, scaled, threads);
  return features.transposed_times(scaled, threads);
}

Matrix columns_at(std::span<const NodeId> nodes, ConstMatrixView z) {
  Matrix rows = padded_matrix(z.cols, std::ssize(nodes));
  for (std::int64_t i = 0; i < rows.cols(); ++i)
    for (std::int64_t k = 0; k < rows.rows(); ++k) rows(k, i) = z(nodes[at(i)], k);
  return rows;
}

}  // namespace

FrontFeatures::FrontFeatures(const std::string& view, const Dataset& dataset) : cols_(dataset.nodes()) {
  if (view == kIdentityFeatures) return;
  input_ = network_input(view, dataset);
  cols_ = input_->cols();
  if (view != "neighbourhood") attributes_ = dataset.features.cols();
  if (view == kProductFeatures) pairs_ = columns_of_products(attributes_);
}

void FrontFeatures::add_by_attribute(ConstMatrixView shares, MatrixView sum) const {
  const auto add = [&](std::int64_t from, std::int64_t to, Real part) {
    for (std::int64_t c = 0; c < shares.cols; ++c) sum(to, c) += part * shares(from, c);
  };
  for (std::int64_t k = 0; k < shares.rows; ++k) {
    const auto [first, second] = pairs_.empty() ? std::pair(k, k) : pairs_[at(k)];
    add(k, first, Real(0.5));
    add(k, second, Real(0.5));
  }
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

std::int64_t for_rows_at(Flow& flow, std::span<const double> times, std::span<const FrontFeatures> features,
                         std::span<const NodeId> nodes, const VisitRows& visit) {
  Threads& threads = flow.threads();
  const std::int64_t n = flow.graph().nodes(), count = std::ssize(nodes);
  std::vector<std::size_t> many;
  for (std::size_t i = 0; i < features.size(); ++i)
    if (features[i].cols() >= count) many.push_back(i);
  std::int64_t products = 0;
  if (!many.empty()) {
    const std::vector<Real> scale = adjoint_scale(flow);
    Matrix start = padded_matrix(n, count);
    for (std::int64_t i = 0; i < count; ++i) {
      const NodeId u = nodes[at(i)];
      start(u, i) = scale.empty() ? Real(1) : 1 / scale[at(u)];
    }
    const auto at_time = [&](double time, const Temperatures& heat) {
      visit(time, many,
            [&](std::size_t i) { return rows_from_nodes(features[i], heat.values, scale, threads); });
      return true;
    };
    products += flow.curve(times, std::move(start), at_time).products;
  }
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].cols() >= count) continue;
    const auto at_time = [&](double time, const Temperatures& z) {
      visit(time, std::span(&i, 1), [&](std::size_t) { return columns_at(nodes, z.values); });
      return true;
    };
    products += flow.curve(times, features[i].dense(), at_time).products;
  }
  return products;
}

FrontKernels::FrontKernels(const Dataset& dataset, std::span<const Real> weights,
                           std::vector<KernelSetting> settings, const FlowOptions& flow, Threads& threads)
    : nodes_(dataset.nodes()), threads_(threads), settings_(std::move(settings)) {
  std::vector<double> loops;
  for (std::size_t k = 0; k < settings_.size(); ++k) {
    const KernelSetting& setting = settings_[k];
    view_of_.push_back(at(std::ranges::find(views_, setting.features) - views_.begin()));
    if (view_of_.back() == views_.size()) {
      views_.push_back(setting.features);
      features_.emplace_back(setting.features, dataset);
    }
    const auto group = std::ranges::find(loops, setting.self_loop) - loops.begin();
    if (group == std::ssize(loops)) {
      loops.push_back(setting.self_loop);
      FlowOptions own = flow;
      own.laplacian.self_loop = setting.self_loop;
      groups_.push_back(
          {.kernels = {}, .flow = std::make_unique<Flow>(dataset.graph, weights, own, threads)});
    }
    groups_[at(group)].kernels.push_back(k);
  }
}

std::int64_t FrontKernels::products() const {
  std::int64_t sum = 0;
  for (const Group& group : groups_) sum += group.products;
  return sum;
}

// Side by side: what is made of few columns is too short to be shared out among threads.
template <class Body>
void FrontKernels::for_kernels(const Body& body) {
  threads_.for_blocks(std::ssize(settings_), 1, [&](std::int64_t k, std::int64_t) { body(at(k)); });
}

void FrontKernels::run(std::vector<Matrix>& states, Way way) {
  threads_.for_blocks(std::ssize(groups_), 1, [&](std::int64_t g, std::int64_t) {
    Group& group = groups_[at(g)];
    std::vector<double> times;
    for (std::size_t k : group.kernels) times.insert(times.end(), at(states[k].cols()), settings_[k].time);
    if (times.empty()) return;
    Matrix joined = padded_matrix(nodes_, std::ssize(times));
    const auto for_parts =
        [&](const auto& each) {  // each(row of a kernel's state, the same in the joined one)
          std::size_t first = 0;
          for (std::size_t k : group.kernels) {
            const std::size_t count = at(states[k].cols());
            for (NodeId u = 0; u < nodes_ && count > 0; ++u)
              each(states[k].row(u), joined.row(u).subspan(first, count));
            first += count;
          }
        };
    for_parts([](auto state, auto part) { std::ranges::copy(state, part.begin()); });
    group.products += ((*group.flow).*way)(times, joined).products;
    for_parts([](auto state, auto part) { std::ranges::copy(part, state.begin()); });
  });
}

std::vector<Matrix> FrontKernels::at_nodes(std::span<const Matrix> w) {
  std::vector<Matrix> states(size());
  for_kernels([&](std::size_t k) {
    if (w[k].cols() > 0) states[k] = features(k).times(w[k], threads_);
  });
  run(states, &Flow::forward_each);
  return states;
}

std::vector<Matrix> FrontKernels::to_features(std::vector<Matrix> a) {
  run(a, &Flow::backward_each);
  for_kernels([&](std::size_t k) {
    if (a[k].cols() > 0) a[k] = features(k).transposed_times(a[k], threads_);
  });
  return a;
}

std::vector<Matrix> FrontKernels::rows(std::span<const NodeId> nodes) {
  Matrix start = padded_matrix(nodes_, std::ssize(nodes));
  for (std::int64_t i = 0; i < start.cols(); ++i) start(nodes[at(i)], i) = 1;
  return to_features(std::vector<Matrix>(size(), start));
}

void FrontKernels::for_rows(std::span<const NodeId> nodes, const VisitKernel& visit) {
  for (Group& group : groups_) {
    std::vector<double> times;
    for (std::size_t k : group.kernels) times.push_back(settings_[k].time);
    std::ranges::sort(times);
    times.erase(std::unique(times.begin(), times.end()), times.end());
    group.products += for_rows_at(
        *group.flow, times, features_, nodes,
        [&](double time, std::span<const std::size_t> there, const std::function<Matrix(std::size_t)>& rows) {
          std::vector<std::size_t> now;
          for (std::size_t k : group.kernels)
            if (settings_[k].time == time && std::ranges::count(there, view_of_[k]) > 0) now.push_back(k);
          threads_.for_blocks(std::ssize(now), 1, [&](std::int64_t i, std::int64_t) {
            visit(now[at(i)], rows(view_of_[now[at(i)]]));
          });
        });
  }
}

}  // namespace heatfront
