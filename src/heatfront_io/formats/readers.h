// SPDX-License-Identifier: MIT
// The readers, one per format: whether a path looks like theirs, and what is in it. open.cpp has them in a
// table. A reader throws Error with one line: file, place, what is wrong, what would be right.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/graph/build.h"
#include "heatfront_io/tables/column_choice.h"

namespace heatfront {

class ArcsOnDisk;

struct ReadOptions {
  bool refuse_one_way = false;  // an edge given in one direction only is an error instead of being completed
  ColumnChoice columns = {};    // of CSV tables
  std::optional<LabelKind> labels = {};  // what they are; not said: classes, unless they look like quantities
  ArcsOnDisk* on_disk =
      nullptr;  // where arcs go that cannot be held, of formats that can do so; the data set then has no edges
};

// gnn-benchmark npz: adj_*, attr_*, labels, *_idx and the other spellings met in the wild (file_formats.md).
bool is_npz(const std::filesystem::path& path);
Dataset read_npz(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// Raw Planetoid: a folder with the eight files of one data set, FOLDER/ind.NAME, FOLDER/NAME, or one of the
// files.
bool is_planetoid(const std::filesystem::path& path);
Dataset read_planetoid(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// A folder with edges.csv, features.csv, labels.csv (any of them; .tsv, .txt, .gz too), or one file of edges.
bool is_csv(const std::filesystem::path& path);
Dataset read_csv(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);
bool has_tables_by_header(
    const std::filesystem::path& folder);  // no table has one of these names, but one is edges by its header
std::vector<std::filesystem::path> listed_files(
    std::string_view text);  // of edges=FILE,labels=FILE; else none

// A square sparse matrix in Matrix Market's coordinate format: entry (i, j) is the arc from node i−1 to node j−1, its
// value the weight.
bool is_matrix_market(const std::filesystem::path& path);
Dataset read_matrix_market(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// An OGB node property folder: raw/edge.csv.gz, raw/node-feat.csv.gz, raw/node-label.csv.gz, split/*.
bool is_ogb(const std::filesystem::path& path);
Dataset read_ogb(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// A MUSAE folder: *edges.csv, *features.json, *target.csv.
bool is_musae(const std::filesystem::path& path);
Dataset read_musae(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// IDX images and labels as MNIST has them: a folder, or one file of images. Points without edges.
bool is_idx(const std::filesystem::path& path);
Dataset read_idx(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);

// What the readers share. A built graph goes into the data set with its report; one-way edges are refused when asked to.
void take_graph(Dataset& dataset, WeightedGraph built, const ReadOptions& options, const std::string& where);

// A number of nodes that a file only declares, held against the arcs it has: a few bytes must not claim gigabytes.
NodeId checked_node_count(std::int64_t declared, std::int64_t arcs, const std::string& place);

}  // namespace heatfront
