// SPDX-License-Identifier: MIT
#include "cli/flow_arguments.h"

#include <fmt/core.h>

#include <algorithm>

#include "heatfront/base/fail.h"
#include "heatfront/base/memory.h"
#include "heatfront_io/arrays/npy.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront::cli {
namespace {

std::string laplacian_names() {
  std::string names;
  for (const LaplacianEntry& entry : laplacian_kinds())
    names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", entry.name, entry.what);
  return names;
}

std::string reordering_names() {
  std::string names;
  for (const ReorderingEntry& entry : reorderings()) {
    names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", entry.name, entry.what);
  }
  return names;
}

ClassId require_label(const Dataset& dataset, NodeId u) {
  const ClassId label = dataset.labels[static_cast<std::size_t>(u)];
  if (label == kUnknown) fail("{}: node {} of the split has no label", dataset.name, dataset.node_name(u));
  return label;
}

void add_labels(KnownLabels& known, const std::vector<NodeId>& nodes, const Dataset& dataset) {
  for (NodeId u : nodes) {
    known.nodes.push_back(u);
    known.classes.push_back(require_label(dataset, u));
  }
}

std::vector<NodeId> labelled_nodes(const Dataset& dataset) {
  std::vector<NodeId> nodes;
  for (NodeId u = 0; u < dataset.nodes(); ++u) {
    if (dataset.labels[static_cast<std::size_t>(u)] != kUnknown) nodes.push_back(u);
  }
  return nodes;
}

KnownLabels known_labels(const std::string& which, const Dataset& dataset, const Split& split) {
  KnownLabels known;
  if (which == "all") {
    add_labels(known, labelled_nodes(dataset), dataset);
    return known;
  }
  if (which == "train" || which == "train+validation") {
    add_labels(known, split.train, dataset);
    if (which != "train") add_labels(known, split.validation, dataset);
    return known;
  }
  if (!std::filesystem::exists(which)) {
    fail("--known {}: no such file; there are: train, train+validation, all, or a CSV file of node,label",
         which);
  }
  for (const NodeLabel& entry : read_label_file(which, dataset)) {
    known.nodes.push_back(entry.node);
    known.classes.push_back(entry.label);
  }
  return known;
}

Matrix read_front(const std::filesystem::path& path, const Dataset& dataset) {
  Matrix front = to_matrix(read_npy(path));
  if (front.rows() != dataset.nodes() || front.cols() != dataset.classes()) {
    fail("{}: has shape ({}, {}); a front of {} has one row a node and one column a class, ({}, {})",
         path.string(), front.rows(), front.cols(), dataset.name, dataset.nodes(), dataset.classes());
  }
  for (std::int64_t u = 0; u < front.rows(); ++u) {
    if (!std::ranges::all_of(front.row(u), [](Real x) { return std::isfinite(x); })) {
      fail("{}: row {} is not finite", path.string(), u);
    }
  }
  return front;
}

constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 40;  // bytes have to stay a number

std::string gigabytes(std::int64_t bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) / (1 << 30));
}

// Nothing to judge by: then every label may as well be known.
bool has_split(const FlowArguments& arguments, const Dataset& dataset) {
  return dataset.split || !arguments.split.split.empty() || !arguments.known.empty();
}

}  // namespace

void FlowArguments::add_to(Flags& flags, const std::string& what_memory_does) {
  data.add_to(flags);
  split.add_to(flags);
  flags.option("--known", known,
               std::string("Labels held fixed: train, train+validation, all, or a CSV file of node,label") +
                   (known.empty() ? "; without it: train where there is a split, else all" : ""),
               "WHICH");
  flags.option("--lambda", options.lambda, "Speed of the flow; only lambda times the time counts", "X");
  flags.option("--tolerance", options.solve.tolerance,
               "Error of the answer, relative to the size of the start", "X");
  flags.option("--laplacian", laplacian, laplacian_names(), "KIND");
  flags.flag("--no-self-loops", no_self_loops, "No loop on the nodes");
  flags.option("--self-loop-weight", self_loop, "Weight of the loop on every node", "X");
  flags.option("--front", front, "Start from this front (nodes × classes) instead of zero", "FILE.npy");
  flags.flag("--free", free, "Hold nothing fixed: labels (or the front) are only the start");
  flags.option("--label-scale", label_scale, "Temperature of a known label", "X");
  flags.option("--reorder", reorder, "Order of the nodes while solving. " + reordering_names(), "NAME");
  flags.option("--memory", memory_megabytes, "Megabytes for the states; " + what_memory_does, "MB");
}

FlowProblem::FlowProblem(const FlowArguments& arguments, Console& console)
    : dataset(arguments.data.open(console)),
      split(has_split(arguments, dataset) ? arguments.split.choose(dataset) : Split{.name = "none"}),
      known_name(!arguments.known.empty()        ? arguments.known
                 : has_split(arguments, dataset) ? "train"
                                                 : "all"),
      options(arguments.options),
      label_scale(arguments.label_scale),
      free(arguments.free) {
  if (dataset.classes() == 0)
    fail("{}: has no labels, so there is nothing to spread; add labels", dataset.name);
  if (dataset.graph.arcs() == 0) {
    fail(
        "{}: has no edges for heat to flow along; `heatfront graph {} -o G.npz` joins points to their "
        "neighbours",
        dataset.name, arguments.data.data);
  }
  if (!arguments.front.empty()) front = read_front(arguments.front, dataset);
  if (!std::isfinite(label_scale)) fail("--label-scale {}: it must be a finite number", label_scale);
  known = known_labels(known_name, dataset, split);
  if (known.nodes.empty() && arguments.front.empty()) {
    fail("{}: no label is known ({}), so there is no heat; give labels, or another --split or --known",
         dataset.name, known_name == "train" ? "split " + split.name : known_name);
  }
  for (const std::vector<NodeId>* part : {&split.validation, &split.test}) {
    for (NodeId u : *part) require_label(dataset, u);
  }
  judged = judged_by(split, known.nodes);
  options.laplacian.kind = laplacian_kind(arguments.laplacian);
  options.laplacian.self_loop = arguments.no_self_loops ? 0 : arguments.self_loop;
  if (!(options.laplacian.self_loop >= 0) || std::isinf(options.laplacian.self_loop)) {
    fail("--self-loop-weight {}: it must be 0 or more", arguments.self_loop);
  }
  options.reorder = find_reordering(arguments.reorder);
  if (arguments.memory_megabytes < 0 || arguments.memory_megabytes > kMostMegabytes) {
    fail("--memory {}: it must be a number of megabytes from 1 to {}, or 0 for no limit",
         arguments.memory_megabytes, kMostMegabytes);
  }
  options.memory_limit = arguments.memory_megabytes << 20;
}

DirichletProblem FlowProblem::problem() const {
  return {.graph = dataset.graph,
          .weights = dataset.weights,
          .classes = dataset.classes(),
          .known = known,
          .front = front,
          .label_scale = label_scale,
          .free = free};
}

void FlowProblem::check_memory(const MemoryEstimate& estimate, std::string_view what_less_does,
                               const Console& console) const {
  constexpr std::int64_t kMuch = std::int64_t{1} << 30;
  const std::int64_t available = available_memory() / 10 * 9;  // what is not counted has to fit as well
  const std::string takes =
      fmt::format("the flow takes about {} of memory beside the graph", gigabytes(estimate.total()));
  if (estimate.total() <= available) {
    if (estimate.total() >= kMuch)
      console.remark({fmt::format("{}; {} are free", takes, gigabytes(available))});
    return;
  }
  const std::int64_t left = (available - estimate.answer - estimate.others) >> 20;
  if (left << 20 >= estimate.least_states) {
    fail("{}: {}, and {} are free; with --memory {} {}, which fits", dataset.name, takes,
         gigabytes(available), left, what_less_does);
  }
  fail("{}: {}, and {} are free; a machine with more is needed, or a part of the graph", dataset.name, takes,
       gigabytes(available));
}

std::string protocol_text(const FlowProblem& flow) {
  const std::string split =
      flow.split.name == "none"
          ? "no split"
          : fmt::format("split {} (hash {})", printable(flow.split.name), flow.split.hash());
  return fmt::format("{}, {} known labels ({}{})", split, grouped(std::ssize(flow.known.nodes)),
                     printable(flow.known_name), included_text(flow.judged));
}

}  // namespace heatfront::cli
