// SPDX-License-Identifier: MIT
// How weights of a linear map from `in` to `out` units begin:
//
//     kaiming   U(±1/√in)
//     glorot    U(±√(6/(in + out)))
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "heatfront/base/matrix.h"
#include "heatfront/base/random.h"

namespace heatfront {

enum class Initialiser { kaiming, glorot };

struct InitialiserName {
  std::string_view name;
  Initialiser initialiser;
};
std::span<const InitialiserName> initialisers();
Initialiser initialiser_named(std::string_view name);  // Error lists the right ones

double initial_bound(Initialiser initialiser, std::int64_t in, std::int64_t out);

// Evenly within ±bound.
void fill_uniform(const Random& random, double bound, MatrixView values);

}  // namespace heatfront
