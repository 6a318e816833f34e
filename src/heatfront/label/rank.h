// SPDX-License-Identifier: MIT
// The nodes that are likeliest of a class, likeliest first, each with what speaks for it: which to look at first, and why these.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "heatfront/label/explain.h"

namespace heatfront {

struct RankOptions {
  ClassId label = 0;        // of this class
  std::int64_t count = 50;  // so many at most
  bool known = false;       // also those whose label is held fixed
  bool reasons = true;      // with what speaks for each
};

struct RankedNode {
  NodeId node = 0;
  double share = 0;                    // of the class: how likely it is
  std::optional<Explanation> reasons;  // none where the model's answers are no sum
};

struct Ranking {
  ClassId label = 0;
  std::int64_t candidates = 0;  // nodes that could have been listed
  std::vector<RankedNode> nodes;
};

// `answer` is what the session says now. Of equals the first.
Ranking rank(Session& session, const Answer& answer, const RankOptions& options);

}  // namespace heatfront
