// SPDX-License-Identifier: MIT
// What decides a row of temperatures x: its warmest class, the one that comes next, and what the warmest one's share is of,
//
//     Σ_c e^{x_c − highest}  where temperatures are logits,     Σ_c max(0, x_c)  where they are parts of the heat.
//
// Sixteen rows at once, each a lane of the registers; the bits of a row do not depend on the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "heatfront/base/matrix.h"

namespace heatfront {

struct RowLeads {
  static constexpr std::size_t kRows = 16;

  template <class T>
  using Lanes = std::array<T, kRows>;

  alignas(64) Lanes<Real> first, second;  // temperatures; of one class, second is the first
  alignas(64) Lanes<std::int32_t> first_class, second_class;  // of equals the first
  alignas(64) Lanes<std::int32_t> warm;                       // not 0: a temperature of the row is not 0
  alignas(64) Lanes<double> sum;
};

// Of at most kRows rows, and at least one of one class.
void find_leads(ConstMatrixView rows, bool logits, RowLeads& leads);

}  // namespace heatfront
