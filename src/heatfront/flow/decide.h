// SPDX-License-Identifier: MIT
// From temperatures to classes: each node takes the class that warms it most, and says how sure that is.
//
//     known      its label was given
//     decided    the warmest class leads by more than the error of the solver
//     undecided  the lead is smaller than that
//     unreached  no label and no front reaches it: nothing is known, the class is the likeliest beforehand
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/ranks.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

enum class NodeStatus : std::uint8_t { known, decided, undecided, unreached };
std::string_view name_of(NodeStatus status);

struct Decisions {
  std::vector<ClassId> classes;
  std::vector<Real> confidence;  // of the class, in [0, 1]
  std::vector<Real> margin;      // how far it leads the second, in temperature
  std::vector<NodeStatus> status;
  std::array<std::int64_t, 4> counts = {};  // by status
  bool logits = false;        // temperatures become shares as logits do, else as parts of the heat
  std::vector<double> prior;  // the shares where there is no heat
  double softening = 1;       // of the shares of nodes that are reached

  std::int64_t count(NodeStatus s) const { return counts[static_cast<std::size_t>(s)]; }
};

// Shares of the classes among the known labels; even where nothing is known.
std::vector<double> labelled_prior(const KnownLabels& known, ClassId classes);

// What each column is multiplied by in class-mass normalisation: its mass over the unknown nodes then has the prior's share of
// n. 1 where the mass is not above 0, or by no more than rounding. Of rows that are shared out among ranks, `known` by row: collective.
std::vector<double> class_mass_factors(ConstMatrixView temperatures, const KnownLabels& known,
                                       std::span<const double> prior, const Ranks& ranks = Ranks::alone());

// Class-mass normalisation: each column is scaled so that its mass over the unknown nodes has the prior's
// share. One whose mass is not above 0, or by no more than rounding, stays as it is. Of rows that are shared out, likewise collective.
void normalise_class_mass(Temperatures& temperatures, const KnownLabels& known, std::span<const double> prior,
                          const Ranks& ranks = Ranks::alone());

// The nodes of known labels, and those whose front is not zero.
std::vector<NodeId> heat_sources(const DirichletProblem& problem);

// The nodes that a known label or a front that is not zero reaches over edges of weights above 0.
std::vector<bool> reached_nodes(const DirichletProblem& problem);

// Confidence is the softmax of the temperatures where a front was given (they are logits), else a class's
// share of the heat. `prior` decides where there is no heat at all.
Decisions decide(const DirichletProblem& problem, const std::vector<bool>& reached,
                 const Temperatures& temperatures, std::span<const double> prior, Threads& threads);

struct Answer {
  Temperatures temperatures;
  Decisions decisions;
};

// Error unless it is one of so many nodes and classes.
void check(const Answer& answer, NodeId nodes, ClassId classes);

// The flow, and what it decides; nodes without heat go by the shares of the known labels. Where labels change and the rest
// stays, a LabelledFlow does it again and again.
Answer solve_and_decide(const DirichletProblem& problem, const FlowOptions& options, Threads& threads);

// What scores that are no flow decide, whose error is not known.
Answer decide_by(const DirichletProblem& problem, Matrix scores, const SolveReport& report,
                 const std::vector<bool>& reached, Threads& threads);
std::vector<bool> all_nodes(const Graph& graph);

// The shares of the classes in a row: its softmax where temperatures are logits, else parts of the heat; `prior` where there is none.
void find_shares(std::span<const Real> row, bool logits, std::span<const double> prior,
                 std::span<double> shares);

// The shares of all classes at a node by its temperatures, whether its label is known or not. They add up to
// 1, and the highest is the confidence of a node whose label is not known.
std::vector<double> class_shares(const Answer& answer, NodeId u);

// The same as they were before they were softened.
std::vector<double> plain_shares(const Answer& answer, NodeId u);

// p_c ← p_c^{1/T} / Σ p^{1/T}, T the softening: softmax(z/T) where shares are a softmax. Which class has the most stays.
void scale_shares(double softening, std::span<double> shares);

// A softening is looked for between these (evaluate/calibration.h).
inline constexpr double kLeastSoftening = 0.01, kMostSoftening = 100;

// From now on the shares of the answer, and its confidences, are those of this softening.
void soften(double softening, Answer& answer, Threads& threads);
// The share of a class at a node; all or nothing where its label is known.
double share_of_class(const Answer& answer, NodeId u, ClassId label);

// The `count` warmest classes of a row, warmest first, of equals the first.
std::vector<ClassId> ranked_classes(std::span<const Real> row, std::size_t count);

// The warmest class of each row, the first of equals: class 0 for a row of zeros, as the paper counts.
std::vector<ClassId> warmest_classes(ConstMatrixView temperatures);

}  // namespace heatfront
