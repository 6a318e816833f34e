// SPDX-License-Identifier: MIT
#include "heatfront/nn/input_dropout.h"

#include <algorithm>
#include <limits>
#include <span>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr std::int64_t kEntriesAtOnce = 1 << 14;

// In the order that transpose() gives: by column, then by row.
std::vector<std::int32_t> entries_by_column(const SparseView& rows, const SparseView& columns) {
  const std::int64_t count = rows.entries();  // counted row by row
  if (count > std::numeric_limits<std::int32_t>::max())
    fail("{} feature entries are too many for dropout on them; set input_dropout=0", count);
  std::vector<std::int32_t> entries(at(count));
  std::vector<std::int64_t> next(columns.begins, columns.begins + columns.rows);
  for (std::int64_t k = 0; k < count; ++k)
    entries[at(next[at(rows.columns[k])]++)] = static_cast<std::int32_t>(k);
  return entries;
}

}  // namespace

InputDropout::InputDropout(const NetworkInput& input, double share)
    : input_(input), dropout_(share), drops_(share > 0), drawn_(input) {
  if (!drops_) return;
  if (!drawn_.is_sparse()) {
    dense_ = padded_matrix(input.rows(), input.cols());
    drawn_ = dense_.view();
    return;
  }
  values_.resize(at(drawn_.sparse.entries()));
  transposed_values_.resize(values_.size());
  entries_ = entries_by_column(drawn_.sparse, drawn_.transposed);
  drawn_.sparse.values = values_.data();
  drawn_.transposed.values = transposed_values_.data();
}

void InputDropout::draw_entries(const Random& random, Threads& threads) {
  const Real* own = input_.view().sparse.values;
  const std::int64_t count = std::ssize(values_);
  threads.for_blocks(count, kEntriesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    const std::span<Real> part(values_.data() + begin, values_.data() + end);
    dropout_.factors_from(random, static_cast<std::uint64_t>(begin / 4), part);
    for (std::int64_t k = begin; k < end && own != nullptr; ++k) values_[at(k)] *= own[k];
  });
  threads.for_blocks(count, kEntriesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) transposed_values_[at(i)] = values_[at(entries_[at(i)])];
  });
}

const InputView& InputDropout::draw(const Random& random, Threads& threads) {
  if (!drops_) return drawn_;
  if (drawn_.is_sparse()) {
    draw_entries(random, threads);
  } else {
    drop(dropout_, random, input_.view().dense, dense_, threads);
  }
  return drawn_;
}

}  // namespace heatfront
