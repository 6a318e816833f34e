// SPDX-License-Identifier: MIT
#include "heatfront/models/front_reasons.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/models/features.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::int64_t kFewestSteps = 256, kMostSteps = 16'384;
constexpr double kEnough = 1e-4;  // of the larger of F(x) − F(0) and 1

const Matrix* matrix_called(const TrainedModel& model, const std::string& name) {
  const auto found = std::ranges::find(model.network, name, &NamedMatrix::name);
  return found == model.network.end() ? nullptr : &found->values;
}

}  // namespace

double FrontReasons::Output::of(std::span<const double> row) const {
  return row[at(label)] - (second == label ? 0 : row[at(second)]);
}

FrontReasons::FrontReasons(const TrainedModel& model, NetworkInput input, std::vector<Layer> layers)
    : model_(model), input_(std::move(input)), layers_(std::move(layers)) {
  const HeatFrontOptions options = model.heat_front_options();
  elu_ = options.network.activation == "elu";
  columns_are_nodes_ = resolve_features(options.features, model.data) == "neighbourhood";
}

std::optional<FrontReasons> FrontReasons::of(const TrainedModel& model) {
  if (model.model != kHeatFront) return std::nullopt;
  const HeatFrontOptions options = model.heat_front_options();
  const std::string view = resolve_features(options.features, model.data);
  if (view != "neighbourhood" && !model.data.features.present()) return std::nullopt;
  NetworkInput input = network_input(view, model.data);
  std::vector<Layer> layers;
  std::int64_t width = input.cols();
  for (std::size_t k = 1; k <= options.network.hidden.size() + 1; ++k) {
    const Matrix* const weight = matrix_called(model, fmt::format("layer{}.weight", k));
    const Matrix* const bias = matrix_called(model, fmt::format("layer{}.bias", k));
    if (weight == nullptr || bias == nullptr || weight->rows() != width || bias->rows() != 1 ||
        bias->cols() != weight->cols())
      return std::nullopt;
    width = weight->cols();
    layers.push_back({weight, bias});
  }
  if (width != model.front.cols()) return std::nullopt;
  return FrontReasons(model, std::move(input), std::move(layers));
}

std::vector<FrontPart> FrontReasons::row_of(NodeId u) const {
  std::vector<FrontPart> row;
  const InputView x = input_.view();
  if (x.is_sparse()) {
    for (std::int64_t k = x.sparse.begins[u]; k < x.sparse.ends[u]; ++k)
      row.push_back(
          {x.sparse.columns[k], x.sparse.values == nullptr ? 1.0 : static_cast<double>(x.sparse.values[k])});
    return row;
  }
  for (std::int64_t j = 0; j < x.cols(); ++j) {
    if (x.dense(u, j) != 0) row.push_back({j, static_cast<double>(x.dense(u, j))});
  }
  return row;
}

// F of z_1 and, where it is asked for, ∂F/∂z_1 added to `slope`.
double FrontReasons::lead_at(std::vector<double> z, const Output& output, std::vector<double>* slope) const {
  std::vector<std::vector<double>> before;  // z_1, z_2, … of the hidden layers
  for (std::size_t k = 1; k < layers_.size(); ++k) {
    const auto& [weight, bias] = layers_[k];
    std::vector<double> next(at(weight->cols()));
    for (std::size_t c = 0; c < next.size(); ++c) next[c] = static_cast<double>(bias->row(0)[c]);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double a = z[i] > 0 ? z[i] : elu_ ? std::expm1(z[i]) : 0;
      if (a == 0) continue;
      const auto row = weight->row(static_cast<std::int64_t>(i));
      for (std::size_t c = 0; c < next.size(); ++c) next[c] += a * static_cast<double>(row[c]);
    }
    before.push_back(std::exchange(z, std::move(next)));
  }
  if (slope == nullptr) return output.of(z);
  std::vector<double> d(z.size());
  d[at(output.label)] += 1;
  if (output.second != output.label) d[at(output.second)] -= 1;
  for (std::size_t k = layers_.size() - 1; k > 0; --k) {
    const std::vector<double>& hidden = before[k - 1];
    std::vector<double> below(hidden.size());
    for (std::size_t i = 0; i < hidden.size(); ++i) {
      const double steepness = hidden[i] > 0 ? 1 : elu_ ? std::exp(hidden[i]) : 0;
      if (steepness == 0) continue;
      const auto row = layers_[k].weight->row(static_cast<std::int64_t>(i));
      for (std::size_t c = 0; c < d.size(); ++c) below[i] += steepness * d[c] * static_cast<double>(row[c]);
    }
    d = std::move(below);
  }
  for (std::size_t i = 0; i < d.size(); ++i) (*slope)[i] += d[i];
  return output.of(z);
}

// ∫ ∂F/∂z_1 dα without a hidden layer, and with one of relu: unit i then counts for as long as b_i + α s_i > 0.
std::vector<double> FrontReasons::exact_slope(std::span<const double> start, std::span<const double> path,
                                              const Output& output) const {
  std::vector<double> slope(start.size());
  for (std::size_t i = 0; i < slope.size(); ++i) {
    if (layers_.size() == 1) {
      slope[i] =
          (i == at(output.label) ? 1 : 0) - (output.second != output.label && i == at(output.second) ? 1 : 0);
      continue;
    }
    const auto row = layers_[1].weight->row(static_cast<std::int64_t>(i));
    const double crossing = path[i] == 0 ? 1 : std::clamp(-start[i] / path[i], 0.0, 1.0);
    const double share = path[i] > 0 ? 1 - crossing : path[i] < 0 || start[i] > 0 ? crossing : 0;
    slope[i] = share * output.of(std::vector<double>(row.begin(), row.end()));
  }
  return slope;
}

// The same by the midpoints of equal steps, as many as it takes.
std::vector<double> FrontReasons::summed_slope(const std::function<std::vector<double>(double)>& along,
                                               std::span<const double> path, double gain,
                                               const Output& output) const {
  std::vector<double> slope;
  for (std::int64_t steps = kFewestSteps;; steps *= 2) {
    slope.assign(path.size(), 0);
    double sum = 0;
    for (std::int64_t s = 0; s < steps; ++s)
      lead_at(along((static_cast<double>(s) + 0.5) / static_cast<double>(steps)), output, &slope);
    for (std::size_t i = 0; i < slope.size(); ++i) {
      slope[i] /= static_cast<double>(steps);
      sum += slope[i] * path[i];
    }
    const bool enough = std::abs(sum - gain) <= kEnough * std::max(1.0, std::abs(gain));
    if (enough || steps >= kMostSteps) return slope;
  }
}

FrontParts FrontReasons::parts(NodeId u, ClassId label, ClassId second) const {
  require_ids("front reasons: node", std::span(&u, 1), 0, model_.data.nodes());
  const auto front = model_.front.row(u);
  const auto lowest = static_cast<ClassId>(std::ranges::min_element(front) - front.begin());
  const auto learned = [&](ClassId c) { return c < model_.front.cols() ? c : lowest; };
  const Output output{learned(label), label == second ? learned(label) : learned(second)};
  const bool tied = label != second && output.label == output.second;  // of which nothing was learned
  FrontParts result;
  if (tied) return result;

  const std::vector<FrontPart> x = row_of(u);
  const Matrix& weight = *layers_.front().weight;
  const auto bias = layers_.front().bias->row(0);
  const std::vector<double> start(bias.begin(), bias.end());
  std::vector<double> path(start.size());  // xW
  for (const FrontPart& entry : x) {
    for (std::size_t i = 0; i < path.size(); ++i)
      path[i] += entry.lead * static_cast<double>(weight(entry.column, static_cast<std::int64_t>(i)));
  }
  const auto along = [&](double alpha) {
    std::vector<double> z = start;
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += alpha * path[i];
    return z;
  };
  result.at_zero = lead_at(start, output, nullptr);
  const std::vector<double> slope =
      layers_.size() <= 2 && !elu_
          ? exact_slope(start, path, output)
          : summed_slope(along, path, lead_at(along(1), output, nullptr) - result.at_zero, output);
  double sum = result.at_zero;
  for (const FrontPart& entry : x) {
    double part = 0;
    for (std::size_t i = 0; i < slope.size(); ++i)
      part += slope[i] * static_cast<double>(weight(entry.column, static_cast<std::int64_t>(i)));
    result.parts.push_back({entry.column, entry.lead * part});
    sum += entry.lead * part;
  }
  const std::vector<double> row(front.begin(), front.end());
  result.lead = output.of(row);
  result.residual = std::abs(result.lead - sum);
  return result;
}

}  // namespace heatfront
