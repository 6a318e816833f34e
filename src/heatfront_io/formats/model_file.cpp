// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/model_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/model_arrays.h"

namespace heatfront {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::string_view kNetwork = "network.";
constexpr std::int32_t kFromData = 0, kFromReview = 1;

struct HistoryColumn {
  std::string_view name;
  double EpochReport::*value;
};
constexpr std::array<HistoryColumn, 5> kHistory = {
    {{"history_loss", &EpochReport::loss},
     {"history_validation_loss", &EpochReport::validation_loss},
     {"history_train_accuracy", &EpochReport::train_accuracy},
     {"history_validation_accuracy", &EpochReport::validation_accuracy},
     {"history_test_accuracy", &EpochReport::test_accuracy}}};

void add_log(NpzWriter& npz, std::span<const LabelChange> log) {
  std::vector<std::int64_t> batches, times;
  std::vector<NodeId> nodes;
  std::vector<ClassId> before, after;
  std::vector<std::int32_t> from;
  for (const LabelChange& change : log) {
    times.push_back(change.time);
    from.push_back(change.from == LabelSource::data ? kFromData : kFromReview);
    batches.push_back(change.batch);
    nodes.push_back(change.node);
    before.push_back(change.before);
    after.push_back(change.after);
  }
  npz.add("log_batch", std::move(batches));
  npz.add("log_node", std::move(nodes));
  npz.add("log_before", std::move(before));
  npz.add("log_after", std::move(after));
  npz.add("log_time", std::move(times));
  npz.add("log_from", std::move(from));
}

// An array that must be there, of a length that must be so.
NpyArray take(const NpzReader& npz, std::string_view name) {
  if (!npz.has(name)) fail("{}: array '{}' is missing; the file is not a whole model", npz.where(), name);
  return npz.read(name);
}

template <class Values>
void check_length(const NpzReader& npz, std::string_view name, const Values& values, std::int64_t length) {
  if (std::ssize(values) != length)
    fail("{}: array '{}' has {} entries; it must have {}", npz.where(), name, values.size(), length);
}

}  // namespace

void add_history(NpzWriter& npz, std::span<const EpochReport> history) {
  std::vector<std::int64_t> epochs;
  for (const EpochReport& report : history) epochs.push_back(report.epoch);
  npz.add("history_epoch", std::move(epochs));
  for (const HistoryColumn& column : kHistory) {
    std::vector<double> values;
    for (const EpochReport& report : history) values.push_back(report.*column.value);
    npz.add(column.name, std::move(values));
  }
}

std::string take_text(const NpzReader& npz, std::string_view name) {
  const std::vector<std::string> texts = to_strings(take(npz, name));
  if (texts.size() != 1) fail("{}: array '{}' has {} texts; it must have 1", npz.where(), name, texts.size());
  return texts.front();
}

std::int64_t take_number(const NpzReader& npz, std::string_view name) {
  const std::vector<std::int64_t> values = to_int64(take(npz, name));
  if (values.size() != 1)
    fail("{}: array '{}' has {} entries; it must have 1", npz.where(), name, values.size());
  return values.front();
}

std::vector<EpochReport> take_history(const NpzReader& npz) {
  std::vector<EpochReport> history;
  for (std::int64_t epoch : to_int64(take(npz, "history_epoch"))) history.push_back({.epoch = epoch});
  for (const HistoryColumn& column : kHistory) {
    const std::vector<double> values = to_doubles(take(npz, column.name));
    check_length(npz, column.name, values, std::ssize(history));
    for (std::size_t i = 0; i < values.size(); ++i) history[i].*column.value = values[i];
  }
  return history;
}

namespace {

std::vector<LabelChange> take_log(const NpzReader& npz) {
  std::vector<LabelChange> log;
  for (std::int64_t batch : to_int64(take(npz, "log_batch"))) log.push_back({.batch = batch});
  const auto take_column = [&](std::string_view name, auto member) {
    const std::vector<std::int32_t> values = to_int32(take(npz, name));
    check_length(npz, name, values, std::ssize(log));
    for (std::size_t i = 0; i < values.size(); ++i) log[i].*member = values[i];
  };
  take_column("log_node", &LabelChange::node);
  take_column("log_before", &LabelChange::before);
  take_column("log_after", &LabelChange::after);
  if (npz.has("log_time")) {  // older files have neither
    const std::vector<std::int64_t> times = to_int64(npz.read("log_time"));
    check_length(npz, "log_time", times, std::ssize(log));
    for (std::size_t i = 0; i < times.size(); ++i) log[i].time = times[i];
  }
  if (npz.has("log_from")) {
    const std::vector<std::int32_t> from = to_int32(npz.read("log_from"));
    check_length(npz, "log_from", from, std::ssize(log));
    for (std::size_t i = 0; i < from.size(); ++i) {
      if (from[i] != kFromData && from[i] != kFromReview)
        fail("{}: 'log_from' holds {}; it must be {} (data) or {} (review)", npz.where(), from[i], kFromData,
             kFromReview);
      log[i].from = from[i] == kFromData ? LabelSource::data : LabelSource::review;
    }
  }
  return log;
}

std::vector<Real> take_reals(const NpzReader& npz, std::string_view name) {
  return npz.has(name) ? to_reals(npz.read(name)) : std::vector<Real>();
}

// What is there by arc is in the order of the graph that was written, and what the split chose and judged by is its own.
void check_prints(const TrainedModel& model, const std::string& where) {
  const DatasetFingerprint found = fingerprint(model.data);
  if (found.graph != model.fingerprint.graph)
    fail(
        "{}: its graph has fingerprint {}, but it was trained on one with {}; the file is not as it was "
        "written",
        where, found.graph, model.fingerprint.graph);
  if (found.split != model.fingerprint.split)
    fail("{}: its split has hash {}, but it was trained with {}; the file is not as it was written", where,
         found.split, model.fingerprint.split);
}

[[noreturn]] void refuse_other(const std::string& where) {
  fail("{} is not a model; `heatfront train DATA -o MODEL` makes one", where);
}

}  // namespace

void add_arrays(NpzWriter& npz, const TrainedModel& model) {
  npz.add(kModelMark, std::vector<std::int64_t>{kVersion});
  npz.add("model", std::vector<std::string>{model.model});
  npz.add("dataset", std::vector<std::string>{model.data.name});
  npz.add("options", model.options);
  npz.add("seed", std::vector<std::int64_t>{static_cast<std::int64_t>(model.seed)});
  add_dataset(npz, model.data);
  npz.add("split_name", std::vector<std::string>{model.split().name});
  npz.add("split_hash", std::vector<std::string>{model.split().hash()});
  npz.add("graph_fingerprint", std::vector<std::string>{model.fingerprint.graph});
  npz.add("features_fingerprint", std::vector<std::string>{model.fingerprint.features});
  npz.add("labels_fingerprint", std::vector<std::string>{model.fingerprint.labels});
  npz.add_reals("front", model.front.view());
  if (!model.theta.empty()) npz.add_reals("theta", model.theta);
  if (!model.weights.empty()) npz.add_reals("weights", model.weights);
  for (const NamedMatrix& matrix : model.network)
    npz.add_reals(std::string(kNetwork) + matrix.name, matrix.values.view());
  add_history(npz, model.history);
  npz.add("best_epoch", std::vector<std::int64_t>{model.best_epoch});
  npz.add("selected_by", std::vector<std::string>{model.selected_by});
  if (!model.left_out.nodes.empty()) {
    npz.add("left_out_nodes", std::span(model.left_out.nodes));
    npz.add_reals("left_out_shares", model.left_out.shares.view());
  }
  if (model.softening != 1) npz.add("softening", std::vector<double>{model.softening});
  npz.add("known_nodes", std::span(model.known.nodes));
  npz.add("known_classes", std::span(model.known.classes));
  add_log(npz, model.log);
  if (model.layout.rows() > 0) npz.add_reals("layout", model.layout.view());
  if (model.data.added > 0) npz.add(kAddedNodes, std::vector<std::int64_t>{model.data.added});
}

template <>
TrainedModel take_arrays(const NpzReader& npz, Threads& threads) {
  if (!npz.has(kModelMark)) refuse_other(npz.where());
  if (const std::int64_t version = take_number(npz, kModelMark); version != kVersion) {
    if (version == kTargetModelVersion && npz.has("label_kind"))
      fail("{} is a model of {}; this is for models of classes", npz.where(), take_text(npz, "label_kind"));
    fail("{} is a model of version {}; this heatfront reads version {}", npz.where(), version, kVersion);
  }
  TrainedModel model{.model = take_text(npz, "model"),
                     .options = to_strings(take(npz, "options")),
                     .seed = static_cast<std::uint64_t>(take_number(npz, "seed")),
                     .data = take_dataset(npz, {}, threads)};
  model.data.name = take_text(npz, "dataset");
  model.data.notes.clear();
  if (!model.data.split) fail("{}: array 'train_idx' is missing; the file is not a whole model", npz.where());
  model.data.split->name = take_text(npz, "split_name");
  model.fingerprint = {.graph = take_text(npz, "graph_fingerprint"),
                       .features = take_text(npz, "features_fingerprint"),
                       .labels = take_text(npz, "labels_fingerprint"),
                       .split = take_text(npz, "split_hash")};
  model.front = to_matrix(take(npz, "front"));
  model.theta = take_reals(npz, "theta");
  model.weights = take_reals(npz, "weights");
  for (const std::string& name : npz.names()) {
    if (name.starts_with(kNetwork))
      model.network.push_back({name.substr(kNetwork.size()), to_matrix(npz.read(name))});
  }
  model.history = take_history(npz);
  model.best_epoch = take_number(npz, "best_epoch");
  model.selected_by = take_text(npz, "selected_by");
  if (npz.has("left_out_nodes"))
    model.left_out = {.nodes = to_int32(npz.read("left_out_nodes")),
                      .shares = to_matrix(take(npz, "left_out_shares"))};
  if (npz.has("softening")) {
    const std::vector<double> softening = to_doubles(npz.read("softening"));
    if (softening.size() != 1)
      fail("{}: 'softening' has {} numbers; it must have one", npz.where(), softening.size());
    model.softening = softening.front();
  }
  model.known = {.nodes = to_int32(take(npz, "known_nodes")),
                 .classes = to_int32(take(npz, "known_classes"))};
  model.log = take_log(npz);
  if (npz.has("layout")) model.layout = to_matrix(npz.read("layout"));
  model.data.added = take_added_nodes(npz, model.data);
  check(model, npz.where());
  check_prints(model, npz.where());
  return model;
}

NpzReader open_model_archive(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored) && !begins_as_zip(path)) refuse_other(path.string());
  return NpzReader(path);
}

void write_model(const TrainedModel& model, const std::filesystem::path& path) { write_archive(model, path); }

std::vector<std::byte> model_bytes(const TrainedModel& model) { return archive_bytes(model); }

bool is_model(const std::filesystem::path& path) {
  try {
    return begins_as_zip(path) && NpzReader(path).has(kModelMark);
  } catch (const Error&) {
    return false;  // a damaged file
  }
}

TrainedModel read_model(const std::filesystem::path& path, Threads& threads) {
  return read_archive<TrainedModel>(path, threads);
}

TrainedModel read_model(std::span<const std::byte> bytes, Threads& threads) {
  return read_archive<TrainedModel>(bytes, threads);
}

void check_keeps_reviews(const std::filesystem::path& path, const Dataset& dataset, Threads& threads) {
  if (!is_model(path)) return;
  const NpzReader npz = open_model_archive(path);
  if (holds_targets(npz)) return;
  const auto model = take_arrays<TrainedModel>(npz, threads);
  std::map<std::string, std::string> reviewed;  // node → class
  for (const LabelChange& change : model.log) {
    if (change.from != LabelSource::review) continue;
    const std::string node = model.data.node_name(change.node);
    reviewed.erase(node);
    if (change.after != kUnknown) reviewed[node] = class_name(model.data, change.after);
  }
  for (NodeId u = 0; u < dataset.nodes() && !reviewed.empty(); ++u) {
    const ClassId label = dataset.labels[at(u)];
    const auto review = reviewed.find(dataset.node_name(u));
    if (review != reviewed.end() && label != kUnknown && class_name(dataset, label) == review->second)
      reviewed.erase(review);
  }
  if (!reviewed.empty())
    fail(
        "{0} exists already and holds {1} set by hand that {2} does not have ('{3}' for one); `heatfront "
        "label {0} "
        "--train -o {0}` trains it again with them, and `heatfront label {0} --export FILE.csv` keeps them; "
        "else give another file, or remove it",
        path.string(), counted(std::ssize(reviewed), "label"), dataset.name,
        printable(reviewed.begin()->first));
}

void check_fits(const TrainedModel& model, const Dataset& dataset) {
  const std::string found = fingerprint(dataset).graph;
  if (found != model.fingerprint.graph) {
    fail(
        "{}: its graph has fingerprint {}, but the model was trained on {} with {}; train again, or give "
        "that data",
        dataset.name, found, model.data.name, model.fingerprint.graph);
  }
}

}  // namespace heatfront
