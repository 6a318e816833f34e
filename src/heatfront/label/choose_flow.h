// SPDX-License-Identifier: MIT
// How long heat flows, and whether every class is given its share of it, where nobody says so and labels are too few to hold any back.
//
//     fewer than 5 labels per class    t = 1000 with class masses: the longer heat flows the better, and from some time on the
//                                      answer stays as it is
//     5 to 20                          t = 200 with class masses, unless labels that are left out in five turns say clearly that a shorter flow is better
//     more                             t = 5 without masses; labels can be held back to choose by
//
// Without masses so long a flow gives nearly all nodes one class: with few labels, how much heat a class has says where its labels
// happen to be, not how large it is. docs/method.md has the measurements.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/ranks.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/models/left_out.h"

namespace heatfront {

enum class FlowReason : std::uint8_t {
  given,        // the time was given
  few_labels,   // too few to leave any out
  left_out,     // by labels that were left out
  many_labels,  // enough to hold some back
  unsuited,  // a front, a free flow, a solver that was named, no unknown node, or no class masses wanted: as usual
};
std::string_view name_of(FlowReason reason);

struct TriedFlow {
  double time = 0;
  bool masses = false;
  std::int64_t right = 0;  // of the labels that were left out
};

struct FlowChoice {
  FlowReason reason = FlowReason::given;
  double time = 0;
  bool masses = false;          // by the shares of the known labels, or as asked for
  double labels_per_class = 0;  // on average, of classes that have any
  std::int64_t left_out = 0;
  std::vector<TriedFlow> tried;  // in ascending order of time
  std::size_t taken = 0;         // of those
};

inline constexpr double kUsualTime = 5, kSettledTime = 200;
inline constexpr double kManyLabels = 20;  // more than this per class

// `prior`: the shares of the classes, if they were asked for; `masses_allowed`: false where they were refused.
FlowChoice choose_flow(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> prior, bool masses_allowed, Threads& threads);

// The same of a problem whose rows are shared out among ranks. Collective.
struct SharedProblem {
  std::int64_t nodes;  // on all ranks
  ClassId classes;
  const KnownLabels& known;  // by node
  double label_scale;
  bool free, has_front;
  const Ranks& ranks;
  std::function<NodeId(NodeId)> row_of;  // of a node on this rank; below 0: another one has it
  // The curve of a problem without a front, of whose labels these rows are known.
  std::function<void(const KnownLabels& rows, const FlowOptions&, std::span<const double> times,
                     const VisitTime&)>
      curve;
};
FlowChoice choose_flow(const SharedProblem& problem, const FlowOptions& options,
                       std::span<const double> prior, bool masses_allowed);

}  // namespace heatfront
