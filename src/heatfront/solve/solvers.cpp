// SPDX-License-Identifier: MIT
#include "heatfront/solve/solvers.h"

#include <array>
#include <cmath>
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

constexpr std::array kSolvers = {
    SolverEntry{
        .name = "chebyshev",
        .what = "Chebyshev series; its products and error bound are known beforehand",
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Chebyshev>(o); }},
    SolverEntry{
        .name = "krylov",
        .what = "Lanczos; adapts to the front, keeps up to 65 states",
        .for_time = [](const SolveOptions& o) -> TimeSolverPtr { return std::make_unique<Krylov>(o); }},
    SolverEntry{.name = "dopri5",
                .what = "Runge-Kutta of order 5 with adaptive steps, as in the paper",
                .for_time = [](const SolveOptions& o) { return runge_kutta("dopri5", o); }},
    SolverEntry{.name = "bosh3",
                .what = "Runge-Kutta of order 3 with adaptive steps",
                .for_time = [](const SolveOptions& o) { return runge_kutta("bosh3", o); }},
    SolverEntry{.name = "rk4",
                .what = "Runge-Kutta of order 4 with equal steps",
                .for_time = [](const SolveOptions& o) { return runge_kutta("rk4", o); }},
    SolverEntry{.name = "heun",
                .what = "Heun's method of order 2 with equal steps",
                .for_time = [](const SolveOptions& o) { return runge_kutta("heun", o); }},
    SolverEntry{.name = "euler",
                .what = "Euler's method with equal steps",
                .for_time = [](const SolveOptions& o) { return runge_kutta("euler", o); }},
    SolverEntry{.name = "implicit-euler",
                .what = "implicit Euler with equal steps, by conjugate gradients",
                .for_time = [](const SolveOptions& o) -> TimeSolverPtr {
                  return std::make_unique<Implicit>(Implicit::Method::euler, o);
                }},
    SolverEntry{.name = "crank-nicolson",
                .what = "Crank-Nicolson with equal steps, by conjugate gradients",
                .for_time = [](const SolveOptions& o) -> TimeSolverPtr {
                  return std::make_unique<Implicit>(Implicit::Method::crank_nicolson, o);
                }},
    SolverEntry{.name = "cg",
                .what = "steady state by preconditioned conjugate gradients",
                .for_steady_state = [](const SolveOptions& o) -> SteadySolverPtr {
                  return std::make_unique<SteadyState>(o);
                }},
    SolverEntry{.name = "jacobi",
                .what = "steady state by Jacobi's sweeps: label propagation",
                .for_steady_state = [](const SolveOptions& o) -> SteadySolverPtr {
                  return std::make_unique<Jacobi>(o);
                }},
};

void check(const SolveOptions& options) {
  if (!(options.tolerance > 0) || std::isinf(options.tolerance)) {
    fail("tolerance {}: it must be a number above 0", options.tolerance);
  }
  if (!(options.step >= 0) || std::isinf(options.step)) {
    fail("step {}: it must be a number above 0, or 0 for one that fits the tolerance", options.step);
  }
}

// The maker called `maker` of the solver called `name`.
template <class Make>
Make find(std::string_view name, Make SolverEntry::*maker, std::string_view purpose) {
  std::string names;
  bool exists = false;
  for (const SolverEntry& entry : kSolvers) {
    exists = exists || entry.name == name;
    if (entry.*maker == nullptr) continue;
    if (entry.name == name) return entry.*maker;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  if (exists) fail("solver '{}' is not for {}; there are: {}", name, purpose, names);
  fail("unknown solver '{}'; there are: {}", name, names);
}

}  // namespace

std::span<const SolverEntry> solvers() { return kSolvers; }

TimeSolverPtr time_solver(std::string_view name, const SolveOptions& options) {
  check(options);
  return find(name, &SolverEntry::for_time, "a finite time")(options);
}

SteadySolverPtr steady_solver(std::string_view name, const SolveOptions& options) {
  check(options);
  return find(name, &SolverEntry::for_steady_state, "the steady state")(options);
}

}  // namespace heatfront
