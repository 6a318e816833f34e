// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/target_model_file.h"

#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/model_arrays.h"
#include "heatfront_io/formats/target_arrays.h"

namespace heatfront {
namespace {

constexpr std::string_view kHeldLabels = "known_";

NpyArray needed(const NpzReader& npz, std::string_view name) {
  if (!npz.has(name)) fail("{}: array '{}' is missing; the file is not a whole model", npz.where(), name);
  return npz.read(name);
}

std::string needed_text(const NpzReader& npz, std::string_view name) {
  std::vector<std::string> texts = to_strings(needed(npz, name));
  if (texts.size() != 1) fail("{}: array '{}' has {} texts; it must have 1", npz.where(), name, texts.size());
  return std::move(texts.front());
}

double needed_number(const NpzReader& npz, std::string_view name) {
  const std::vector<double> values = to_doubles(needed(npz, name));
  if (values.size() != 1)
    fail("{}: array '{}' has {} entries; it must have 1", npz.where(), name, values.size());
  return values.front();
}

// A change as two rows of the columns; before or after may be missing, as its mark says.
void add_target_log(NpzWriter& npz, const TargetModel& model) {
  const std::size_t columns = model.data.targets.columns();
  std::vector<std::int64_t> batches, times;
  std::vector<NodeId> nodes;
  std::vector<std::uint8_t> marks;
  std::vector<double> rows;
  for (const TargetChange& change : model.log) {
    batches.push_back(change.batch);
    times.push_back(change.time);
    nodes.push_back(change.node);
    marks.push_back(
        static_cast<std::uint8_t>((change.before.empty() ? 0 : 1) + (change.after.empty() ? 0 : 2)));
    for (const auto* row : {&change.before, &change.after}) {
      for (std::size_t c = 0; c < columns; ++c) rows.push_back(row->empty() ? 0 : (*row)[c]);
    }
  }
  npz.add("log_batch", std::move(batches));
  npz.add("log_node", std::move(nodes));
  npz.add("log_has", std::move(marks));
  npz.add("log_values", std::move(rows));
  npz.add("log_time", std::move(times));
}

std::vector<TargetChange> take_target_log(const NpzReader& npz, std::size_t columns) {
  const std::vector<std::int64_t> batches = to_int64(needed(npz, "log_batch"));
  const std::vector<std::int32_t> nodes = to_int32(needed(npz, "log_node")),
                                  marks = to_int32(needed(npz, "log_has"));
  const std::vector<double> rows = to_doubles(needed(npz, "log_values"));
  const std::vector<std::int64_t> times = npz.has("log_time")
                                              ? to_int64(npz.read("log_time"))  // not in older files
                                              : std::vector<std::int64_t>(batches.size());
  if (nodes.size() != batches.size() || marks.size() != batches.size() || times.size() != batches.size() ||
      rows.size() != 2 * columns * batches.size())
    fail("{}: the arrays of the log differ in length; the file is not as it was written", npz.where());
  std::vector<TargetChange> log;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const auto row = [&](std::size_t which) {
      const auto part = std::span(rows).subspan((2 * i + which) * columns, columns);
      return (marks[i] >> which) & 1 ? std::vector<double>(part.begin(), part.end()) : std::vector<double>();
    };
    log.push_back(
        {.batch = batches[i], .node = nodes[i], .before = row(0), .after = row(1), .time = times[i]});
  }
  return log;
}

}  // namespace

void add_arrays(NpzWriter& npz, const TargetModel& model) {
  npz.add(kModelMark, std::vector<std::int64_t>{kTargetModelVersion});
  npz.add("model", std::vector<std::string>{model.model});
  npz.add("dataset", std::vector<std::string>{model.data.name});
  npz.add("options", model.options);
  add_dataset(npz, model.data);
  npz.add("split_name", std::vector<std::string>{model.split().name});
  npz.add("split_hash", std::vector<std::string>{model.split().hash()});
  npz.add("graph_fingerprint", std::vector<std::string>{model.fingerprint.graph});
  npz.add("features_fingerprint", std::vector<std::string>{model.fingerprint.features});
  npz.add("labels_fingerprint", std::vector<std::string>{model.fingerprint.labels});
  npz.add("centres", model.units.centre);
  npz.add("scales", model.units.scale);
  std::vector<FrontSetting> settings;
  std::vector<double> kappas, weights;
  for (const FittedFront& front : model.fronts) {
    settings.push_back(front.setting);
    kappas.push_back(front.kappa);
    weights.push_back(front.weight);
  }
  npz.add("fronts", std::vector<std::string>{text_of(settings)});
  npz.add("front_scales", kappas);
  npz.add("front_weights", weights);
  if (model.front.rows() > 0) npz.add_reals("front", model.front.view());
  npz.add("flow_time", std::vector<double>{model.flow_time});
  npz.add("left_out_nodes", std::span(model.left_out));
  npz.add("left_out_values", std::span(model.left_out_said));
  npz.add("thresholds", std::span(model.thresholds));
  add_targets(npz, model.known, kHeldLabels);
  add_target_log(npz, model);
  if (model.data.added > 0) npz.add(kAddedNodes, std::vector<std::int64_t>{model.data.added});
}

template <>
TargetModel take_arrays(const NpzReader& npz, Threads& threads) {
  if (!npz.has(kModelMark)) fail("{} is not a model; `heatfront train DATA -o MODEL` makes one", npz.where());
  if (const double version = needed_number(npz, kModelMark);
      version != static_cast<double>(kTargetModelVersion))
    fail("{} is a model of version {}; models of values have version {}", npz.where(), version,
         kTargetModelVersion);
  TargetModel model;
  model.model = needed_text(npz, "model");
  model.options = to_strings(needed(npz, "options"));
  model.data = take_dataset(npz, {}, threads);
  model.data.name = needed_text(npz, "dataset");
  model.data.notes.clear();
  if (!model.data.split) fail("{}: array 'train_idx' is missing; the file is not a whole model", npz.where());
  model.data.split->name = needed_text(npz, "split_name");
  model.fingerprint = {.graph = needed_text(npz, "graph_fingerprint"),
                       .features = needed_text(npz, "features_fingerprint"),
                       .labels = needed_text(npz, "labels_fingerprint"),
                       .split = needed_text(npz, "split_hash")};
  model.units = {.centre = to_doubles(needed(npz, "centres")), .scale = to_doubles(needed(npz, "scales"))};
  const std::string fronts = needed_text(npz, "fronts");
  const std::vector<double> kappas = to_doubles(needed(npz, "front_scales")),
                            weights = to_doubles(needed(npz, "front_weights"));
  const std::vector<FrontSetting> settings =
      fronts.empty() ? std::vector<FrontSetting>() : front_settings(fronts);
  if (settings.size() != kappas.size())
    fail("{}: 'front_scales' has {} entries; it must have {}, one per front", npz.where(), kappas.size(),
         settings.size());
  if (settings.size() != weights.size())
    fail("{}: 'front_weights' has {} entries; it must have {}, one per front", npz.where(), weights.size(),
         settings.size());
  for (std::size_t i = 0; i < settings.size(); ++i)
    model.fronts.push_back({settings[i], kappas[i], weights[i]});
  if (npz.has("front")) model.front = to_matrix(npz.read("front"));
  model.flow_time = needed_number(npz, "flow_time");
  model.left_out = to_int32(needed(npz, "left_out_nodes"));
  model.left_out_said = to_doubles(needed(npz, "left_out_values"));
  model.thresholds = to_doubles(needed(npz, "thresholds"));
  model.known = take_targets(npz, kHeldLabels);
  model.log = take_target_log(npz, model.data.targets.columns());
  model.data.added = take_added_nodes(npz, model.data);
  check(model, npz.where());
  if (fingerprint(model.data).graph != model.fingerprint.graph)
    fail("{}: its graph is not the one that it was trained on; the file is not as it was written",
         npz.where());
  return model;
}

void write_model(const TargetModel& model, const std::filesystem::path& path) { write_archive(model, path); }

std::vector<std::byte> model_bytes(const TargetModel& model) { return archive_bytes(model); }

bool holds_targets(const NpzReader& npz) { return npz.has(kModelMark) && npz.has("known_kind"); }

bool is_target_model(const std::filesystem::path& path) {
  try {
    return begins_as_zip(path) && holds_targets(NpzReader(path));
  } catch (const Error&) {
    return false;  // whoever reads it says what is wrong
  }
}

TargetModel read_target_model(const std::filesystem::path& path, Threads& threads) {
  return read_archive<TargetModel>(path, threads);
}

TargetModel read_target_model(std::span<const std::byte> bytes, Threads& threads) {
  return read_archive<TargetModel>(bytes, threads);
}

}  // namespace heatfront
