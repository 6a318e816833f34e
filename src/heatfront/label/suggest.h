// SPDX-License-Identifier: MIT
// The nodes most worth labelling next. Labelling node j with class c moves the others by about (Influence in models/predictor.h; exactly
// in linear-front, whose fronts are averaged first)
//
//     f(v) += h(v, j) (s e_c − f(j))
//
// With p the softmax of f(j), it is expected to change the class of
//
//     Σ_c p_c #{v: the warmest class differs}  nodes.
//
// Looked at are the nodes whose class leads least, among equals those with most edges: eight for each node asked for, and fewer on graphs of
// more than some 600,000 arcs.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/label/session.h"

namespace heatfront {

enum class SuggestBy { expected_change, margin };

struct SuggestOptions {
  std::int64_t count = 5;
  SuggestBy by = SuggestBy::expected_change;
};

struct Suggestion {
  NodeId node = 0;
  ClassId label = 0;  // now
  Real margin = 0;
  double expected_change = std::numeric_limits<double>::quiet_NaN();  // nodes, itself among them
};

struct SuggestByEntry {
  SuggestBy by;
  std::string_view name;
};

std::span<const SuggestByEntry> suggest_ways();
SuggestBy find_suggest_by(std::string_view name);      // Error lists them
SuggestBy default_suggest_by(const Session& session);  // the first that the model can do

// Best first; at most `count`. No two are joined, or joined to a common node of few edges, as long as there are others; what lies
// so close to one of them comes after these.
std::vector<Suggestion> suggest(Session& session, const Answer& answer, const SuggestOptions& options);

}  // namespace heatfront
