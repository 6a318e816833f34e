// SPDX-License-Identifier: MIT
#include "heatfront/models/model.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/fail.h"

namespace heatfront {

void Model::weigh_classes(std::vector<double>) {
  fail(
      "balance = classes: this model learns nothing by a loss that could be weighed; balance = none is "
      "right");
}

void add_labels(const Dataset& dataset, std::span<const NodeId> nodes, KnownLabels& known) {
  require_ids(dataset.name + ": nodes of the split", nodes, 0, std::ssize(dataset.labels));
  for (NodeId u : nodes) {
    known.nodes.push_back(u);
    known.classes.push_back(dataset.labels[at(u)]);
  }
}

KnownLabels training_labels(const Dataset& dataset) {
  KnownLabels known;
  check_labelled_split(dataset, dataset.name);
  add_labels(dataset, dataset.split->train, known);
  return known;
}

std::vector<NamedMatrix> named_matrices(const ParameterLayout& layout, std::span<const Real> parameters) {
  std::vector<NamedMatrix> matrices;
  for (const Parameter& parameter : layout.parameters()) {
    const ConstMatrixView values = parameter.in(parameters);
    NamedMatrix kept{parameter.name, Matrix(values.rows, values.cols)};
    for (std::int64_t i = 0; i < values.rows; ++i)
      std::ranges::copy(values.row(i), kept.values.row(i).begin());
    matrices.push_back(std::move(kept));
  }
  return matrices;
}

void take_matrices(const std::vector<NamedMatrix>& matrices, const ParameterLayout& layout,
                   std::span<Real> parameters) {
  for (const Parameter& parameter : layout.parameters()) {
    const auto found = std::ranges::find(matrices, parameter.name, &NamedMatrix::name);
    if (found == matrices.end()) fail("'{}' is missing among the parameters", parameter.name);
    const Matrix& values = found->values;
    if (values.rows() != parameter.rows || values.cols() != parameter.cols)
      fail("'{}' has shape ({}, {}); it must have ({}, {})", parameter.name, values.rows(), values.cols(),
           parameter.rows, parameter.cols);
    const MatrixView to = parameter.in(parameters);
    for (std::int64_t i = 0; i < to.rows; ++i) std::ranges::copy(values.row(i), to.row(i).begin());
  }
}

std::vector<NamedMatrix> Model::whole_block(std::span<const Real> block) const {
  return named_matrices(layout(), block);
}

void Model::take_block(const std::vector<NamedMatrix>& whole, std::span<Real> block) const {
  take_matrices(whole, layout(), block);
}

}  // namespace heatfront
