// SPDX-License-Identifier: MIT
// A trained model as one npz that numpy.load opens; docs/file_formats.md lists its arrays. The graph, labels
// and split stand in it as in a data set's npz, so that every command that takes data takes a model, too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

// Whole or not at all, in place of what was there.
void write_model(const TrainedModel& model, const std::filesystem::path& path);

// The bytes of that file, without one.
std::vector<std::byte> model_bytes(const TrainedModel& model);

// Whether the file looks like one; false where it cannot be read.
bool is_model(const std::filesystem::path& path);

// Another version, a file that is no model, and arrays that do not fit each other are refused by name.
TrainedModel read_model(const std::filesystem::path& path, Threads& threads);
TrainedModel read_model(std::span<const std::byte> bytes, Threads& threads);

// Before training on this data goes into the file: Error where a model is there with labels set by hand that the data does not
// have, for they would be lost.
void check_keeps_reviews(const std::filesystem::path& path, const Dataset& dataset, Threads& threads);

// Refuses data on whose graph the model was not trained.
void check_fits(const TrainedModel& model, const Dataset& dataset);

}  // namespace heatfront
