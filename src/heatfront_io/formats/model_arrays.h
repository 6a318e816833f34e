// SPDX-License-Identifier: MIT
// The arrays of a model in an archive, and the archive in a file or in memory, the same for both kinds of models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/models/targets/target_model.h"
#include "heatfront/models/trained_model.h"
#include "heatfront_io/arrays/npz.h"

namespace heatfront {

void add_arrays(NpzWriter& npz, const TrainedModel& model);
void add_arrays(NpzWriter& npz, const TargetModel& model);

template <class Model>
Model take_arrays(const NpzReader& npz, Threads& threads);
template <>
TrainedModel take_arrays(const NpzReader& npz, Threads& threads);
template <>
TargetModel take_arrays(const NpzReader& npz, Threads& threads);

// The rows of training's history, and single values; Error that names the array where it is missing, or not so.
void add_history(NpzWriter& npz, std::span<const EpochReport> history);
std::vector<EpochReport> take_history(const NpzReader& npz);
std::string take_text(const NpzReader& npz, std::string_view name);
std::int64_t take_number(const NpzReader& npz, std::string_view name);

// Error where the file is no archive at all.
NpzReader open_model_archive(const std::filesystem::path& path);
bool holds_targets(const NpzReader& npz);  // else classes

template <class Model>
void write_archive(const Model& model, const std::filesystem::path& path) {
  check(model, model.data.name);
  NpzWriter npz(path, Packing::stored);
  add_arrays(npz, model);
  npz.commit();
}

template <class Model>
std::vector<std::byte> archive_bytes(const Model& model) {
  check(model, model.data.name);
  std::vector<std::byte> bytes;
  NpzWriter npz(bytes, Packing::stored);
  add_arrays(npz, model);
  npz.commit();
  return bytes;
}

template <class Model>
Model read_archive(const std::filesystem::path& path, Threads& threads) {
  return take_arrays<Model>(open_model_archive(path), threads);
}

template <class Model>
Model read_archive(std::span<const std::byte> bytes, Threads& threads) {
  return take_arrays<Model>(NpzReader(bytes, "the model in memory"), threads);
}

}  // namespace heatfront
