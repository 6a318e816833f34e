// SPDX-License-Identifier: MIT
#include "heatfront/data/split_file.h"

#include <algorithm>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/data/npz_layout.h"

namespace heatfront {
namespace {

void check_apart(const Split& split, const std::string& where) {
  std::vector<NodeId> all;
  for (const std::vector<NodeId>* part : {&split.train, &split.validation, &split.test}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end())
    fail("{}: node {} is there twice; train, validation and test must not overlap", where, *twice);
}

}  // namespace

void write_split_npz(const Split& split, const std::filesystem::path& path) {
  NpzWriter npz(path);
  add_split(npz, split);
  npz.commit();
}

Split read_split_npz(const std::filesystem::path& path) {
  NpzArrays arrays(path);
  std::vector<std::string> notes;  // none is of use to whoever asks for a split
  auto split = take_split(arrays, std::nullopt, notes);
  if (!split) {
    fail("{}: there is no split in it; one has the arrays train_idx, val_idx and test_idx", arrays.where());
  }
  check_apart(*split, arrays.where());
  split->name = "file " + path.filename().string();
  return std::move(*split);
}

}  // namespace heatfront
