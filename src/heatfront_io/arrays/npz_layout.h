// SPDX-License-Identifier: MIT
// What stands in an npz file of graph data, under the several names it has in the wild.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/readers.h"

namespace heatfront {

// The array that only a model has.
inline constexpr std::string_view kModelMark = "heatfront_model";
inline constexpr std::int64_t kTargetModelVersion = 2;  // of values and of many labels

// A sparse matrix under PREFIXdata, PREFIXindices, PREFIXindptr, PREFIXshape, or what else its format has. Rows may
// be out of order; values are empty where there is no PREFIXdata.
bool has_rows(const NpzReader& npz, std::string_view prefix);
SparseMatrix take_sparse(const NpzReader& npz, std::string_view prefix, const std::string& format = "csr");

// What stands under a name: nothing (a pickled None), an array, or a pickled matrix of scipy, whose rows may be out of
// order. An array of Python numbers is one of numbers, None is nan in it.
using NpzContent = std::variant<std::monostate, NpyArray, SparseMatrix>;
NpzContent take_content(const NpzReader& npz, std::string_view name);
bool is_pickled(const NpzReader& npz, std::string_view name);

struct NpzLabels {
  std::vector<ClassId> of;   // by node; empty where the file has none
  std::int64_t classes = 0;  // as far as the labels tell
};
NpzLabels take_labels(const NpzReader& npz);

// Texts that are nice to have, from the first of these arrays that has them. Pickled ones (a list, an array, or a dict {0: 'a', 1: 'b', …})
// are left out with a note, unless they are `least` to `most` different ones.
std::vector<std::string> take_names(const NpzReader& npz, std::initializer_list<std::string_view> names,
                                    std::int64_t least, std::int64_t most, std::vector<std::string>& notes);

// Lists of nodes or masks. `nodes`: how long a mask must be, where that is known.
std::optional<Split> take_split(const NpzReader& npz, std::optional<NodeId> nodes,
                                std::vector<std::string>& notes);
void add_split(NpzWriter& npz, const Split& split);

// All of a data set, in and out; the data set that is added is lent.
Dataset take_dataset(const NpzReader& npz, const ReadOptions& options, Threads& threads);
void add_dataset(NpzWriter& npz, const Dataset& dataset);

// Of a model: how many of its last nodes came after training, under `added_nodes`; at least one did not. None where there is no such array.
inline constexpr std::string_view kAddedNodes = "added_nodes";
NodeId take_added_nodes(const NpzReader& npz, const Dataset& data);

}  // namespace heatfront
