// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/energies.h"

#include <array>
#include <limits>

#include "heatfront/base/find_named.h"
#include "heatfront/flow/energies/p_laplacian.h"
#include "heatfront/flow/energies/poisson.h"
#include "heatfront/flow/energies/reweighted.h"
#include "heatfront/flow/energies/tug_of_war.h"

namespace heatfront {
namespace {

constexpr double kMostP = 100;

Temperatures solve_harmonic(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads) {
  return solve_dirichlet(problem, {.time = FlowOptions::kForever, .solve = {.tolerance = options.tolerance}},
                         threads);
}

constexpr std::array<EnergyEntry, 7> kEnergies = {
    {{.name = kFlowEnergy,
      .what = "the flow itself, to any time",
      .linear = true,
      .takes_p = false,
      .solve = solve_harmonic},
     {.name = "poisson",
      .what = "Poisson learning: labels are sources and sinks, not held temperatures",
      .linear = true,
      .takes_p = false,
      .solve = solve_poisson},
     {.name = "wnll",
      .what = "harmonic, with heavier edges at known nodes",
      .linear = true,
      .takes_p = false,
      .solve = solve_wnll},
     {.name = "properly-weighted",
      .what = "harmonic, with heavier edges near known nodes",
      .linear = true,
      .takes_p = false,
      .solve = solve_properly_weighted},
     {.name = "p-laplacian",
      .what = "least sum of w |difference|^p; p = 1 keeps edges sharp",
      .linear = false,
      .takes_p = true,
      .least_p = 1,
      .most_p = kMostP,
      .solve = solve_p_laplacian},
     {.name = "game-p-laplacian",
      .what =
          "mean of neighbours mixed with the middle of their extremes, which counts for more the larger p is",
      .linear = false,
      .takes_p = true,
      .least_p = 2,
      .most_p = std::numeric_limits<double>::infinity(),
      .solve = solve_tug_of_war},
     {.name = "amle",
      .what = "p = infinity: the absolutely minimal Lipschitz extension",
      .linear = false,
      .takes_p = false,
      .solve = solve_amle}}};

}  // namespace

OptionFields fields(EnergyOptions& options) {
  OptionRange p = from_to(1, kMostP);
  p.or_infinite = true;
  return {{"energy", &options.name, "What carries labels", one_of_names(energies())},
          {"p", &options.p, "Power of differences", p},
          {"tolerance", &options.tolerance, "When an energy is at rest", above(0)},
          {"steps", &options.steps, "At most so many", at_least(1)}};
}

std::span<const EnergyEntry> energies() { return kEnergies; }

const EnergyEntry& find_energy(std::string_view name) { return find_named(energies(), name, "energy"); }

Temperatures solve_energy(const DirichletProblem& problem, const EnergyOptions& options, Threads& threads) {
  check(problem);
  const EnergyEntry& energy = find_energy(options.name);
  checked(options, "energy");
  if (energy.takes_p && !(options.p >= energy.least_p && options.p <= energy.most_p))
    fail("energy {} with p = {}: p must be from {} to {}", energy.name, options.p, energy.least_p,
         energy.most_p);
  if (problem.free) fail("energy {}: it holds the known labels, so it cannot be free", energy.name);
  if (problem.known.nodes.empty())
    fail("energy {}: no label is known, so there is nothing to carry", energy.name);
  return energy.solve(problem, options, threads);
}

}  // namespace heatfront
