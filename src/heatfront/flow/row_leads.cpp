// SPDX-License-Identifier: MIT
#include "heatfront/flow/row_leads.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "heatfront/base/exponential.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::size_t kLanes = RowLeads::kRows;

using Doubles8 [[gnu::vector_size(8 * sizeof(double))]] = double;

// Lanes beyond the rows take the last one again.
[[gnu::always_inline]] inline void gather(ConstMatrixView rows, std::int64_t c,
                                          RowLeads::Lanes<Real>& column) {
  if (rows.rows == static_cast<std::int64_t>(kLanes)) {
    for (std::size_t i = 0; i < kLanes; ++i)
      column[i] = rows.data[static_cast<std::int64_t>(i) * rows.stride + c];
  } else {
    for (std::size_t i = 0; i < kLanes; ++i)
      column[i] = rows.data[std::min(static_cast<std::int64_t>(i), rows.rows - 1) * rows.stride + c];
  }
}

HEATFRONT_CLONES void find_two_warmest(ConstMatrixView rows, RowLeads& leads) {
  alignas(64) RowLeads::Lanes<Real> x;
  gather(rows, 0, x);
  for (std::size_t i = 0; i < kLanes; ++i) {
    leads.first[i] = x[i];
    leads.second[i] = rows.cols == 1 ? x[i] : -std::numeric_limits<Real>::infinity();
    leads.first_class[i] = leads.second_class[i] = 0;
    leads.warm[i] = x[i] != 0 ? 1 : 0;
  }
  for (std::int32_t c = 1; c < rows.cols; ++c) {
    gather(rows, c, x);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const bool warmest = x[i] > leads.first[i], next = x[i] > leads.second[i];
      leads.second_class[i] = warmest ? leads.first_class[i] : next ? c : leads.second_class[i];
      leads.second[i] = warmest ? leads.first[i] : next ? x[i] : leads.second[i];
      leads.first_class[i] = warmest ? c : leads.first_class[i];
      leads.first[i] = warmest ? x[i] : leads.first[i];
      leads.warm[i] |= x[i] != 0 ? 1 : 0;
    }
  }
}

HEATFRONT_CLONES void add_exponentials(ConstMatrixView rows, RowLeads& leads) {
  alignas(64) RowLeads::Lanes<Real> x;
  Doubles8 sums[2] = {};
  for (std::int64_t c = 0; c < rows.cols; ++c) {
    gather(rows, c, x);
    for (std::size_t half = 0; half < 2; ++half) {
      Doubles8 below;
      for (std::size_t i = 0; i < 8; ++i)
        below[i] = static_cast<double>(x[8 * half + i] - leads.first[8 * half + i]);
      exponentiate_finely(below);
      sums[half] += below;
    }
  }
  static_assert(sizeof(sums) == sizeof(leads.sum));
  __builtin_memcpy(leads.sum.data(), sums, sizeof(sums));
}

HEATFRONT_CLONES void add_heat(ConstMatrixView rows, RowLeads& leads) {
  alignas(64) RowLeads::Lanes<Real> x;
  leads.sum.fill(0);
  for (std::int64_t c = 0; c < rows.cols; ++c) {
    gather(rows, c, x);
    for (std::size_t i = 0; i < kLanes; ++i) leads.sum[i] += x[i] > 0 ? static_cast<double>(x[i]) : 0.0;
  }
}

}  // namespace

void find_leads(ConstMatrixView rows, bool logits, RowLeads& leads) {
  assert(rows.rows >= 1 && rows.rows <= static_cast<std::int64_t>(kLanes) && rows.cols >= 1);
  find_two_warmest(rows, leads);
  if (logits) {
    add_exponentials(rows, leads);
  } else {
    add_heat(rows, leads);
  }
}

}  // namespace heatfront
