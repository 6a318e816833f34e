// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>

#include "heatfront/base/checks.h"
#include "heatfront/graph/trusted_graph.h"
#include "heatfront_io/formats/read_arcs.h"

namespace heatfront {
namespace {

constexpr std::int64_t kListedAtOnce = 1 << 18;  // elements

}  // namespace

std::int64_t list_ends(const NpzReader& npz, std::string_view name, std::int64_t nodes, ArcSink& arcs) {
  npz.leave(name);
  NpzPieces from(npz.where(), name), to(npz.where(), name);
  const std::span<const std::int64_t> shape = from.header().shape;
  if (shape.size() != 2 || shape[0] != 2 || from.header().fortran_order)
    fail("{} must have the shape (2, arcs), row by row", from.where());
  const std::int64_t count = shape[1];
  for (std::int64_t i = 0; i < count; i += kListedAtOnce) to.next(std::min(kListedAtOnce, count - i));
  arcs.begin(false);
  for (std::int64_t i = 0; i < count; i += kListedAtOnce) {
    const std::int64_t piece = std::min(kListedAtOnce, count - i);
    const std::vector<NodeId> sources = to_int32(from.next(piece)), targets = to_int32(to.next(piece));
    require_ids(from.where(), sources, 0, nodes);
    require_ids(from.where(), targets, 0, nodes);
    for (std::size_t k = 0; k < sources.size(); ++k) arcs.add(sources[k], targets[k], Real(1));
  }
  return count;
}

NodeId list_rows(const NpzReader& npz, std::string_view prefix, ArcSink& arcs) {
  const auto named = [&](std::string_view key) { return std::string(prefix) + std::string(key); };
  const std::vector<std::int64_t> offsets = to_int64(npz.read(named("indptr"))),
                                  shape = to_int64(npz.read(named("shape")));
  if (shape.size() != 2 || shape[0] != shape[1])
    fail("{}; the matrix of a graph is square", npz.where_is(named("shape")));
  const NodeId nodes = checked_node_count(shape[0], std::ssize(offsets), npz.where_is(named("shape")));
  npz.leave(named("indices"));
  NpzPieces columns(npz.where(), named("indices"));
  std::optional<NpzPieces> values;
  if (npz.has(named("data"))) {
    npz.leave(named("data"));
    values.emplace(npz.where(), named("data"));
  }
  check_offsets(offsets, columns.header().count, npz.where_is(named("indptr")));
  if (std::ssize(offsets) != nodes + 1 || (values && values->header().count != columns.header().count))
    fail("{}: its arrays are not of one size: {} offsets, {} columns and {} values for {} rows", npz.where(),
         offsets.size(), columns.header().count, values ? values->header().count : 0, nodes);
  arcs.begin(values.has_value());
  NodeId row = 0;
  for (std::int64_t i = 0; i < offsets.back(); i += kListedAtOnce) {
    const std::vector<NodeId> targets = to_int32(columns.next(kListedAtOnce));
    const std::vector<Real> weights = values ? to_reals(values->next(kListedAtOnce)) : std::vector<Real>();
    require_ids(columns.where(), targets, 0, nodes);
    require_weights(columns.where(), weights, std::ssize(weights));
    for (std::size_t k = 0; k < targets.size(); ++k) {
      while (offsets[at(row) + 1] <= i + static_cast<std::int64_t>(k)) ++row;
      arcs.add(row, targets[k], weights.empty() ? Real(1) : weights[k]);
    }
  }
  return nodes;
}

}  // namespace heatfront
