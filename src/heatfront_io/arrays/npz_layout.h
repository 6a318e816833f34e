// SPDX-License-Identifier: MIT
// What stands in an npz file of graph data, under the several names it has in the wild.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/pickle/pickle.h"

namespace heatfront {

// The arrays of a file; knows which of them were used.
class NpzArrays {
 public:
  explicit NpzArrays(const std::filesystem::path& path) : npz_(path) {}

  const std::string& where() const { return npz_.where(); }
  std::string where_is(std::string_view name) const { return npz_.where_is(name); }
  const std::vector<std::string>& names() const { return npz_.names(); }
  bool has(std::string_view name) const { return npz_.has(name); }
  NpyHeader header(std::string_view name) const { return npz_.header(name); }

  std::string first_of(std::initializer_list<std::string_view> names) const;  // that is there, else ""

  NpyArray take(std::string_view name);
  Pickle pickle(std::string_view name) const;                 // of an array of objects
  void leave(std::string_view name) { used_.emplace(name); }  // known, and not wanted
  std::vector<std::string> unused() const;

 private:
  NpzReader npz_;
  std::set<std::string, std::less<>> used_;
};

// The array that only a model has.
inline constexpr std::string_view kModelMark = "heatfront_model";

// A sparse matrix under PREFIXdata, PREFIXindices, PREFIXindptr, PREFIXshape, or what else its format has. Rows may
// be out of order; values are empty where there is no PREFIXdata.
bool has_rows(const NpzArrays& arrays, std::string_view prefix);
SparseMatrix take_sparse(NpzArrays& arrays, std::string_view prefix, const std::string& format = "csr");

// What stands under a name: nothing (a pickled None), an array, or a pickled matrix of scipy, whose rows may be out of
// order. An array of Python numbers is one of numbers, None is nan in it.
using NpzContent = std::variant<std::monostate, NpyArray, SparseMatrix>;
NpzContent take_content(NpzArrays& arrays, std::string_view name);
bool is_pickled(const NpzArrays& arrays, std::string_view name);

struct NpzLabels {
  std::vector<ClassId> of;   // by node; empty where the file has none
  std::int64_t classes = 0;  // as far as the labels tell
};
NpzLabels take_labels(NpzArrays& arrays);

// Texts that are nice to have: pickled ones are left out with a note, unless they are `least` to `most` different ones.
std::vector<std::string> take_names(NpzArrays& arrays, std::string_view name, std::int64_t least,
                                    std::int64_t most, std::vector<std::string>& notes);

// The texts of a pickled dict {0: 'a', 1: 'b', …}; empty, and the array not used, where it is anything else or has
// fewer than `least`.
std::vector<std::string> take_numbered_names(NpzArrays& arrays, std::string_view name, std::int64_t least);

// Lists of nodes or masks. `nodes`: how long a mask must be, where that is known.
std::optional<Split> take_split(NpzArrays& arrays, std::optional<NodeId> nodes,
                                std::vector<std::string>& notes);
void add_split(NpzWriter& npz, const Split& split);

// All of a data set, as read_npz reads it; the data set is lent.
void add_dataset(NpzWriter& npz, const Dataset& dataset);

}  // namespace heatfront
