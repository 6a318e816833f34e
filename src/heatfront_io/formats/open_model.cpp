// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/open_model.h"

#include "heatfront/base/fail.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/formats/model_file.h"

namespace heatfront {

TrainedModel open_model(const std::filesystem::path& path, Threads& threads) {
  if (std::filesystem::is_directory(path))
    fail("{} is a folder; a model is one file, as `heatfront train DATA -o MODEL` writes it", path.string());
  if (!std::filesystem::exists(path) && find_known(path.string()) != nullptr)
    fail("{0} is a data set, not a model; `heatfront train {0} -o {0}.hf` makes one of it", path.string());
  return read_model(path, threads);
}

}  // namespace heatfront
