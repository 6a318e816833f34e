// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/linear_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"

namespace heatfront {
namespace {

constexpr std::size_t kManyChanges = 16;       // at once: from here on it is fitted anew
constexpr std::size_t kMostChangesKept = 128;  // one after the other, before it is fitted anew

Real as_real(double value) { return static_cast<Real>(value); }

std::vector<KernelSetting> kernels_of(std::span<const FittedFront> fronts) {
  std::vector<KernelSetting> result;
  for (const FittedFront& front : fronts) result.push_back(front.setting.kernel);
  return result;
}

double column_dot(ConstMatrixView a, ConstMatrixView b, std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.rows; ++k)
    sum += static_cast<double>(a(k, column)) * static_cast<double>(b(k, column));
  return sum;
}

}  // namespace

LinearFit::LinearFit(const Dataset& dataset, std::span<const Real> weights, std::vector<FittedFront> fronts,
                     const FlowOptions& flow, Threads& threads)
    : dataset_(dataset), threads_(threads), kernels_(dataset, weights, kernels_of(fronts), flow, threads) {
  for (std::size_t k = 0; k < fronts.size(); ++k) {
    fronts_.push_back({fronts[k].kappa, fronts[k].setting.ridge, fronts[k].weight, {}});
    for (NodeId u = 0; u < dataset.nodes() && fronts[k].setting.kernel.time > 0; ++u) {
      const double square = dataset.graph.degree(u) == 0 ? kernels_.features(k).square_of(u) : 0;
      if (square > fronts[k].kappa) fronts_[k].lone[u] = std::sqrt(fronts[k].kappa / square);
    }
  }
}

LinearFit::Changes LinearFit::changes(const FrontTargets& before, const FrontTargets& after) {
  Changes result;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) result[before.nodes[i]].before = before.row(i);
  for (std::size_t i = 0; i < after.nodes.size(); ++i) result[after.nodes[i]].after = after.row(i);
  std::erase_if(
      result, [](const auto& entry) { return std::ranges::equal(entry.second.before, entry.second.after); });
  return result;
}

void LinearFit::fit(FrontTargets targets, std::span<const Matrix> alphas) {
  known_ = std::move(targets);
  classes_ = static_cast<ClassId>(known_.columns);
  posteriors_.reset();
  assert(alphas.size() == fronts_.size());
  std::vector<Matrix> spread;
  for (const Matrix& alpha : alphas) {
    Matrix& state = spread.emplace_back(padded_matrix(dataset_.nodes(), classes_));
    for (std::size_t i = 0; i < known_.nodes.size(); ++i)
      std::ranges::copy(alpha.row(static_cast<std::int64_t>(i)), state.row(known_.nodes[i]).begin());
  }
  std::vector<Matrix> w = kernels_.to_features(std::move(spread));
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    fronts_[k].w = std::move(w[k]);
    scale(1 / fronts_[k].kappa, fronts_[k].w, threads_);
  }
  add_values();
}

void LinearFit::fit(FrontTargets targets) {
  try {
    fit_from_here(std::move(targets));
  } catch (...) {  // P, W and f may be of different labels
    posteriors_.reset();
    known_ = {};
    throw;
  }
}

void LinearFit::fit_from_here(FrontTargets targets) {
  Changes differences = changes(known_, targets);
  // Where what a label says has another length, or many say something else, all are fitted anew: P changes with those that come and go.
  const bool step_by_step = targets.columns == known_.columns && differences.size() < kManyChanges;
  if (!step_by_step)
    std::erase_if(differences, [](const auto& entry) {
      return !entry.second.before.empty() && !entry.second.after.empty();
    });
  const bool few = posteriors_ && differences.size() < kManyChanges &&
                   posteriors_->changes() + differences.size() <= kMostChangesKept;
  if (few) change_labels(differences, step_by_step);
  known_ = std::move(targets);
  classes_ = static_cast<ClassId>(known_.columns);
  if (few && step_by_step) return;
  if (!few) make_posteriors();
  fit_anew();
  add_values();
}

void LinearFit::make_posteriors() {
  std::vector<Posteriors::Ridge> ridges;
  for (const Front& front : fronts_) ridges.push_back({front.kappa, front.ridge});
  posteriors_.emplace(kernels_, std::move(ridges), known_.nodes, threads_);
}

void LinearFit::fit_anew() {
  std::vector<Matrix> w = posteriors_->fitted(known_.nodes, known_.matrix());
  for (std::size_t k = 0; k < fronts_.size(); ++k) fronts_[k].w = std::move(w[k]);
}

Matrix LinearFit::weighed_sum(std::span<const Matrix> of_fronts) const {
  Matrix sum = padded_matrix(dataset_.nodes(), of_fronts.front().cols());
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    add_scaled(fronts_[k].weight, of_fronts[k], sum, threads_);
    for (const auto& [u, factor] : fronts_[k].lone) {
      const auto from = of_fronts[k].row(u);
      for (std::size_t c = 0; c < from.size(); ++c)
        sum.row(u)[c] += as_real(fronts_[k].weight * (factor - 1) * static_cast<double>(from[c]));
    }
  }
  return sum;
}

void LinearFit::add_values() {
  std::vector<Matrix> w;
  for (const Front& front : fronts_) w.push_back(front.w);
  values_ = weighed_sum(kernels_.at_nodes(w));
}

// P changes, and where it refits, W and f.
void LinearFit::change_labels(const Changes& changes, bool refits) {
  if (changes.empty()) return;
  std::vector<NodeId> nodes;
  for (const auto& [node, change] : changes) nodes.push_back(node);
  const std::vector<Matrix> z = kernels_.rows(nodes);
  std::vector<Matrix> v = posteriors_->apply(z);
  std::vector<Matrix> steps;  // by front: how much each of these nodes moves W along v (nodes, C)
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    Front& front = fronts_[k];
    Matrix& step = steps.emplace_back(padded_matrix(std::ssize(nodes), classes_));
    const std::size_t changed_before = posteriors_->changes(k);
    std::int64_t j = 0;
    for (const auto& [node, change] : changes) {
      posteriors_->bring_up_to_date(k, posteriors_->changes(k) - changed_before, z[k], v[k], j);
      const bool comes = change.before.empty(), goes = change.after.empty();
      if (refits) {
        const double length = column_dot(z[k], v[k], j);
        const double unit = comes ? front.kappa + length : goes ? front.kappa - length : front.kappa;
        for (ClassId c = 0; c < classes_; ++c) {
          if (comes || goes) {
            double said = 0;  // z_uᵀ W
            for (std::int64_t i = 0; i < z[k].rows(); ++i)
              said += static_cast<double>(z[k](i, j)) * static_cast<double>(front.w(i, c));
            const double missing = (comes ? change.after : change.before)[at(c)] - said;
            step(j, c) = as_real((comes ? missing : -missing) / unit);
          } else {
            step(j, c) = as_real((change.after[at(c)] - change.before[at(c)]) / unit);
          }
        }
        for (std::int64_t i = 0; i < v[k].rows(); ++i)
          for (ClassId c = 0; c < classes_; ++c) front.w(i, c) += v[k](i, j) * step(j, c);
      }
      if (comes) posteriors_->add(k, z[k], v[k], j);
      if (goes) posteriors_->remove(k, z[k], v[k], j);
      ++j;
    }
  }
  if (!refits) return;
  std::vector<Matrix> moved = kernels_.at_nodes(v);  // (n, nodes)
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    Matrix change = padded_matrix(dataset_.nodes(), classes_);
    multiply(moved[k], steps[k], change, threads_);
    moved[k] = std::move(change);
  }
  add_scaled(1, weighed_sum(moved), values_, threads_);
}

Matrix LinearFit::values_without(const std::vector<std::size_t>& places) {
  if (!posteriors_) make_posteriors();
  const auto count = static_cast<std::int64_t>(places.size());
  std::vector<NodeId> nodes;
  for (std::size_t place : places) nodes.push_back(known_.nodes[place]);
  const std::vector<Matrix> z = kernels_.rows(nodes);  // (d, count)
  std::vector<Matrix> v = posteriors_->apply(z), w;
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    const Front& front = fronts_[k];
    Matrix inner = padded_matrix(count, count), said = padded_matrix(count, classes_);
    multiply_transposed(z[k], v[k], inner, threads_);
    multiply_transposed(z[k], front.w, said, threads_);
    std::vector<double> system(at(count * count)), inverse(system.size());
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t j = 0; j < count; ++j)
        system[at(i * count + j)] = (i == j ? front.kappa : 0) -
                                    (static_cast<double>(inner(i, j)) + static_cast<double>(inner(j, i))) / 2;
    if (!invert_factor(BasicMatrixView<double>{system.data(), count, count, count},
                       BasicMatrixView<double>{inverse.data(), count, count, count}))
      fail("{}: rounding leaves no answer without some of the labels; a larger ridge would", dataset_.name);
    // X'X (Y_F − Z_F W), column by column.
    Matrix step = padded_matrix(count, classes_);
    for (ClassId c = 0; c < classes_; ++c) {
      std::vector<double> half(at(count));
      for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j <= i; ++j)
          half[at(i)] += inverse[at(i * count + j)] *
                         (known_.row(places[at(j)])[at(c)] - static_cast<double>(said(j, c)));
      for (std::int64_t j = 0; j < count; ++j) {
        double sum = 0;
        for (std::int64_t i = j; i < count; ++i) sum += inverse[at(i * count + j)] * half[at(i)];
        step(j, c) = as_real(-sum);
      }
    }
    Matrix& without = w.emplace_back(front.w);
    add_product(v[k], step, without, threads_);
  }
  return weighed_sum(kernels_.at_nodes(w));
}

std::vector<LinearFit::Shares> LinearFit::shares_of(std::span<const NodeId> nodes) {
  if (!posteriors_) make_posteriors();
  std::vector<Shares> result(nodes.size());
  for (Shares& shares : result) {
    shares.labels.resize(known_.nodes.size());
    shares.own_front.resize(at(classes_));
  }
  std::vector<Matrix> z = kernels_.rows(nodes);  // (d, nodes)
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    std::vector<double> factors;
    for (NodeId u : nodes) factors.push_back(fronts_[k].factor_of(u));
    if (!fronts_[k].lone.empty()) scale_columns(factors, z[k], threads_);
  }
  const std::vector<Matrix> heat = kernels_.at_nodes(posteriors_->apply(z));
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    const Front& front = fronts_[k];
    const FrontFeatures& features = kernels_.features(k);
    const Matrix before = features.times(front.w, threads_);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Shares& shares = result[i];
      const auto column = static_cast<std::int64_t>(i);
      for (std::size_t j = 0; j < shares.labels.size(); ++j)
        shares.labels[j] +=
            front.weight / front.kappa * static_cast<double>(heat[k](known_.nodes[j], column));
      for (ClassId c = 0; c < classes_; ++c)
        shares.own_front[at(c)] +=
            as_real(front.weight * front.factor_of(nodes[i]) * static_cast<double>(before(nodes[i], c)));
      Matrix& attributes = features.of_data() ? shares.attributes : shares.places;
      if (attributes.rows() == 0) attributes = Matrix(features.attributes(), classes_);
      Matrix parts(z[k].rows(), classes_);
      for (std::int64_t d = 0; d < z[k].rows(); ++d) {
        for (ClassId c = 0; c < classes_; ++c)
          parts(d, c) = as_real(front.weight * static_cast<double>(z[k](d, column)) *
                                static_cast<double>(front.w(d, c)));
      }
      features.add_by_attribute(parts, attributes);
    }
  }
  return result;
}

Matrix LinearFit::influence(std::span<const NodeId> nodes) {
  if (!posteriors_) make_posteriors();
  const std::vector<Matrix> z = kernels_.rows(nodes);
  std::vector<Matrix> v = posteriors_->apply(z);
  for (std::size_t k = 0; k < fronts_.size(); ++k) {
    std::vector<double> factors;
    for (std::int64_t j = 0; j < z[k].cols(); ++j)
      factors.push_back(1 / (fronts_[k].kappa + column_dot(z[k], v[k], j)));
    scale_columns(factors, v[k], threads_);
  }
  return weighed_sum(kernels_.at_nodes(v));
}

}  // namespace heatfront
