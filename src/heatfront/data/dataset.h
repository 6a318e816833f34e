// SPDX-License-Identifier: MIT
// What every reader makes and every command takes: a graph, features, labels, names and a split.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/data/split.h"
#include "heatfront/data/table_schema.h"
#include "heatfront/data/targets.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

// One row per node; none, dense or sparse.
class Features {
 public:
  Features() = default;
  explicit Features(Matrix matrix) : values_(std::move(matrix)) {}
  explicit Features(SparseMatrix matrix);  // Error where it is none (check() in base/sparse_matrix.h)

  const Matrix* dense() const { return std::get_if<Matrix>(&values_); }
  const SparseMatrix* sparse() const { return std::get_if<SparseMatrix>(&values_); }
  bool present() const { return !std::holds_alternative<std::monostate>(values_); }

  std::int64_t rows() const;
  std::int64_t cols() const;
  std::int64_t entries() const;  // stored values: rows · cols when dense

 private:
  std::variant<std::monostate, Matrix, SparseMatrix> values_;
};

struct Dataset {
  std::string name;
  Graph graph;                // without edges where the source holds points only
  std::vector<Real> weights;  // one per arc; empty: all 1
  Features features;
  std::vector<ClassId> labels;           // one per node, kUnknown where nobody told
  std::vector<std::string> class_names;  // one per class: "0", "1", … where the source has no names
  Targets targets = {};  // in place of labels and classes, where labels are numbers or several per node
  std::vector<std::string> node_names;     // one per node; empty: nodes are called by their number
  std::vector<std::string> feature_names;  // one per column of the features; empty: called by their number
  TableSchema table;                       // how features were made of a table; later rows are read alike
  std::optional<Split> split;              // the one that came with the data
  NodeId added = 0;     // so many of the last nodes came after training, and say nothing of how features are
                        // scaled
  BuildReport changes;  // what was done to the arcs
  std::vector<std::string> notes;  // what else a user should know of how it was read, a sentence each

  NodeId nodes() const { return graph.nodes(); }
  ClassId classes() const { return static_cast<ClassId>(class_names.size()); }
  std::string node_name(NodeId u) const;
  std::string feature_name(std::int64_t column) const;
};

// Names for what a data set holds. Two sources of the same data have the same ones.
struct DatasetFingerprint {
  std::string graph, features, labels, split;
  std::string whole() const;
};

DatasetFingerprint fingerprint(const Dataset& dataset);

// With their names, and how they were made.
void remove_features(Dataset& dataset);

// Classes with labels, none of which is in the training part of the split.
std::vector<ClassId> untrained_classes(const Dataset& dataset, const Split& split);

// "0", "1", …, for labels that come as numbers.
std::vector<std::string> numbered_names(std::int64_t count);

// Nobody numbers more classes than nodes; without this a wild label in a file would ask for as many names.
void require_class_count(std::int64_t classes, std::int64_t nodes, const std::string& where);

// The last door of every reader, and the first of what takes a data set: throws Error (beginning with `where`) unless sizes
// agree, labels and split are in range, and features and weights are finite.
void check(const Dataset& dataset, const std::string& where);
void check_split(const Split& split, NodeId nodes, const std::string& where);

// Error unless the data set has a split, and every node of it a label: what trains, selects and judges.
void check_labelled_split(const Dataset& dataset, const std::string& where);

// A node or a class by what a user calls it: its name, or, where no name is a number, its number.
// Error says what there is.
NodeId find_node(const Dataset& dataset, std::string_view text);
ClassId find_class(const Dataset& dataset, std::string_view text);

void check_node(const Dataset& dataset, NodeId u);  // Error where there is no such node

std::string listed_classes(
    std::span<const std::string> names);  // "a, b, c", the first ones where there are many; "none"

const std::string& class_name(const Dataset& dataset, ClassId label);

}  // namespace heatfront
