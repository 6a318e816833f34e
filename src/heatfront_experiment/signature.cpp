// SPDX-License-Identifier: MIT
#include "heatfront_experiment/signature.h"

#include <fmt/core.h>

#include <array>
#include <functional>
#include <utility>

#include "heatfront/base/fingerprint.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/graph/generate.h"
#include "heatfront/models/models.h"
#include "heatfront/solve/solvers.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/reproduce/reproduce.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront {
namespace {

void add_rows(const Matrix& matrix, Fingerprint& fingerprint) {
  for (std::int64_t u = 0; u < matrix.rows(); ++u) fingerprint.add(matrix.row(u));
}

// Three blocks of nodes with weights, labels and a front: large enough that loops are shared out among threads.
class BlockProblem {
 public:
  explicit BlockProblem(Threads& threads)
      : blocks_(stochastic_block_graph(
            {.sizes = {4000, 4000, 4000}, .p_in = 1.5e-3, .p_out = 2e-4, .seed = 1}, threads)),
        front_(padded_matrix(blocks_.graph.nodes(), kClasses)) {
    const Graph& graph = blocks_.graph;
    for (NodeId u = 0; u < graph.nodes(); ++u) {
      for (NodeId v : graph.neighbours(u)) weights_.push_back(static_cast<Real>(1 + (u + v) % 7) / 4);
      for (ClassId c = 0; c < kClasses; ++c) front_(u, c) = static_cast<Real>((31 * u + 17 * c) % 101) / 128;
      if (u % 40 != 0) continue;
      known_.nodes.push_back(u);
      known_.classes.push_back(blocks_.labels[at(u)]);
    }
  }

  std::string answer(const FlowOptions& options, Threads& threads) const {
    Fingerprint fingerprint;
    for (const LaplacianEntry& laplacian : laplacian_kinds()) {
      FlowOptions flow = options;
      flow.laplacian.kind = laplacian.kind;
      const Temperatures answer = solve_dirichlet({.graph = blocks_.graph,
                                                   .weights = weights_,
                                                   .classes = kClasses,
                                                   .known = known_,
                                                   .front = front_},
                                                  flow, threads);
      add_rows(answer.values, fingerprint);
    }
    return fingerprint.hex();
  }

 private:
  static constexpr ClassId kClasses = 3;

  LabelledGraph blocks_;
  std::vector<Real> weights_;
  KnownLabels known_;
  Matrix front_;
};

constexpr double kLooseTolerance = 1e-2;  // the simplest solvers would take long for more

FlowOptions flow_by(const SolverEntry& solver) {
  return {.time = solver.for_time ? 3 : FlowOptions::kForever,
          .solver = std::string(solver.name),
          .solve = {.tolerance = kLooseTolerance}};
}

std::string hash_of(const Neighbours& neighbours) {
  return Fingerprint().add(neighbours.ids).add(neighbours.distances).hex();
}

std::string hash_of(const NeighbourGraph& built) {
  return Fingerprint().add(built.graph.offsets()).add(built.graph.targets()).add(built.weights).hex();
}

// All that a few epochs leave, and the answer that is made of it.
std::string trained(const ModelEntry& entry, const Dataset& data, Threads& threads) {
  const Fit fitted = fit(data,
                         {.model = std::string(entry.name),
                          .preset = {"none"},
                          .settings = {"epochs=4", "patience=0"},
                          .seed = 1},
                         threads);
  Fingerprint fingerprint;
  add_rows(fitted.model.front, fingerprint);
  fingerprint.add(fitted.model.theta).add(fitted.model.weights);
  for (const NamedMatrix& matrix : fitted.model.network)
    add_rows(matrix.values, fingerprint.add(matrix.name));
  const auto predictor = entry.predictor(fitted.model, fitted.model.front, threads);
  add_rows(predictor->answer(fitted.model.known).temperatures.values, fingerprint);
  return fingerprint.hex();
}

// Images of digits, each joined to its five nearest.
Dataset joined_digits(const Dataset& digits, const Neighbours& neighbours, Threads& threads) {
  Dataset data = digits;
  NeighbourGraph built = neighbour_graph(neighbours, {}, threads);
  data.graph = std::move(built.graph);
  data.weights = std::move(built.weights);
  data.split = choose_split(data, "percent 20,20", 1);
  return data;
}

// A table in the way of the paper's, on data that is always there.
constexpr std::array<PaperDataset, 1> kTableData = {{{"karate", "Karate", "per-class 3,5", 2}}};
constexpr std::array<PaperFigure, 1> kTableFigures = {};
constexpr std::array<PaperRow, 2> kTableRows = {{{.number = "01", .title = "Flow", .figures = kTableFigures},
                                                 {.number = "02",
                                                  .title = "Front",
                                                  .validation_included = true,
                                                  .model = "heat-front",
                                                  .setting = "epochs=4",
                                                  .figures = kTableFigures}}};
constexpr PaperTable kTable = {"signature", "A small table", kTableData, kTableRows};

std::string reproduced(Threads& threads) {
  Fingerprint fingerprint;
  for (const TableCell& cell : reproduce(kTable, {}, threads).cells) {
    for (const TableRun& run : cell.runs) {
      fingerprint.add(fmt::format("{} {} {} {} {} {}", run.row, run.seed, run.terms, run.time,
                                  run.test_accuracy, run.validation_accuracy));
    }
  }
  return fingerprint.hex();
}

}  // namespace

std::vector<SignaturePart> signature(Threads& threads, const ProgressCallback& progress) {
  std::vector<std::pair<std::string, std::function<std::string()>>> wanted;
  const BlockProblem blocks(threads);
  for (const SolverEntry& solver : solvers()) {
    wanted.emplace_back(fmt::format("solver {}", solver.name),
                        [&] { return blocks.answer(flow_by(solver), threads); });
  }
  for (const ReorderingEntry& order : reorderings()) {
    wanted.emplace_back(fmt::format("order {}", order.name),
                        [&] { return blocks.answer({.reorder = order.reordering}, threads); });
  }
  const Dataset digits = open_dataset("digits", {}, threads);
  const auto neighbours = [&](Metric metric, bool approximate) {
    return nearest_neighbours(*digits.features.dense(),
                              {.k = 5, .metric = metric, .approximate = approximate}, threads);
  };
  const Neighbours nearest = neighbours(Metric::euclidean, false);
  wanted.emplace_back("neighbours exact", [&] { return hash_of(nearest); });
  wanted.emplace_back("neighbours approximate", [&] { return hash_of(neighbours(Metric::euclidean, true)); });
  for (const KernelEntry& kernel : kernels()) {
    wanted.emplace_back(fmt::format("kernel {}", kernel.name), [&] {
      return hash_of(neighbour_graph(neighbours(kernel.metric.value_or(Metric::euclidean), false),
                                     {.kernel = kernel.kernel}, threads));
    });
  }
  const Dataset data = joined_digits(digits, nearest, threads);
  for (const ModelEntry& entry : models()) {
    wanted.emplace_back(fmt::format("model {}", entry.name), [&] { return trained(entry, data, threads); });
  }
  wanted.emplace_back("table reproduce", [&] { return reproduced(threads); });

  std::vector<SignaturePart> parts;
  for (const auto& [name, hash] : wanted) {
    report(progress, {.stage = "signature",
                      .done = std::ssize(parts),
                      .total = std::ssize(wanted),
                      .unit = "parts",
                      .detail = name});
    parts.push_back({name, hash()});
  }
  return parts;
}

std::string whole_signature(const std::vector<SignaturePart>& parts) {
  Fingerprint fingerprint;
  for (const SignaturePart& part : parts) fingerprint.add(part.name).add(part.hash);
  return fingerprint.hex();
}

}  // namespace heatfront
