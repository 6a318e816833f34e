// SPDX-License-Identifier: MIT
// What else than heat can carry labels over a graph: energies with the known labels as boundary, one file per kind, and their table, from which
// listing, `--energy`, `--help` and error texts come. All go to rest; each says by itself when it is there.
//
// Some are not linear in the labels: then there are no shares of labels in an answer, and the table says so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

inline constexpr std::string_view kFlowEnergy = "dirichlet";

struct EnergyOptions {
  std::string name = std::string(kFlowEnergy);
  double p = 2;
  double tolerance = 1e-4;     // what it is of: see each kind
  std::int64_t steps = 20000;  // at most
};
OptionFields fields(EnergyOptions& options);

struct EnergyEntry {
  std::string_view name;
  std::string_view what;
  bool linear;         // in the labels
  bool takes_p;        // and of which
  double least_p = 2;  // p is from this to `most_p`
  double most_p = 2;
  Temperatures (*solve)(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads);
};

std::span<const EnergyEntry> energies();
const EnergyEntry& find_energy(std::string_view name);  // Error lists the right ones

// The state at rest. Error for a free flow, a p that the kind does not take, and what check(problem) refuses.
Temperatures solve_energy(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads);

}  // namespace heatfront
