// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/left_out_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/models/model.h"
#include "heatfront/models/similarity.h"
#include "heatfront/nn/optimiser.h"

namespace heatfront {
namespace {

constexpr int kSteps = 40;
constexpr double kRate = 0.05;
constexpr std::int64_t kFewestLabels = 32, kMostLabels = 256;  // that the weights are learned from
constexpr std::int64_t kMostHeld = std::int64_t{1} << 22;      // numbers of a state
constexpr std::uint64_t kFirstSimilarity = 0;                  // seed

// |L| × |L| in double precision, where |L| is a few hundred.
struct Square {
  explicit Square(std::int64_t n) : size(n), values(at(n * n)) {}
  double& operator()(std::int64_t i, std::int64_t j) { return values[at(i * size + j)]; }
  BasicMatrixView<double> view() { return {values.data(), size, size, size}; }

  std::int64_t size;
  std::vector<double> values;
};

struct ErrorAt {
  double value = std::numeric_limits<double>::quiet_NaN();
  Matrix d_rows;  // ∂L/∂Z_L = B Z_L: B (|L|, |L|), symmetric
};

// From Z_L Z_Lᵀ.
ErrorAt error_of(const Matrix& gram, const Matrix& targets, double ridge) {
  const std::int64_t n = gram.rows(), classes = targets.cols();
  double kappa = 0;
  for (std::int64_t i = 0; i < n; ++i) kappa += static_cast<double>(gram(i, i)) / static_cast<double>(n);
  ErrorAt result;
  if (!(kappa > 0 && std::isfinite(kappa))) return result;
  Square k(n), factor(n), x(n), g(n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) factor(i, j) = k(i, j) = static_cast<double>(gram(i, j)) / kappa;
    factor(i, i) += ridge;
  }
  if (!invert_factor(factor.view(), x.view())) return result;
  for (std::int64_t l = 0; l < n; ++l) {  // G = Xᵀ X
    for (std::int64_t i = 0; i <= l; ++i)
      for (std::int64_t j = 0; j <= l; ++j) g(i, j) += x(l, i) * x(l, j);
  }

  const auto count = at(n * classes);
  const auto entry = [&](std::int64_t i, std::int64_t c) { return at(i * classes + c); };
  std::vector<double> alpha(count), u(count), g_u(count), v(at(n));
  result.value = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t c = 0; c < classes; ++c) {
      for (std::int64_t j = 0; j < n; ++j) alpha[entry(i, c)] += g(i, j) * static_cast<double>(targets(j, c));
      const double e = alpha[entry(i, c)] / g(i, i);
      result.value += e * e;
      u[entry(i, c)] = 2 * e / g(i, i);
      v[at(i)] -= 2 * e * e / g(i, i);
    }
  }
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t c = 0; c < classes; ++c) g_u[entry(i, c)] += g(i, j) * u[entry(j, c)];

  Square s(n);
  double along = 0;  // ⟨S, K⟩
  for (std::int64_t l = 0; l < n; ++l) {
    for (std::int64_t i = 0; i < n; ++i) {
      const double share = v[at(l)] * g(l, i);
      for (std::int64_t j = 0; j < n; ++j) s(i, j) -= share * g(l, j);
    }
  }
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t c = 0; c < classes; ++c)
        s(i, j) -= (g_u[entry(i, c)] * alpha[entry(j, c)] + alpha[entry(i, c)] * g_u[entry(j, c)]) / 2;
      along += s(i, j) * k(i, j);
    }
  }
  result.d_rows = padded_matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j)
      result.d_rows(i, j) =
          static_cast<Real>(2 / kappa * (s(i, j) - (i == j ? along / static_cast<double>(n) : 0)));
  }
  return result;
}

// Of at most so many labels, taken evenly by their order, every second one, and the others.
std::pair<KnownLabels, KnownLabels> halves(const KnownLabels& known, std::size_t most) {
  std::pair<KnownLabels, KnownLabels> result;
  const std::size_t all = known.nodes.size(), count = std::min(all, most);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = i * all / count;
    KnownLabels& half = i % 2 == 0 ? result.first : result.second;
    half.nodes.push_back(known.nodes[place]);
    half.classes.push_back(known.classes[place]);
  }
  return result;
}

Matrix indicators(NodeId nodes, std::span<const NodeId> labelled) {
  Matrix result = padded_matrix(nodes, std::ssize(labelled));
  for (std::size_t i = 0; i < labelled.size(); ++i) result(labelled[i], static_cast<std::int64_t>(i)) = 1;
  return result;
}

}  // namespace

LeftOutError::LeftOutError(const Dataset& dataset, const FrontFeatures& features, const KnownLabels& known,
                           double ridge, const FlowOptions& flow, Threads& threads)
    : features_(features),
      ridge_(ridge),
      threads_(threads),
      targets_(front_targets(known, dataset.classes()).matrix()),
      start_(indicators(dataset.nodes(), known.nodes)),
      pairs_(dataset.graph),
      flow_(dataset.graph, dataset.weights, flow, threads),
      d_operator_(flow_.zero_gradient()) {}

double LeftOutError::at_weights(std::span<const Real> weights) {
  flow_.set_weights(weights);
  Matrix end = start_;
  products_ += flow_.forward(end, &trace_).products;
  const Matrix rows = features_.transposed_times(end, threads_);  // Z_Lᵀ (d, |L|)
  Matrix gram = padded_matrix(rows.cols(), rows.cols());
  multiply_by_itself(rows, gram, threads_);
  const ErrorAt error = error_of(gram, targets_, ridge_);
  if (std::isnan(error.value)) return error.value;

  Matrix d_rows = padded_matrix(rows.rows(), rows.cols());
  multiply(rows, error.d_rows, d_rows, threads_);
  const Matrix d_end = features_.times(d_rows, threads_);
  Matrix d_start = d_end;
  products_ += flow_.backward(trace_, d_start, &d_operator_).products;
  flow_.weight_gradient(d_operator_, start_, d_start, end, d_end, pairs_, d_weights_);
  return error.value;
}

LearnedWeights learn_edge_weights(const Dataset& dataset, const FrontFeatures& features,
                                  const FrontSetting& setting, const KnownLabels& known,
                                  const FlowOptions& flow, Threads& threads) {
  const std::int64_t most =
      std::clamp(kMostHeld / std::max<std::int64_t>(1, dataset.nodes()), kFewestLabels, kMostLabels);
  const auto [learning, judging] = halves(known, at(2 * most));
  LearnedWeights result;
  if (judging.nodes.empty()) return result;
  LeftOutError error(dataset, features, learning, setting.ridge, flow, threads);
  LeftOutError judge(dataset, features, judging, setting.ridge, flow, threads);
  result.first_error = result.error = judge.at_weights(dataset.weights);

  const SimilarityAxes axes = similarity_axes(dataset, threads);
  ParameterLayout layout;
  Similarity similarity(dataset, compared_features(axes, dataset, threads), layout, threads);
  ParameterBlock parameters = layout.zeros(), gradient = layout.zeros();
  similarity.initialise(Random(kFirstSimilarity), parameters);
  const auto optimiser = make_optimiser({.learning_rate = kRate, .weight_decay = 0}, layout.size());
  const std::vector<DecayRange> all = {{.begin = 0, .end = layout.size()}};
  std::vector<Real> weights(dataset.graph.targets().size());
  for (int step = 0; step < kSteps; ++step) {
    similarity.forward(parameters, weights);
    if (const double value = judge.at_weights(weights); value < result.error) {
      result.error = value;
      result.weights = weights;
      result.matrices = named_matrices(layout, parameters);
    }
    if (std::isnan(error.at_weights(weights))) break;
    similarity.backward(parameters, weights, error.gradient(), gradient);
    optimiser->step(all, gradient, parameters, threads);
  }
  if (!result.weights.empty()) keep(axes, result.matrices);
  result.products = error.products() + judge.products();
  return result;
}

}  // namespace heatfront
