// SPDX-License-Identifier: MIT
#include "heatfront/models/trained_model.h"

#include <cmath>
#include <vector>

#include "heatfront/base/checks.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

bool is_about(std::string_view line, std::string_view name) {
  return line.starts_with(name) && line.substr(name.size()).starts_with(" =");
}

void check_front(const TrainedModel& model, const std::string& where) {
  const Matrix& front = model.front;
  if (front.rows() != model.data.nodes() || front.cols() > model.data.classes() || front.cols() == 0) {
    fail("{}: 'front' has shape ({}, {}); it must have {} rows and from 1 to {} columns", where, front.rows(),
         front.cols(), model.data.nodes(), model.data.classes());
  }
  const std::string what = where + ": 'front'";
  for (std::int64_t u = 0; u < front.rows(); ++u) require_numbers(what, front.row(u), kLargestScore);
}

// Both directions of an edge have one weight.
void check_weights(const TrainedModel& model, const std::string& where) {
  const Graph& graph = model.data.graph;
  require_weights(where + ": 'weights'", model.weights, graph.arcs());
  if (!model.theta.empty())
    require_count(where + ": 'theta'", std::ssize(model.theta), graph.arcs(), "one per arc");
  require_numbers(where + ": 'theta'", model.theta);
  if (model.weights.empty() || model.weights == model.data.weights) return;
  const std::vector<ArcId> reverse = reverse_arcs(graph);
  for (std::size_t a = 0; a < reverse.size(); ++a) {
    if (model.weights[a] != model.weights[at(reverse[a])])
      fail("{}: 'weights' of an edge are {} and {}; both of its directions must have the same", where,
           model.weights[a], model.weights[at(reverse[a])]);
  }
}

void check_log(const TrainedModel& model, const std::string& where) {
  constexpr std::int64_t kMostBatches = std::int64_t{1} << 62;
  constexpr std::int64_t kLastTime = 253'402'300'799;  // of the year 9999
  std::vector<NodeId> nodes;
  std::vector<ClassId> before, after;
  for (const LabelChange& change : model.log) {
    nodes.push_back(change.node);
    before.push_back(change.before);
    after.push_back(change.after);
    if (change.batch < 0 || change.batch > kMostBatches)
      fail("{}: 'log_batch' holds {}; it must be from 0 to {}", where, change.batch, kMostBatches);
    if (change.time < 0 || change.time > kLastTime)
      fail("{}: 'log_time' holds {}; it must be from 0 to {}", where, change.time, kLastTime);
  }
  require_ids(where + ": 'log_node'", nodes, 0, model.data.nodes());
  require_ids(where + ": 'log_before'", before, kUnknown, model.data.classes());
  require_ids(where + ": 'log_after'", after, kUnknown, model.data.classes());
}

void check_layout(const TrainedModel& model, const std::string& where) {
  const Matrix& layout = model.layout;
  if (layout.rows() == 0) return;
  if (layout.rows() != model.data.nodes() || layout.cols() != 2)
    fail("{}: 'layout' has shape ({}, {}); it must have {} rows and 2 columns", where, layout.rows(),
         layout.cols(), model.data.nodes());
  const std::string what = where + ": 'layout'";
  for (std::int64_t u = 0; u < layout.rows(); ++u) require_numbers(what, layout.row(u));
}

}  // namespace

const Split& TrainedModel::split() const {
  if (!data.split) fail("{} has no split that says which labels train", data.name);
  return *data.split;
}

void TrainedModel::read_options(const OptionFields& wanted) const {
  for (const std::string& line : options) {
    for (const OptionField& field : wanted) {
      if (is_called(field, std::string_view(line).substr(0, line.find(" ="))))
        heatfront::set_option(wanted, line, "the model's options");
    }
  }
}

HeatFrontOptions TrainedModel::heat_front_options() const {
  HeatFrontOptions result;
  read_options(fields(result));
  return result;
}

std::string TrainedModel::chosen() const {
  std::string text;
  read_options({{kChosenOption, &text, ""}});
  return text;
}

void TrainedModel::set_option(std::string_view name, std::string_view value) {
  std::erase_if(options, [&](const std::string& line) { return is_about(line, name); });
  options.push_back(std::string(name) + " = " + std::string(value));
}

void check(const TrainedModel& model, const std::string& where) {
  try {
    const auto options = find_model(model.model).options();
    model.read_options(options->fields());
    check(model.known, model.data.nodes(), model.data.classes());
  } catch (const Error& error) {
    fail("{}: {}", where, error.what());
  }
  check(model.data, where);
  if (model.data.added < 0 || model.data.added >= model.data.nodes())
    fail("{}: {} of {} nodes came after training; it must be fewer than all", where, model.data.added,
         model.data.nodes());
  check_labelled_split(model.data, where);
  check_front(model, where);
  check_weights(model, where);
  if (!(model.softening >= kLeastSoftening && model.softening <= kMostSoftening))
    fail("{}: 'softening' is {}; it must be from {} to {}", where, model.softening, kLeastSoftening,
         kMostSoftening);
  check(model.left_out, model.data.nodes(), model.data.classes(), where);
  for (NodeId u : model.left_out.nodes) {
    if (model.data.labels[at(u)] == kUnknown)
      fail("{}: 'left_out_nodes' has node {}, which has no label; it must be one that trained", where, u);
  }
  check_log(model, where);
  check_layout(model, where);
}

}  // namespace heatfront
