// SPDX-License-Identifier: MIT
// A file given to every command that takes a model: what they call in the library, one after the other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/npz_file.h"

namespace heatfront::fuzz {

// Small models of every kind, as training leaves them: weights learned and not, labels changed since, names of nodes and
// classes.
struct SeedModel {
  std::string name;
  test::Entries arrays;
};
const std::vector<SeedModel>& seed_models();

// The arrays with the fingerprints of the graph and the split that are in them, so that changed ones are taken for the
// model's own.
test::Entries with_own_fingerprints(test::Entries arrays);

// Whether it was read as a model; throws a Finding, or crashes, where something is wrong.
bool use_model(const std::filesystem::path& path);

}  // namespace heatfront::fuzz
