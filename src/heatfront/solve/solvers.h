// SPDX-License-Identifier: MIT
// The table of solvers: making, listing and error texts come from it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "heatfront/solve/solver.h"

namespace heatfront {

// Makes one of the two: a solver for a time, or for the steady state.
struct SolverEntry {
  std::string_view name;
  std::string_view what;
  std::int64_t states = 0;         // that it holds at once, the one it is given among them; more with a trace
  bool needs_self_adjoint = true;  // else it takes any operator
  bool same_bits_on_ranks =
      false;  // however the rows are shared out among processes; else within the tolerance
  std::unique_ptr<TimeSolver> (*for_time)(const SolveOptions& options) = nullptr;
  std::unique_ptr<SteadySolver> (*for_steady_state)(const SolveOptions& options) = nullptr;
};
std::span<const SolverEntry> solvers();

// An unknown name, or one of the other kind, is an Error that lists the right ones.
enum class SolverPurpose { time, steady_state };
const SolverEntry& find_solver(std::string_view name, SolverPurpose purpose);
std::unique_ptr<TimeSolver> time_solver(std::string_view name, const SolveOptions& options);
std::unique_ptr<SteadySolver> steady_solver(std::string_view name, const SolveOptions& options);

// Every solver asks this first. One that needs a self-adjoint operator, and another one given: an Error that lists the
// solvers to take instead.
void admit(std::string_view solver, const Operator& a);

}  // namespace heatfront
