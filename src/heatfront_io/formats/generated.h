// SPDX-License-Identifier: MIT
// Data sets made on the spot, by a name like "rmat:scale=20,arcs=1e7,seed=1": for tests, trials and scale.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"

namespace heatfront {

struct GeneratedParameter {
  std::string_view name;
  double value;  // unless told otherwise
  double least, most;
};

struct GeneratedDataset {
  std::string_view name;
  std::string_view what;
  std::span<const GeneratedParameter> parameters;
  Dataset (*make)(std::span<const double> values, Threads& threads);  // one value per parameter
};

std::span<const GeneratedDataset> generated_datasets();

// "grid:rows=20,columns=20": as a user writes it, with its values.
std::string example_of(const GeneratedDataset& generated);

// Does it begin with the name of one and a colon, or is it the name alone?
bool is_generated(std::string_view text);

Dataset generate_dataset(std::string_view text, Threads& threads);

}  // namespace heatfront
