// SPDX-License-Identifier: MIT
#include "heatfront/solve/solvers.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/solve/chebyshev.h"
#include "heatfront/solve/implicit.h"
#include "heatfront/solve/jacobi.h"
#include "heatfront/solve/krylov.h"
#include "heatfront/solve/runge_kutta.h"
#include "heatfront/solve/steady_state.h"

namespace heatfront {
namespace {

using TimeSolverPtr = std::unique_ptr<TimeSolver>;
using SteadySolverPtr = std::unique_ptr<SteadySolver>;

TimeSolverPtr runge_kutta(std::string_view name, const SolveOptions& options) {
  return std::make_unique<RungeKutta>(tableau(name), options);
}

// States: chebyshev two polynomials and the clamped rows; krylov the slope, a basis of 65, and for each column matrices
// as large as the basis; Runge-Kutta the powers, with equal steps two more, with adaptive ones three; implicit ones
// four and two of conjugate gradients; cg three and one that measures rounding; jacobi two.
constexpr std::array kSolvers = {
    SolverEntry{
        .name = "chebyshev",
        .what = "Chebyshev series; its products and error bound are known beforehand",
        .states = 4,
        .same_bits_on_ranks = true,
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Chebyshev>(o); }},
    SolverEntry{
        .name = "krylov",
        .what = "Lanczos; adapts to the front, keeps up to 65 states",
        .states = 68,
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Krylov>(o); }},
    SolverEntry{.name = "dopri5",
                .what = "Runge-Kutta of order 5 with adaptive steps, as in the paper",
                .states = 11,
                .needs_self_adjoint = false,
                .for_time = [](const SolveOptions& o) { return runge_kutta("dopri5", o); }},
    SolverEntry{.name = "bosh3",
                .what = "Runge-Kutta of order 3 with adaptive steps",
                .states = 8,
                .needs_self_adjoint = false,
                .for_time = [](const SolveOptions& o) { return runge_kutta("bosh3", o); }},
    SolverEntry{.name = "rk4",
                .what = "Runge-Kutta of order 4 with equal steps",
                .states = 8,
                .same_bits_on_ranks = true,
                .for_time = [](const SolveOptions& o) { return runge_kutta("rk4", o); }},
    SolverEntry{.name = "heun",
                .what = "Heun's method of order 2 with equal steps",
                .states = 6,
                .same_bits_on_ranks = true,
                .for_time = [](const SolveOptions& o) { return runge_kutta("heun", o); }},
    SolverEntry{.name = "euler",
                .what = "Euler's method with equal steps",
                .states = 5,
                .same_bits_on_ranks = true,
                .for_time = [](const SolveOptions& o) { return runge_kutta("euler", o); }},
    SolverEntry{.name = "implicit-euler",
                .what = "implicit Euler with equal steps, by conjugate gradients",
                .states = 7,
                .for_time = [](const SolveOptions& o) -> TimeSolverPtr {
                  return std::make_unique<Implicit>(Implicit::Method::euler, o);
                }},
    SolverEntry{.name = "crank-nicolson",
                .what = "Crank-Nicolson with equal steps, by conjugate gradients",
                .states = 7,
                .for_time = [](const SolveOptions& o) -> TimeSolverPtr {
                  return std::make_unique<Implicit>(Implicit::Method::crank_nicolson, o);
                }},
    SolverEntry{.name = "cg",
                .what = "steady state by preconditioned conjugate gradients",
                .states = 5,
                .for_steady_state = [](const SolveOptions& o) -> SteadySolverPtr {
                  return std::make_unique<SteadyState>(o);
                }},
    SolverEntry{.name = "jacobi",
                .what = "steady state by Jacobi's sweeps: label propagation",
                .states = 3,
                .needs_self_adjoint = false,
                .for_steady_state = [](const SolveOptions& o) -> SteadySolverPtr {
                  return std::make_unique<Jacobi>(o);
                }},
};

SolverPurpose purpose_of(const SolverEntry& entry) {
  return entry.for_time != nullptr ? SolverPurpose::time : SolverPurpose::steady_state;
}

template <class Condition>
std::string names_where(const Condition& condition) {
  std::string names;
  for (const SolverEntry& entry : kSolvers) {
    if (condition(entry)) names.append(names.empty() ? "" : ", ").append(entry.name);
  }
  return names;
}

}  // namespace

OptionFields fields(SolveOptions& options) {
  return {{"tolerance", &options.tolerance, "Error, relative to the size of the start", above(0)},
          {"step", &options.step, "Step of the solvers with equal steps; 0: one that fits the tolerance",
           at_least(0)}};
}

std::span<const SolverEntry> solvers() { return kSolvers; }

const SolverEntry& find_solver(std::string_view name, SolverPurpose purpose) {
  const auto found = std::ranges::find(kSolvers, name, &SolverEntry::name);
  if (found != kSolvers.end() && purpose_of(*found) == purpose) return *found;
  const std::string right =
      names_where([&](const SolverEntry& entry) { return purpose_of(entry) == purpose; });
  if (found == kSolvers.end()) {
    std::vector<std::string_view> names;
    for (const SolverEntry& entry : kSolvers) names.push_back(entry.name);
    const std::string other =
        names_where([&](const SolverEntry& entry) { return purpose_of(entry) != purpose; });
    const bool steady = purpose == SolverPurpose::steady_state;
    fail("unknown solver '{}'{}; choose from: {} (for a finite time); {} (for the steady state)", name,
         did_you_mean(name, names), steady ? other : right, steady ? right : other);
  }
  fail("solver '{}' is not for {}; choose from: {}", name,
       purpose == SolverPurpose::steady_state ? "the steady state" : "a finite time", right);
}

void admit(std::string_view solver, const Operator& a) {
  if (a.self_adjoint()) return;
  const SolverEntry& entry = *std::ranges::find(kSolvers, solver, &SolverEntry::name);
  if (!entry.needs_self_adjoint) return;
  fail("solver {} needs an operator that is symmetric in its metric, and this one is not; take one of: {}",
       solver, names_where([&](const SolverEntry& other) {
         return purpose_of(other) == purpose_of(entry) && !other.needs_self_adjoint;
       }));
}

TimeSolverPtr time_solver(std::string_view name, const SolveOptions& options) {
  checked(options, "solver");
  return find_solver(name, SolverPurpose::time).for_time(options);
}

SteadySolverPtr steady_solver(std::string_view name, const SolveOptions& options) {
  checked(options, "solver");
  return find_solver(name, SolverPurpose::steady_state).for_steady_state(options);
}

}  // namespace heatfront
