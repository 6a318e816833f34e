// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/open_model.h"

#include "heatfront/base/fail.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/formats/model_arrays.h"

namespace heatfront {
namespace {

// Error where something else than a model is named.
NpzReader named_archive(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path))
    fail("{} is a folder; a model is one file, as `heatfront train DATA -o MODEL` writes it", path.string());
  if (!std::filesystem::exists(path) && find_known(path.string()) != nullptr)
    fail("{0} is a data set, not a model; `heatfront train {0} -o {0}.hf` makes one of it", path.string());
  return open_model_archive(path);
}

}  // namespace

AnyModel open_any_model(const std::filesystem::path& path, Threads& threads) {
  const NpzReader npz = named_archive(path);
  if (holds_targets(npz)) return take_arrays<TargetModel>(npz, threads);
  return take_arrays<TrainedModel>(npz, threads);
}

TrainedModel open_model(const std::filesystem::path& path, Threads& threads) {
  return take_arrays<TrainedModel>(named_archive(path), threads);
}

}  // namespace heatfront
