// SPDX-License-Identifier: MIT
#include "heatfront/solve/tableaus.h"

#include <algorithm>
#include <cassert>

namespace heatfront {
namespace {

// Dormand and Prince, with the embedded weights of Shampine that torchdiffeq takes.
constexpr Tableau kDopri5 = {
    .name = "dopri5",
    .order = 5,
    .stages = 7,
    .a = {{{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
    .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    .error = {35.0 / 384 - 1951.0 / 21600, 0, 500.0 / 1113 - 22642.0 / 50085, 125.0 / 192 - 451.0 / 720,
              -2187.0 / 6784 + 12231.0 / 42400, 11.0 / 84 - 649.0 / 6300, -1.0 / 60}};

// Bogacki and Shampine.
constexpr Tableau kBosh3 = {.name = "bosh3",
                            .order = 3,
                            .stages = 4,
                            .a = {{{}, {1.0 / 2}, {0, 3.0 / 4}, {2.0 / 9, 1.0 / 3, 4.0 / 9}}},
                            .b = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0},
                            .error = {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 1.0 / 4, 4.0 / 9 - 1.0 / 3, -1.0 / 8}};

constexpr Tableau kRk4 = {.name = "rk4",
                          .order = 4,
                          .stages = 4,
                          .a = {{{}, {1.0 / 2}, {0, 1.0 / 2}, {0, 0, 1}}},
                          .b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                          .error = {}};

constexpr Tableau kHeun = {
    .name = "heun", .order = 2, .stages = 2, .a = {{{}, {1}}}, .b = {1.0 / 2, 1.0 / 2}, .error = {}};

constexpr Tableau kEuler = {.name = "euler", .order = 1, .stages = 1, .a = {}, .b = {1}, .error = {}};

constexpr std::array kTableaus = {kDopri5, kBosh3, kRk4, kHeun, kEuler};

double dot(const StageWeights& x, const StageWeights& y) {
  double sum = 0;
  for (std::size_t i = 0; i < kMostStages; ++i) sum += x[i] * y[i];
  return sum;
}

// weights·p_j for j = 1, 2, …, the zeros at the end left out.
std::vector<double> in_powers(const Tableau& tableau, const StageWeights& weights) {
  std::vector<double> coefficients;
  StageWeights p{};
  std::fill_n(p.begin(), tableau.stages, 1.0);
  for (std::size_t j = 0; j < tableau.stages; ++j) {
    coefficients.push_back(dot(weights, p));
    StageWeights next{};
    for (std::size_t i = 0; i < tableau.stages; ++i) next[i] = dot(tableau.a[i], p);
    p = next;
  }
  while (coefficients.back() == 0) coefficients.pop_back();
  return coefficients;
}

}  // namespace

std::span<const Tableau> tableaus() { return kTableaus; }

const Tableau& tableau(std::string_view name) {
  const auto found = std::ranges::find(kTableaus, name, &Tableau::name);
  assert(found != kTableaus.end());
  return *found;
}

std::vector<double> stability_coefficients(const Tableau& tableau) {
  std::vector<double> r = in_powers(tableau, tableau.b);
  r.insert(r.begin(), 1.0);
  return r;
}

std::vector<double> error_coefficients(const Tableau& tableau) {
  StageWeights weights = tableau.error;
  weights[tableau.stages - 1] = 0;
  std::vector<double> e = in_powers(tableau, weights);
  e.insert(e.begin(), 0.0);
  return e;
}

}  // namespace heatfront
