// SPDX-License-Identifier: MIT
// decide() for whoever has rows and no graph: those of one rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/flow/decide.h"

namespace heatfront {

struct DecidedRows {
  std::int64_t rows;
  ClassId classes;
  const KnownLabels& known;  // by row
  bool held;                 // known labels stay what they are
  bool logits;               // a front was given
};

Decisions decide_rows(const DecidedRows& of, const std::vector<bool>& reached,
                      const Temperatures& temperatures, std::span<const double> prior, Threads& threads);

}  // namespace heatfront
