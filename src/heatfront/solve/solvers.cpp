// SPDX-License-Identifier: MIT
#include "heatfront/solve/solvers.h"

#include <array>
#include <string>

#include "heatfront/base/fail.h"
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
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Chebyshev>(o); }},
    SolverEntry{
        .name = "krylov",
        .what = "Lanczos; adapts to the front, keeps up to 65 states",
        .states = 68,
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Krylov>(o); }},
    SolverEntry{.name = "dopri5",
                .what = "Runge-Kutta of order 5 with adaptive steps, as in the paper",
                .states = 11,
                .for_time = [](const SolveOptions& o) { return runge_kutta("dopri5", o); }},
    SolverEntry{.name = "bosh3",
                .what = "Runge-Kutta of order 3 with adaptive steps",
                .states = 8,
                .for_time = [](const SolveOptions& o) { return runge_kutta("bosh3", o); }},
    SolverEntry{.name = "rk4",
                .what = "Runge-Kutta of order 4 with equal steps",
                .states = 8,
                .for_time = [](const SolveOptions& o) { return runge_kutta("rk4", o); }},
    SolverEntry{.name = "heun",
                .what = "Heun's method of order 2 with equal steps",
                .states = 6,
                .for_time = [](const SolveOptions& o) { return runge_kutta("heun", o); }},
    SolverEntry{.name = "euler",
                .what = "Euler's method with equal steps",
                .states = 5,
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
                .for_steady_state = [](const SolveOptions& o) -> SteadySolverPtr {
                  return std::make_unique<Jacobi>(o);
                }},
};

}  // namespace

OptionFields fields(SolveOptions& options) {
  return {{"tolerance", &options.tolerance, "Error, relative to the size of the start", above(0)},
          {"step", &options.step, "Step of the solvers with equal steps; 0: one that fits the tolerance",
           at_least(0)}};
}

std::span<const SolverEntry> solvers() { return kSolvers; }

const SolverEntry& find_solver(std::string_view name, SolverPurpose purpose) {
  const bool steady = purpose == SolverPurpose::steady_state;
  std::string names;
  bool exists = false;
  for (const SolverEntry& entry : kSolvers) {
    exists = exists || entry.name == name;
    if ((entry.for_steady_state != nullptr) != steady) continue;
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  if (exists)
    fail("solver '{}' is not for {}; there are: {}", name, steady ? "the steady state" : "a finite time",
         names);
  fail("unknown solver '{}'; there are: {}", name, names);
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
