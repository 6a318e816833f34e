// SPDX-License-Identifier: MIT
#include "fuzz/model_uses.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "fuzz/feeding.h"
#include "heatfront/graph/components.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/suggest.h"
#include "heatfront/train/fit.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_io/tables/write_predictions.h"
#include "heatfront_report/evaluation_report.h"
#include "heatfront_report/evaluation_tables.h"
#include "support/small_data.h"

namespace heatfront::fuzz {
namespace fs = std::filesystem;
namespace {

constexpr ClassId kManyClasses =
    1000;  // with more, what takes time by their square takes too long to be searched

void require_finite(double value, const std::string& what) {
  require(std::isfinite(value), what + " that is not finite");
}

void require_answer(const Answer& answer, const Dataset& data) {
  const std::size_t n = at(data.nodes());
  const Decisions& decisions = answer.decisions;
  require(decisions.classes.size() == n && decisions.confidence.size() == n && decisions.margin.size() == n,
          "not one decision a node");
  for (std::size_t u = 0; u < n; ++u) {
    require(decisions.classes[u] >= 0 && decisions.classes[u] < data.classes(), "a class that is none");
    require(decisions.confidence[u] >= 0 && decisions.confidence[u] <= 1, "a confidence that is no share");
    require_finite(static_cast<double>(decisions.margin[u]), "a margin");
  }
}

std::vector<std::vector<Real>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<Real>> rows;
  for (std::int64_t i = 0; i < matrix.rows(); ++i)
    rows.emplace_back(matrix.row(i).begin(), matrix.row(i).end());
  return rows;
}

void require_same(const TrainedModel& model, const TrainedModel& again) {
  fuzz::require_same(model.data, again.data, "a model");
  require(model.model == again.model && model.options == again.options && model.seed == again.seed &&
              model.theta == again.theta && model.weights == again.weights &&
              model.known.nodes == again.known.nodes && model.known.classes == again.known.classes &&
              model.best_epoch == again.best_epoch && model.selected_by == again.selected_by &&
              model.fingerprint.whole() == again.fingerprint.whole() &&
              rows_of(model.front) == rows_of(again.front),
          "another model when written and read again");
  require(model.network.size() == again.network.size() && model.history.size() == again.history.size() &&
              model.log.size() == again.log.size(),
          "another network, history or log when written and read again");
}

void write_and_read_again(const TrainedModel& model) {
  const fs::path path = scratch() / "again.hf";
  write_model(model, path);
  require_same(model, read_model(path, one_thread()));
  require_same(model, read_model(model_bytes(model), one_thread()));
}

std::vector<Prediction> predictions(const Answer& answer, const std::vector<std::vector<ClassId>>& others) {
  std::vector<Prediction> result;
  for (std::size_t u = 0; u < others.size(); ++u) {
    result.push_back({answer.decisions.classes[u], answer.decisions.confidence[u], answer.decisions.margin[u],
                      name_of(answer.decisions.status[u])});
    const std::vector<double> shares = class_shares(answer, static_cast<NodeId>(u));
    for (ClassId c : others[u]) result.back().others.push_back({c, static_cast<Real>(shares[at(c)])});
  }
  return result;
}

// `info`, `convert`, `split`, `solve`, `sweep` and `train`, to which a model is data like any other.
void use_as_data(const Dataset& data) {
  require_whole(data);
  connected_components(data.graph);
  homophily(data.graph, data.labels);
  if (data.split) untrained_classes(data, *data.split);
  const fs::path folder = scratch() / "csv";
  fs::remove_all(folder);
  done_or_refused([&] { write_csv(data, folder); });
  done_or_refused([&] { choose_split(data, "percent 40,40", 0); });
  done_or_refused([&] {
    KnownLabels known;
    for (NodeId u = 0; u < data.nodes(); u += 3) {
      if (data.labels[at(u)] == kUnknown) continue;
      known.nodes.push_back(u);
      known.classes.push_back(data.labels[at(u)]);
    }
    const DirichletProblem problem{
        .graph = data.graph, .weights = data.weights, .classes = data.classes(), .known = known};
    require_answer(solve_and_decide(problem, {}, one_thread()), data);
    const std::vector<double> times = {0.5, 2};
    if (data.split) sweep_times(data, *data.split, problem, {}, times, one_thread(), {});
  });
  done_or_refused([&] { fit(data, {.preset = {"none"}, .settings = {"epochs=1"}}, one_thread()); });
}

void predict(const TrainedModel& model) {
  Session session(model, one_thread());
  const Answer answer = session.solve();
  require_answer(answer, model.data);
  std::vector<std::vector<ClassId>> others;
  for (NodeId u = 0; u < model.data.nodes(); ++u)
    others.push_back(ranked_classes(answer.temperatures.values.row(u), 3));
  write_predictions(model.data, predictions(answer, others), scratch() / "predictions.csv");
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  for (const auto* part : {&judges.validation, &judges.test})
    accuracy(answer.temperatures.values, model.data.labels, *part);
  check_fits(model, model.data);
}

void evaluate_by(const TrainedModel& model, const std::string& score) {
  Session session(model, one_thread());
  const Answer answer = session.solve();
  const Evaluation evaluation = evaluate(session.model(), answer, {.coverage = 0.8, .score = score});
  const Dataset& data = session.model().data;
  summary_rows(evaluation, data);
  class_rows(evaluation.classes, data);
  confusion_rows(evaluation, data);
  mistake_rows(evaluation, data, 3);
  set_size_rows(evaluation);
  group_rows("degree", evaluation.by_degree);
  remarks_on(evaluation);
  html_of(evaluation, session);
  std::vector<std::vector<ClassId>> sets;
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (double share : calibrated_shares(evaluation, answer, u)) require_finite(share, "a share");
    sets.push_back(evaluation.sets.set_of(class_shares(answer, u)));
  }
  write_predictions(data, predictions(answer, sets), scratch() / "sets.csv");
}

void label(const TrainedModel& model, bool undo) {
  Session session(model, one_thread());
  const Answer before = session.solve();
  if (undo) session.undo();
  session.begin_batch();
  const ClassId added = session.add_class("a class that is new");
  session.include_validation();
  const fs::path file = scratch().write("labels.csv", "node,label\n");
  for (const NodeLabel& entry : read_label_file(file, session.model().data).labels)
    session.set(entry.node, entry.label);
  session.unset(0);
  session.set(0, added);
  session.close_batch();
  if (session.flows()) session.set_label_scale(2);
  const Answer after = session.solve();
  require_answer(after, session.model().data);
  for (const ChangedNode& node : changed(before, after))
    require_finite(static_cast<double>(node.moved), "a move");
  write_and_read_again(session.model());
  session.undo();
  require(session.model().data.class_names.size() <= model.data.class_names.size(),
          "a class that undo did not take back");
  write_and_read_again(session.model());
}

void suggest_by(const TrainedModel& model, SuggestBy by) {
  Session session(model, one_thread());
  const Answer answer = session.solve();
  for (const Suggestion& node : suggest(session, answer, {.count = 3, .by = by}))
    require(node.node >= 0 && node.node < model.data.nodes(), "a suggestion that is no node");
}

void explain_nodes(const TrainedModel& model) {
  Session session(model, one_thread());
  for (NodeId u : {NodeId(0), model.data.nodes() - 1}) {
    const Explanation e = explain(session, session.solve(), u, {.times = 5, .without = 1});
    require_finite(e.lead, "a lead");
    require(e.label >= 0 && e.label < model.data.classes(), "a class that is none");
  }
}

Dataset seed_data() {
  Dataset data =
      test::small_data("blocks:blocks=3,size=5,inside=0.7,across=0.1", "per-class 2,2", one_thread());
  data.class_names = {"red", "blue", "é"};
  Matrix features(data.nodes(), 2);
  for (NodeId u = 0; u < data.nodes(); ++u) features(u, u % 2) = Real(u);
  data.features = Features(std::move(features));
  return data;
}

Dataset named_weighted_data() {
  Dataset data = seed_data();
  for (NodeId u = 0; u < data.nodes(); ++u) data.node_names.push_back(fmt::format("n{}", u));
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (NodeId v : data.graph.neighbours(u)) data.weights.push_back(Real(1) / Real(1 + u + v));
  }
  return data;
}

test::Entries arrays_of(const TrainedModel& model) {
  const fs::path path = scratch() / "seed.hf";
  write_model(model, path);
  return test::entries_of(path);
}

TrainedModel trained(const Dataset& data, const std::string& model, std::vector<std::string> settings) {
  settings.push_back("epochs=1");
  return fit(data, {.model = model, .preset = {"none"}, .settings = std::move(settings)}, one_thread()).model;
}

TrainedModel relabelled(TrainedModel model) {
  Session session(std::move(model), one_thread());
  session.set(4, 1);
  session.set(4, session.add_class("late"));
  return session.model();
}

}  // namespace

const std::vector<SeedModel>& seed_models() {
  static const std::vector<SeedModel> models = [] {
    const Dataset data = seed_data(), weighted = named_weighted_data();
    const std::vector<std::pair<std::string, TrainedModel>> made = {
        {"heat-front with weights learned and labels changed",
         relabelled(trained(weighted, "heat-front", {"edge_weights=free", "hidden=4"}))},
        {"heat-front", trained(data, "heat-front", {"hidden=4"})},
        {"gcn", trained(data, "gcn", {"hidden=4"})},
        {"gat", trained(data, "gat", {})},
        {"mlp", trained(weighted, "mlp", {"hidden=4"})},
        {"correct-and-smooth", relabelled(trained(data, "correct-and-smooth", {"hidden=4"}))},
        {"correct-and-smooth on heat-front",
         trained(weighted, "correct-and-smooth", {"base=heat-front", "hidden=4"})},
        {"label-propagation", relabelled(trained(weighted, "label-propagation", {}))},
        {"label-propagation of zhou", trained(data, "label-propagation", {"variant=zhou"})}};
    std::vector<SeedModel> result;
    for (const auto& [name, model] : made) result.push_back({name, arrays_of(model)});
    return result;
  }();
  return models;
}

test::Entries with_own_fingerprints(test::Entries arrays) {
  const fs::path path = test::write_zip(scratch() / "fingerprint.hf", arrays);
  std::optional<DatasetFingerprint> own;
  done_or_refused([&] { own = fingerprint(read_npz(path, {}, one_thread())); });
  const auto put = [&](std::string_view array, const std::string& print) {
    const auto found = std::ranges::find(arrays, array, &test::Entries::value_type::first);
    if (found == arrays.end() || print.empty()) return;
    const std::vector<char32_t> letters(print.begin(), print.end());
    found->second = test::npy(fmt::format("<U{}", print.size()), {1}, test::bytes_of(letters));
  };
  if (own) {
    put("graph_fingerprint.npy", own->graph);
    put("split_hash.npy", own->split);
  }
  return arrays;
}

bool use_model(const fs::path& path) {
  std::optional<Dataset> data;
  if (done_or_refused([&] { data = read_npz(path, {}, one_thread()); })) use_as_data(*data);
  std::optional<TrainedModel> model;
  const bool good = done_or_refused([&] { model = read_model(path, one_thread()); });
  const std::string bytes = test::file_text(path);
  require(done_or_refused([&] { read_model(std::as_bytes(std::span(bytes)), one_thread()); }) == good,
          "read from memory otherwise than from a file");
  if (!good) return false;
  require_whole(model->data);
  write_and_read_again(*model);
  done_or_refused([&] { predict(*model); });
  for (const char* score : {"lac", "aps"}) done_or_refused([&] { evaluate_by(*model, score); });
  for (const bool undo : {false, true}) done_or_refused([&] { label(*model, undo); });
  done_or_refused([&] { suggest_by(*model, SuggestBy::margin); });
  if (model->data.classes() > kManyClasses) return true;
  done_or_refused([&] { suggest_by(*model, SuggestBy::expected_change); });
  done_or_refused([&] { explain_nodes(*model); });
  return true;
}

}  // namespace heatfront::fuzz
