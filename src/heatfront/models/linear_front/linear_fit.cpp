// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/linear_fit.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"

namespace heatfront {
namespace {

constexpr std::size_t kManyChanges = 16;  // from here on it is fitted anew

Real as_real(double value) { return static_cast<Real>(value); }

// y ← y + a x, entry by entry.
void add_to(double a, ConstMatrixView x, MatrixView y) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const auto from = x.row(i);
    const auto to = y.row(i);
    for (std::size_t c = 0; c < from.size(); ++c) to[c] += as_real(a * static_cast<double>(from[c]));
  }
}

double column_dot(ConstMatrixView a, ConstMatrixView b, std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.rows; ++k)
    sum += static_cast<double>(a(k, column)) * static_cast<double>(b(k, column));
  return sum;
}

// What a node is told; empty: nothing.
struct Change {
  std::span<const double> before, after;
};

std::map<NodeId, Change> changes(const FrontTargets& before, const FrontTargets& after) {
  std::map<NodeId, Change> result;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) result[before.nodes[i]].before = before.row(i);
  for (std::size_t i = 0; i < after.nodes.size(); ++i) result[after.nodes[i]].after = after.row(i);
  std::erase_if(
      result, [](const auto& entry) { return std::ranges::equal(entry.second.before, entry.second.after); });
  return result;
}

}  // namespace

struct LinearFit::Front {
  std::size_t place;  // among those given
  double ridge, kappa, weight;
  std::unique_ptr<Posterior> posterior;
  Matrix w;  // (d, C)
};

struct LinearFit::Kernel {
  KernelSetting setting;
  const FrontFeatures& features;
  FrontKernel z;
  std::vector<Front> fronts;
  std::map<NodeId, double> lone = {};  // nodes without edges whose rows are shortened, and by what factor

  double factor_of(NodeId u) const {
    const auto found = lone.find(u);
    return found == lone.end() ? 1 : found->second;
  }
};

LinearFit::~LinearFit() = default;

LinearFit::LinearFit(const Dataset& dataset, std::span<const Real> weights, std::vector<FittedFront> fronts,
                     const FlowOptions& flow, Threads& threads)
    : dataset_(dataset), threads_(threads), fronts_(fronts.size()) {
  for (const FittedFront& front : fronts) {
    if (std::ranges::count(views_, front.setting.kernel.features) == 0)
      views_.push_back(front.setting.kernel.features);
  }
  for (const std::string& view : views_) features_.emplace_back(view, dataset);
  for (std::size_t place = 0; place < fronts.size(); ++place) {
    const FittedFront& front = fronts[place];
    const KernelSetting& setting = front.setting.kernel;
    auto found =
        std::ranges::find_if(kernels_, [&](const auto& kernel) { return kernel->setting == setting; });
    if (found == kernels_.end()) {
      FlowOptions own = flow;
      own.time = setting.time;
      own.laplacian.self_loop = setting.self_loop;
      const FrontFeatures& features =
          features_[at(std::ranges::find(views_, setting.features) - views_.begin())];
      kernels_.push_back(std::unique_ptr<Kernel>(
          new Kernel{setting, features, FrontKernel(dataset, weights, features, own, threads), {}}));
      found = kernels_.end() - 1;
      for (NodeId u = 0; u < dataset.nodes() && setting.time > 0; ++u) {
        const double square = dataset.graph.degree(u) == 0 ? features.square_of(u) : 0;
        if (square > front.kappa) (*found)->lone[u] = std::sqrt(front.kappa / square);
      }
    }
    (*found)->fronts.push_back({place, front.setting.ridge, front.kappa, front.weight, nullptr, {}});
  }
}

// Kernels side by side: flows of few columns are too short to be shared out among threads.
template <class Body>
void LinearFit::for_kernels(const Body& body) {
  threads_.for_blocks(std::ssize(kernels_), 1,
                      [&](std::int64_t k, std::int64_t) { body(*kernels_[at(k)], at(k)); });
}

std::int64_t LinearFit::products() const {
  std::int64_t sum = 0;
  for (const auto& kernel : kernels_) sum += kernel->z.products();
  return sum;
}

void LinearFit::fit(FrontTargets targets, std::span<const Matrix> alphas) {
  known_ = std::move(targets);
  classes_ = static_cast<ClassId>(known_.columns);
  has_posteriors_ = false;
  assert(alphas.size() == fronts_);
  for (const auto& kernel : kernels_) {
    for (Front& front : kernel->fronts) {
      const Matrix& alpha = alphas[front.place];
      Matrix spread = padded_matrix(dataset_.nodes(), classes_);
      for (std::size_t i = 0; i < known_.nodes.size(); ++i)
        std::ranges::copy(alpha.row(static_cast<std::int64_t>(i)), spread.row(known_.nodes[i]).begin());
      front.w = kernel->z.to_features(std::move(spread));
      scale(1 / front.kappa, front.w, threads_);
    }
  }
  add_values();
}

void LinearFit::fit(FrontTargets targets) {
  const std::map<NodeId, Change> differences = changes(known_, targets);
  const bool few = has_posteriors_ && differences.size() < kManyChanges;
  if (few && targets.columns == known_.columns) {
    for (const auto& [node, change] : differences) change_label(node, change.before, change.after);
    known_ = std::move(targets);
  } else {
    const bool same = known_.nodes == targets.nodes && known_.classes == targets.classes;
    known_ = std::move(targets);
    classes_ = static_cast<ClassId>(known_.columns);
    if (!(has_posteriors_ && same)) make_posteriors();
    fit_anew();
  }
  add_values();
}

void LinearFit::make_posteriors() {
  for_kernels([&](Kernel& kernel, std::size_t) {
    for (Front& front : kernel.fronts)
      front.posterior = make_posterior(kernel.z, front.kappa, front.ridge, known_.nodes, threads_);
  });
  has_posteriors_ = true;
}

void LinearFit::fit_anew() {
  const Matrix targets = known_.matrix();
  for_kernels([&](Kernel& kernel, std::size_t) {
    Matrix spread = padded_matrix(dataset_.nodes(), classes_);
    for (std::size_t i = 0; i < known_.nodes.size(); ++i)
      std::ranges::copy(targets.row(static_cast<std::int64_t>(i)), spread.row(known_.nodes[i]).begin());
    const Matrix right = kernel.z.to_features(std::move(spread));
    for (Front& front : kernel.fronts) {
      front.w = front.posterior->apply(right);
      scale(1 / front.kappa, front.w, threads_);
    }
  });
}

Matrix LinearFit::values_of(Kernel& kernel, ConstMatrixView w) const {
  Matrix values = kernel.z.at_nodes(w);
  for (const auto& [u, factor] : kernel.lone)
    for (Real& value : values.row(u)) value = as_real(factor * static_cast<double>(value));
  return values;
}

void LinearFit::add_values() {
  std::vector<Matrix> parts(kernels_.size());
  for_kernels([&](Kernel& kernel, std::size_t k) {
    Matrix sum = padded_matrix(kernel.z.features(), classes_);
    for (const Front& front : kernel.fronts) add_to(front.weight, front.w, sum);
    parts[k] = values_of(kernel, sum);
  });
  values_ = padded_matrix(dataset_.nodes(), classes_);
  for (const Matrix& part : parts) add_scaled(1, part, values_, threads_);
}

void LinearFit::change_label(NodeId u, std::span<const double> before, std::span<const double> after) {
  for_kernels([&](Kernel& kernel, std::size_t) {
    const Matrix z = kernel.z.rows(std::span(&u, 1));
    for (Front& front : kernel.fronts) {
      const Matrix v = front.posterior->apply(z);
      const double length = column_dot(z, v, 0);
      const bool comes = before.empty(), goes = after.empty();
      const double unit = comes ? front.kappa + length : goes ? front.kappa - length : front.kappa;
      std::vector<double> step(at(classes_));
      for (ClassId c = 0; c < classes_; ++c) {
        if (comes || goes) {
          double said = 0;  // z_uᵀ W
          for (std::int64_t k = 0; k < z.rows(); ++k)
            said += static_cast<double>(z(k, 0)) * static_cast<double>(front.w(k, c));
          const double missing = (comes ? after : before)[at(c)] - said;
          step[at(c)] = (comes ? missing : -missing) / unit;
        } else {
          step[at(c)] = (after[at(c)] - before[at(c)]) / unit;
        }
      }
      for (std::int64_t k = 0; k < v.rows(); ++k) {
        for (ClassId c = 0; c < classes_; ++c)
          front.w(k, c) += as_real(static_cast<double>(v(k, 0)) * step[at(c)]);
      }
      if (comes) front.posterior->add(u, z, v);
      if (goes) front.posterior->remove(u, z, v);
    }
  });
}

Matrix LinearFit::values_without(const std::vector<std::size_t>& places) {
  if (!has_posteriors_) make_posteriors();
  const auto count = static_cast<std::int64_t>(places.size());
  std::vector<NodeId> nodes;
  for (std::size_t place : places) nodes.push_back(known_.nodes[place]);
  Matrix result = padded_matrix(dataset_.nodes(), classes_);
  for (const auto& kernel : kernels_) {
    const Matrix z = kernel->z.rows(nodes);  // (d, count)
    Matrix mean = padded_matrix(z.rows(), classes_);
    for (const Front& front : kernel->fronts) {
      const Matrix v = front.posterior->apply(z);
      Matrix inner = padded_matrix(count, count), said = padded_matrix(count, classes_);
      multiply_transposed(z, v, inner, threads_);
      multiply_transposed(z, front.w, said, threads_);
      std::vector<double> system(at(count * count)), inverse(system.size());
      for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < count; ++j)
          system[at(i * count + j)] =
              (i == j ? front.kappa : 0) -
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
      Matrix w = padded_matrix(z.rows(), classes_);
      copy(front.w, w, threads_);
      add_product(v, step, w, threads_);
      add_to(front.weight, w, mean);
    }
    add_scaled(1, values_of(*kernel, mean), result, threads_);
  }
  return result;
}

std::vector<LinearFit::Shares> LinearFit::shares_of(std::span<const NodeId> nodes) {
  if (!has_posteriors_) make_posteriors();
  std::vector<Shares> result(nodes.size());
  for (Shares& shares : result) {
    shares.labels.resize(known_.nodes.size());
    shares.own_front.resize(at(classes_));
  }
  for (const auto& kernel : kernels_) {
    Matrix z = kernel->z.rows(nodes);  // (d, nodes)
    std::vector<double> factors;
    for (NodeId u : nodes) factors.push_back(kernel->factor_of(u));
    if (!kernel->lone.empty()) scale_columns(factors, z, threads_);
    Matrix pulls = padded_matrix(z.rows(), z.cols()), w = padded_matrix(z.rows(), classes_);
    for (const Front& front : kernel->fronts) {
      add_to(front.weight / front.kappa, front.posterior->apply(z), pulls);
      add_to(front.weight, front.w, w);
    }
    const Matrix heat = kernel->z.at_nodes(pulls);
    const Matrix before = kernel->features.times(w, threads_);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      Shares& shares = result[i];
      const auto column = static_cast<std::int64_t>(i);
      for (std::size_t j = 0; j < shares.labels.size(); ++j)
        shares.labels[j] += static_cast<double>(heat(known_.nodes[j], column));
      for (ClassId c = 0; c < classes_; ++c)
        shares.own_front[at(c)] += as_real(factors[i] * static_cast<double>(before(nodes[i], c)));
      Matrix& attributes = kernel->features.of_data() ? shares.attributes : shares.places;
      if (attributes.rows() == 0) attributes = Matrix(z.rows(), classes_);
      for (std::int64_t k = 0; k < z.rows(); ++k) {
        for (ClassId c = 0; c < classes_; ++c)
          attributes(k, c) += as_real(static_cast<double>(z(k, column)) * static_cast<double>(w(k, c)));
      }
    }
  }
  return result;
}

Matrix LinearFit::influence(std::span<const NodeId> nodes) {
  if (!has_posteriors_) make_posteriors();
  Matrix result = padded_matrix(dataset_.nodes(), std::ssize(nodes));
  for (const auto& kernel : kernels_) {
    const Matrix z = kernel->z.rows(nodes);
    Matrix mean = padded_matrix(z.rows(), z.cols());
    for (const Front& front : kernel->fronts) {
      Matrix v = front.posterior->apply(z);
      std::vector<double> factors;
      for (std::int64_t j = 0; j < z.cols(); ++j)
        factors.push_back(front.weight / (front.kappa + column_dot(z, v, j)));
      scale_columns(factors, v, threads_);
      add_to(1, v, mean);
    }
    add_scaled(1, values_of(*kernel, mean), result, threads_);
  }
  return result;
}

}  // namespace heatfront
