// SPDX-License-Identifier: MIT
#include "heatfront/nn/mlp.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/sparse_product.h"

namespace heatfront {

OptionFields fields(MlpOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the network's hidden layers", from_to(1, kMostUnits)},
          {"dropout", &options.dropout, "Share of each hidden layer dropped in a training step",
           from_to_below(0, 1)},
          {"activation", &options.activation, "Activation of the hidden layers", one_of_names(activations())},
          {"initialiser", &options.initialiser, "How the weights are drawn at the start",
           one_of_names(initialisers())}};
}

namespace {

using Hidden = Mlp::StepWorkspace::Hidden;

constexpr double kListBelow = 0.15;         // kept share below which a list is less work
constexpr std::int64_t kRowsInCache = 128;  // that go through all layers while they are in a cache

SparseView list_of(const Hidden& hidden, std::int64_t cols, const std::vector<Real>& values) {
  return {.rows = std::ssize(hidden.ends),
          .cols = cols,
          .begins = hidden.begins.data(),
          .ends = hidden.ends.data(),
          .columns = hidden.units.data(),
          .values = values.data()};
}

void column_sums(const SparseView& z, MatrixView sums) {
  std::fill_n(sums.data, sums.stride, Real(0));
  for (std::int64_t u = 0; u < z.rows; ++u) {
    for (std::int64_t k = z.begins[u]; k < z.ends[u]; ++k) sums.data[z.columns[k]] += z.values[k];
  }
}

}  // namespace

Mlp::Mlp(std::int64_t in, std::int64_t out, const MlpOptions& options, ParameterLayout& layout,
         std::string_view prefix)
    : activation_(activation_named(checked(options, "network").activation)),
      initialiser_(initialiser_named(options.initialiser)) {
  const bool one_for_all = options.dropout.size() == 1;
  if (!one_for_all && options.dropout.size() != options.hidden.size()) {
    fail("dropout has {} shares, but there are {} hidden layers; give one for each, or one for all",
         options.dropout.size(), options.hidden.size());
  }
  for (std::size_t k = 0; k <= options.hidden.size(); ++k) {
    const bool last = k == options.hidden.size();
    const std::int64_t width = last ? out : options.hidden[k];
    const double share = last ? 0 : options.dropout[one_for_all ? 0 : k];
    Layer layer{.linear = Linear(fmt::format("{}layer{}", prefix, k + 1), in, width, Bias::yes, layout),
                .dropout = Dropout(share)};
    layer.listed = !last && layer.dropout.keep() < kListBelow && (k == 0 || !layers_.back().listed);
    layers_.push_back(layer);
    in = width;
  }
}

void Mlp::initialise(const Random& random, std::span<Real> parameters) const {
  for (std::size_t k = 0; k < layers_.size(); ++k)
    layers_[k].linear.initialise(initialiser_, random, 2 * k, parameters);
}

void Mlp::enter(const InputView& x, std::span<const Real> parameters, MatrixView z, Threads& threads) const {
  layers_.front().linear.forward(x, parameters, z, threads);
}

Mlp::JudgeWorkspace Mlp::judge_workspace(std::int64_t rows) const {
  JudgeWorkspace work;
  for (std::size_t k = 0; k < hidden_layers(); ++k)
    work.activations.push_back(spread_matrix(rows, layers_[k].linear.out()));
  return work;
}

Mlp::StepWorkspace Mlp::step_workspace(std::int64_t rows, std::span<const NodeId> ids) const {
  StepWorkspace work;
  work.ids = ids;
  for (std::size_t k = 0; k < hidden_layers(); ++k) {
    const Parameter& weight = layers_[k].linear.weight();
    Hidden hidden;
    if (layers_[k].listed) {
      for (std::int64_t u = 0; u < rows; ++u) hidden.begins.push_back(u * padded_width(weight.cols));
      hidden.ends = hidden.begins;
      hidden.units.resize(at(rows * padded_width(weight.cols)));
      hidden.values.resize(hidden.units.size());
      hidden.d_values.resize(hidden.units.size());
      hidden.weight_transposed = spread_matrix(weight.cols, weight.rows);
      hidden.d_weight_transposed = spread_matrix(weight.cols, weight.rows);
    } else {
      hidden.a = spread_matrix(rows, weight.cols);
      hidden.d = spread_matrix(rows, weight.cols);
    }
    work.hidden.push_back(std::move(hidden));
  }
  return work;
}

void Mlp::judge(ConstMatrixView z, std::span<const Real> parameters, JudgeWorkspace& work, MatrixView out,
                Threads& threads) const {
  if (hidden_layers() == 0) return copy(z, out, threads);
  threads.for_blocks(z.rows, kRowsInCache, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      const ConstMatrixView bias = layers_[k].linear.bias().in(parameters);
      const MatrixView a = (k < hidden_layers() ? work.activations[k].view() : out).rows_between(begin, end);
      if (k > 0)
        multiply_here(work.activations[k - 1].view().rows_between(begin, end),
                      layers_[k].linear.weight().in(parameters), a);
      if (k == hidden_layers()) {
        add_to_rows(bias.row(0), a);
        continue;
      }
      if (k > 0) add_to_rows(bias.row(0), a);
      for (std::int64_t u = 0; u < a.rows; ++u) {
        Real* row = a.data + u * a.stride;
        const Real* from = k == 0 ? z.data + (begin + u) * z.stride : row;
        activate_row(activation_, from, row, a.stride);
      }
    }
  });
}

// a ← σ(factor·(z + bias)); an empty bias is none.
void Mlp::activate_layer(std::size_t k, ConstMatrixView z, std::span<const Real> bias, StepWorkspace& work,
                         Threads& threads) const {
  const MatrixView a = work.hidden[k].a;
  const Random random = Random(work.dropout_seed).part(k);
  threads.for_blocks(a.rows, rows_at_once(a.rows, 2 * a.stride), [&](std::int64_t begin, std::int64_t end) {
    std::array<Real, 1024> buffer;
    std::vector<Real> wide(a.stride > 1024 ? at(a.stride) : 0);
    const std::span<Real> factors =
        wide.empty() ? std::span<Real>(buffer).first(at(a.stride)) : std::span<Real>(wide);
    for (std::int64_t u = begin; u < end; ++u) {
      layers_[k].dropout.factors(random, work.id_of(u), factors);
      const Real* from = z.data + u * z.stride;
      Real* row = a.data + u * a.stride;
      if (!bias.empty()) {
        if (from != row) std::copy_n(from, a.stride, row);
        add_row(bias.data(), row, a.stride);
        from = row;
      }
      activate_row(activation_, from, factors.data(), row, a.stride);
    }
  });
}

// The units that dropout keeps.
void Mlp::list_units(std::size_t k, StepWorkspace& work, Threads& threads) const {
  Hidden& hidden = work.hidden[k];
  const std::int64_t width = layers_[k].linear.out(), rows = std::ssize(hidden.begins);
  const Random random = Random(work.dropout_seed).part(k);
  threads.for_blocks(rows, rows_at_once(rows, width), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const std::int64_t first = hidden.begins[at(u)];
      hidden.ends[at(u)] =
          first + layers_[k].dropout.kept(random, work.id_of(u), width, hidden.units.data() + first);
    }
  });
}

// value ← σ(scale·(value + bias)); units that come out as zero leave the list where σ is flat there.
void Mlp::activate_list(std::size_t k, std::span<const Real> bias, StepWorkspace& work,
                        Threads& threads) const {
  Hidden& hidden = work.hidden[k];
  const Real scale = layers_[k].dropout.scale();
  const std::int64_t rows = std::ssize(hidden.begins);
  threads.for_blocks(rows, rows_at_once(rows, 16), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      std::int64_t place = hidden.begins[at(u)];
      for (std::int64_t i = place; i < hidden.ends[at(u)]; ++i) {
        const std::int32_t unit = hidden.units[at(i)];
        const Real z = bias.empty() ? hidden.values[at(i)] : hidden.values[at(i)] + bias[at(unit)];
        const Real a = activate(activation_, scale * z);
        hidden.units[at(place)] = unit;
        hidden.values[at(place)] = a;
        place += slope_at(activation_, a) != 0 ? 1 : 0;
      }
      hidden.ends[at(u)] = place;
    }
  });
}

void Mlp::forward(ConstMatrixView z, std::span<const Real> parameters, std::uint64_t seed,
                  StepWorkspace& work, MatrixView out, Threads& threads) const {
  work.dropout_seed = seed;
  if (hidden_layers() == 0) return copy(z, out, threads);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const ConstMatrixView weight = layers_[k].linear.weight().in(parameters),
                          bias = layers_[k].linear.bias().in(parameters);
    const std::span<const Real> bias_row =
        k == 0 ? std::span<const Real>() : std::span(bias.data, at(bias.stride));
    Hidden* const before = k == 0 ? nullptr : &work.hidden[k - 1];
    const bool last = k == hidden_layers();
    if (layers_[k].listed) {
      Hidden& hidden = work.hidden[k];
      list_units(k, work, threads);
      if (before == nullptr) {
        for (std::int64_t u = 0; u < z.rows; ++u) {
          for (std::int64_t i = hidden.begins[at(u)]; i < hidden.ends[at(u)]; ++i)
            hidden.values[at(i)] = z.data[u * z.stride + hidden.units[at(i)]];
        }
      } else {
        transpose(weight, hidden.weight_transposed, threads);
        dense_products_at(list_of(hidden, weight.cols, hidden.values), before->a, hidden.weight_transposed,
                          hidden.values.data(), threads);
      }
      activate_list(k, bias_row, work, threads);
      continue;
    }
    const MatrixView to = last ? out : work.hidden[k].a.view();
    if (before == nullptr) {
      activate_layer(k, z, {}, work, threads);
    } else if (layers_[k - 1].listed) {
      sparse_times_dense(list_of(*before, weight.rows, before->values), weight, bias_row, to, threads);
      if (!last) activate_layer(k, to, {}, work, threads);
    } else {
      multiply(before->a, weight, to, threads);
      if (last) {
        add_to_rows(bias.row(0), to);
      } else {
        activate_layer(k, to, bias_row, work, threads);
      }
    }
  }
}

// ∂L/∂W_k = a_{k−1}ᵀ dz and ∂L/∂b_k = Σ_u dz_u. dz is that of the list where the layer is one.
void Mlp::weight_gradient(std::size_t k, const InputView& x, StepWorkspace& work, ConstMatrixView dz,
                          std::span<Real> gradient, Threads& threads) const {
  const Layer& layer = layers_[k];
  const MatrixView d_weight = layer.linear.weight().in(gradient), d_bias = layer.linear.bias().in(gradient);
  const bool sparse_input = k == 0 ? x.is_sparse() : layers_[k - 1].listed;
  if (layer.listed) {
    Hidden& hidden = work.hidden[k];
    const SparseView list = list_of(hidden, layer.linear.weight().cols, hidden.d_values);
    column_sums(list, d_bias);
    if (sparse_input) return sparse_times_sparse(x.transposed, list, d_weight, threads);
    heatfront::transpose(list, work.transposed);
    sparse_times_dense(view_of(work.transposed), k == 0 ? x.dense : work.hidden[k - 1].a.view(), {},
                       hidden.d_weight_transposed, threads);
    return transpose(hidden.d_weight_transposed, d_weight, threads);
  }
  if (k == 0) return layer.linear.backward(x, dz, gradient, threads);
  column_sums(dz, d_bias, threads);
  if (sparse_input) {
    heatfront::transpose(list_of(work.hidden[k - 1], layer.linear.weight().rows, work.hidden[k - 1].values),
                         work.transposed);
    sparse_times_dense(view_of(work.transposed), dz, {}, d_weight, threads);
  } else {
    multiply_transposed(work.hidden[k - 1].a, dz, d_weight, threads);
  }
}

// ∂L/∂z_{k−1} = (dz W_kᵀ) ∘ σ'·scale, into the workspace of layer k−1.
void Mlp::input_gradient(std::size_t k, std::span<const Real> parameters, StepWorkspace& work,
                         ConstMatrixView dz, Threads& threads) const {
  const Layer& layer = layers_[k];
  Hidden& before = work.hidden[k - 1];
  const Real scale = layers_[k - 1].dropout.scale();
  if (layers_[k - 1].listed) {
    const SparseView list = list_of(before, layer.linear.weight().rows, before.values);
    dense_products_at(list, dz, layer.linear.weight().in(parameters), before.d_values.data(), threads);
    for (std::int64_t u = 0; u < list.rows; ++u) {
      for (std::int64_t i = list.begins[u]; i < list.ends[u]; ++i)
        before.d_values[at(i)] *= scale * slope_at(activation_, before.values[at(i)]);
    }
    return;
  }
  if (layer.listed) {
    const Hidden& hidden = work.hidden[k];
    sparse_times_dense(list_of(hidden, layer.linear.weight().cols, hidden.d_values), hidden.weight_transposed,
                       {}, before.d, threads);
  } else {
    multiply_by_transposed(dz, layer.linear.weight().in(parameters), before.d, threads);
  }
  const MatrixView d = before.d, a = before.a;
  const Random random = Random(work.dropout_seed).part(k - 1);
  threads.for_blocks(d.rows, rows_at_once(d.rows, d.stride), [&](std::int64_t begin, std::int64_t end) {
    std::vector<Real> factors(activation_ == Activation::relu ? 0 : at(d.stride));
    for (std::int64_t u = begin; u < end; ++u) {
      Real* row = d.data + u * d.stride;
      const Real* value = a.data + u * a.stride;
      if (activation_ == Activation::relu) {  // what was dropped is zero, and flat there
        relu_slope_row(value, scale, row, d.stride);
        continue;
      }
      layers_[k - 1].dropout.factors(random, work.id_of(u), factors);
      for (std::int64_t j = 0; j < d.stride; ++j) row[j] *= factors[at(j)] * slope_at(activation_, value[j]);
    }
  });
}

void Mlp::backward(const InputView& x, std::span<const Real> parameters, StepWorkspace& work,
                   ConstMatrixView d_out, std::span<Real> gradient, Threads& threads) const {
  for (std::size_t k = layers_.size(); k-- > 0;) {
    const ConstMatrixView dz = k == hidden_layers() ? d_out : work.hidden[k].d.view();
    weight_gradient(k, x, work, dz, gradient, threads);
    if (k > 0) input_gradient(k, parameters, work, dz, threads);
  }
}

}  // namespace heatfront
