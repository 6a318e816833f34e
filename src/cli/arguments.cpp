// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <fmt/core.h>

#include <cstdlib>
#include <ctime>
#include <utility>

#include "heatfront/base/parse_number.h"
#include "heatfront/base/ranks.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/flow_inputs.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_io/formats/read_new_nodes.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_report/dataset_report.h"

namespace heatfront::cli {
namespace {

constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 40;  // bytes have to stay a number

std::string laplacian_names() {
  std::string names;
  for (const LaplacianEntry& entry : laplacian_kinds())
    names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", entry.name, entry.what);
  return names;
}

}  // namespace

void DataArgument::add_to(Flags& flags, const std::string& name) {
  flags.argument(
      name, data,
      "A file or folder (npz, CSV, Matrix Market, Planetoid, OGB, MUSAE, IDX), the name of a data set "
      "(see `heatfront datasets`), or edges=FILE,features=FILE,labels=FILE; - is a table of edges from "
      "standard input");
  flags.flag("--refuse-one-way", options.refuse_one_way,
             "Refuse edges that are given in one direction only, instead of adding the other");
  ColumnChoice& columns = options.columns;
  flags.option("--source", columns.source, "CSV: the column that an edge begins at", "COLUMN");
  flags.option("--target", columns.target, "CSV: the column that an edge ends at", "COLUMN");
  flags.option("--weight", columns.weight, "CSV: the column with the weights of edges", "COLUMN");
  flags.option("--node,--id", columns.node, "CSV: the column that says which node, in all tables but edges",
               "COLUMN");
  flags.option("--label", columns.label,
               "CSV: the column with labels; without a table of labels, in features", "COLUMN");
  flags.option("--ignore", columns.ignored, "CSV: a column that is not read; may be repeated", "COLUMN");
  flags.flag("--values", values, "Labels are quantities: numbers, in one column or several");
  flags.flag("--many-labels", many_labels, "A node can have several classes: a|b, or a line for each");
  flags.flag("--classes", classes, "Labels are names, even where they look like quantities");
}

ReadOptions DataArgument::reading(const Console& console) const {
  if (console.cluster->ranks().count() > 1)  // only a graph in parts leads here
    fail("{}: `solve`, `sweep` and `train` share it out among processes; give this command without mpiexec",
         data);
  if (classes + values + many_labels > 1) fail("--classes, --values and --many-labels: give one of them");
  ReadOptions all = options;
  if (classes) all.labels = LabelKind::classes;
  if (values) all.labels = LabelKind::values;
  if (many_labels) all.labels = LabelKind::many;
  return all;
}

Dataset DataArgument::read(Console& console) const {
  return open_dataset(data, reading(console), console.threads());
}

Dataset DataArgument::open(Console& console) const {
  Dataset dataset = read(console);
  console.remark(remarks_on(dataset));
  return dataset;
}

std::string DataArgument::flags_text() const {
  const ColumnChoice& columns = options.columns;
  std::string text;
  const auto add = [&](std::string_view flag, const std::string& value) {
    if (!value.empty()) text += fmt::format(" {} {}", flag, shell_word(value));
  };
  if (options.refuse_one_way) text += " --refuse-one-way";
  add("--source", columns.source);
  add("--target", columns.target);
  add("--weight", columns.weight);
  add("--node", columns.node);
  add("--label", columns.label);
  for (const std::string& column : columns.ignored) add("--ignore", column);
  if (values) text += " --values";
  if (many_labels) text += " --many-labels";
  if (classes) text += " --classes";
  return text;
}

void SplitArgument::add_to(Flags& flags, const std::string& seed_of, const std::string& without) {
  flags.option("--split", split,
               "'file' (came with the data), 'percent A,B', 'per-class A,B', 'folds K', or an npz written by "
               "`heatfront split`; "
               "default: the split that came with the data, otherwise " +
                   without,
               "SPLIT");
  flags.option("--seed", seed, seed_of, "N");
}

Split SplitArgument::choose(const Dataset& dataset) const { return choose_split(dataset, split, seed); }

void ModelArgument::add_to(Flags& flags) {
  flags.argument("MODEL", path, "A model, as `heatfront train` and `heatfront label` write it");
}

AnyModel ModelArgument::read(Console& console) const {
  AnyModel model;
  agreed(console.cluster->ranks(), [&] { model = open_any_model(path, console.threads()); });
  return model;
}

void ModelDataArgument::add_to(Flags& flags, const std::string& verb) {
  flags.option("--data", data,
               fmt::format("Refuse to {} unless this data has the model's graph; under mpiexec, a graph in "
                           "parts that the processes share",
                           verb),
               "DATA");
}

void ModelDataArgument::take(Session& session, Console& console) const {
  const Cluster& cluster = *console.cluster;
  if (cluster.ranks().count() == 1) {
    if (!data.empty()) check_fits(session.model(), open_dataset(data, {}, console.threads()));
    return;
  }
  PartitionIndex index;
  agreed(cluster.ranks(), [&] {
    if (!is_partition(data)) fail("--data {}: under mpiexec it must be the graph in parts", data);
    index = read_index(data);
  });
  session.share_out(read_rank_graph(data, index, cluster, console.threads()), cluster);
}

void AddArgument::add_to(Flags& flags, const std::string& what_of_the_model) {
  flags.option(
      "--add", folder,
      "New nodes, without training: a folder with edges.csv (to old and new nodes), features.csv and, "
      "where some are known, labels.csv; " +
          what_of_the_model,
      "FOLDER");
}

GrownSession AddArgument::grow(Session& session, Console& console) const {
  if (console.cluster->ranks().count() > 1)
    fail("--add {}: new nodes are not in the parts; give this command without mpiexec", folder.string());
  const NewNodesFile file = read_new_nodes(folder, session.model().data);
  console.remark(file.notes);
  return heatfront::grow(session, file.nodes, file.labels, now());
}

GrownTargets AddArgument::grow(TargetSession& session, Console& console) const {
  const NewNodesFile file = read_new_nodes(folder, session.model().data);
  console.remark(file.notes);
  return heatfront::grow(session, file.nodes, file.targets, now());
}

std::int64_t now() {
  const char* const told = std::getenv("SOURCE_DATE_EPOCH");  // so that files can come out the same again
  const auto seconds = told == nullptr ? std::nullopt : parse_integer(told);
  return seconds.value_or(static_cast<std::int64_t>(std::time(nullptr)));
}

void FlowArguments::add_to(Flags& flags, const std::string& what_memory_does) {
  data.add_to(flags);
  split.add_to(
      flags, "Seed of a random split",
      judges ? "'percent 40,40' where every class has five labels, and with fewer none: every label is held"
             : "none: every label is held");
  flags.option("--known", known,
               "Labels held fixed: train, train+validation, all, or a CSV file of node,label; without it: "
               "train where there is a split, else all",
               "WHICH");
  flags.option("--lambda", options.lambda, "Speed of the flow; only lambda times the time counts", "X");
  flags.option("--tolerance", options.solve.tolerance,
               "Largest error of the answer, relative to the size of the initial state", "X");
  flags.option("--laplacian", laplacian,
               laplacian_names() + "; default: symmetric, and random-walk for --values and --many-labels",
               "KIND");
  flags.flag("--no-self-loops", no_self_loops, "No loops on nodes");
  flags.option("--self-loop-weight", self_loop, "Weight of the loop on every node", "X");
  flags.option(
      "--front", front,
      "Start from this front, the temperatures of all nodes at time 0 (nodes × classes), instead of zero",
      "FILE.npy");
  flags.flag("--free", free, "Hold nothing fixed: labels (or the front) are only the start");
  flags.option("--label-scale", label_scale, "Temperature of a known label", "X");
  flags.option("--reorder", reorder, "Order of the nodes while solving. " + described(reorderings()), "NAME");
  flags.option("--memory", memory_megabytes, "Megabytes for the states; " + what_memory_does, "MB");
}

FlowOptions FlowArguments::flow_options(const std::string& usual_laplacian) const {
  FlowOptions result = options;
  result.laplacian = {.kind = laplacian_kind(laplacian.empty() ? usual_laplacian : laplacian),
                      .self_loop = no_self_loops ? 0 : self_loop};
  result.reorder = find_reordering(reorder);
  for (const OptionField& field : fields(result)) {
    if (field.name == "lambda" || field.name == "tolerance" || field.name == "step")
      check_options({field}, fmt::format("--{}", field.name));
  }
  if (memory_megabytes < 0 || memory_megabytes > kMostMegabytes) {
    fail("--memory {}: it must be a number of megabytes from 1 to {}, or 0 for no limit", memory_megabytes,
         kMostMegabytes);
  }
  result.memory_limit = memory_megabytes << 20;
  return result;
}

bool FlowArguments::has_split(const Dataset& dataset) const {
  if (dataset.split || !split.split.empty()) return true;
  if (known.empty()) return judges && has_labels_to_judge(dataset);
  const KnownSource* const source = find_known_source(known);
  return source != nullptr && (source->train || source->validation);
}

FlowTask FlowArguments::open(Dataset opened) const {
  check_spreads(opened, data.data);
  FlowTask task = task_of(std::move(opened));
  check(task);
  return task;
}

PartedTask FlowArguments::open_parts(Console& console) const {
  PartedTask parted{.index = read_index(data.data), .task = {}};
  Dataset nodes = read_partition_nodes(data.data, parted.index, console.threads());
  if (parted.index.arcs == 0) fail("{} has no edges for heat to flow along", nodes.name);
  parted.task = task_of(std::move(nodes));
  return parted;
}

FlowTask FlowArguments::task_of(Dataset opened) const {
  FlowTask task{.dataset = std::move(opened), .opened = data.data};
  const Dataset& dataset = task.dataset;
  const bool split_there = has_split(dataset);
  if (split_there) task.split = split.choose(dataset);
  check_classes(dataset);
  if (!front.empty()) task.front = read_front(front, dataset);
  task.known_from = known.empty() ? std::string(default_known_source(split_there).name) : known;
  task.known = read_known_labels(task.known_from, dataset, task.split);
  task.label_scale = label_scale;
  task.free = free;
  task.options = flow_options("symmetric");
  check_known(task);
  return task;
}

TargetFlowTask FlowArguments::open_targets(Dataset dataset) const {
  if (!front.empty() || free || label_scale != 1)
    fail("--front, --free and --label-scale are for labels that are classes; these are not");
  TargetFlowTask task;
  task.dataset = std::move(dataset);
  const bool split_there = has_split(task.dataset);
  if (split_there) task.split = split.choose(task.dataset);
  task.known_from = known.empty() ? std::string(default_known_source(split_there).name) : known;
  task.known = read_known_targets(task.known_from, task.dataset, task.split);
  task.options = flow_options("random-walk");
  check(task);
  return task;
}

void ToldNodes::add(NodeId u, const std::string& flag) {
  const auto [told, is_new] = flags_.emplace(u, flag);
  if (!is_new)
    throw WrongUse(fmt::format("{} and {} both speak of node {}; keep one of them", told->second, flag,
                               in_quotes(data_.node_name(u))));
}

std::string shell_word(const std::string& text) {
  return text.find(' ') == text.npos ? text : "\"" + text + "\"";
}

}  // namespace heatfront::cli
