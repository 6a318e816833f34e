// SPDX-License-Identifier: MIT
#include "heatfront_explore/explorer.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/suggest.h"
#include "heatfront_explore/assets.h"
#include "heatfront_explore/export_files.h"
#include "heatfront_explore/wire.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/figures.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"

namespace heatfront::explore {
namespace {

constexpr std::string_view kBytes = "application/octet-stream";
constexpr std::size_t kChangesListed = 50;  // of nodes that have another class
constexpr std::size_t kStepsListed = 100;   // of the history
constexpr std::int64_t kRoundsAtOnce = 10;  // of the layout, between two pictures
constexpr std::int64_t kMostSuggestions = 50;

Reply json_reply(const Json& object) {
  return {.body = object.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Reply bytes_reply(std::string bytes) { return {.type = std::string(kBytes), .body = std::move(bytes)}; }

Reply error_reply(int status, const std::string& what) {
  Reply reply = json_reply({{"error", what}});
  reply.status = status;
  return reply;
}

const std::string& wanted(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) fail("{}: ?{}= is missing", request.path, name);
  return found->second;
}

std::int64_t wanted_number(const Request& request, const std::string& name) {
  const auto number = parse_integer(wanted(request, name));
  if (!number) fail("{}: ?{}= must be a whole number", request.path, name);
  return *number;
}

NodeId wanted_node(const Request& request, const Dataset& data) {
  const std::int64_t number = wanted_number(request, "node");
  if (number < 0 || number >= data.nodes())
    fail("there is no node {}; nodes are 0 to {}", number, data.nodes() - 1);
  return static_cast<NodeId>(number);
}

Json body_of(const Request& request) {
  if (request.body.empty()) return Json::object();
  Json body = Json::parse(request.body);
  if (!body.is_object()) fail("{}: the body must be a JSON object", request.path);
  return body;
}

LabelChanges changes_of(const Json& body) {
  LabelChanges changes;
  for (const Json& pair : body.value("set", Json::array()))
    changes.set.push_back({pair.at(0).get<NodeId>(), pair.at(1).get<ClassId>()});
  for (const Json& node : body.value("unset", Json::array())) changes.unset.push_back(node.get<NodeId>());
  return changes;
}

Json history_json(const TrainedModel& model) {
  Json steps = Json::array();
  for (auto change = model.log.rbegin(); change != model.log.rend(); ++change) {
    if (steps.empty() || steps.back()["batch"] != change->batch) {
      if (steps.size() == kStepsListed) break;
      steps.push_back({{"batch", change->batch}, {"time", change->time}, {"count", 0}});
    }
    Json& step = steps.back();
    step["count"] = step["count"].get<std::int64_t>() + 1;
    step["node"] = change->node;
    step["name"] = model.data.node_name(change->node);
    step["before"] = change->before == kUnknown ? Json() : Json(class_name(model.data, change->before));
    step["after"] = change->after == kUnknown ? Json() : Json(class_name(model.data, change->after));
  }
  return steps;
}

// The features' own say: only where the front is made of them alone, before any heat flows.
bool has_front_of_features(const Session& session) {
  return session.entry().name == kHeatFront && session.entry().uses.features;
}

}  // namespace

struct Explorer::Route {
  std::string_view method, path;
  Reply (Explorer::*handle)(const Request& request);
};

const Explorer::Route* Explorer::find_route(const Request& request) {
  static constexpr std::array<Route, 19> kRoutes = {{{"GET", "/api/state", &Explorer::state},
                                                     {"GET", "/api/graph", &Explorer::graph},
                                                     {"GET", "/api/places", &Explorer::places},
                                                     {"GET", "/api/names", &Explorer::names},
                                                     {"GET", "/api/answer", &Explorer::answer},
                                                     {"GET", "/api/film", &Explorer::film},
                                                     {"GET", "/api/why", &Explorer::why},
                                                     {"GET", "/api/reach", &Explorer::reach},
                                                     {"GET", "/api/beside", &Explorer::beside},
                                                     {"GET", "/api/suggest", &Explorer::suggestions},
                                                     {"GET", "/api/disagree", &Explorer::disagreement},
                                                     {"GET", "/api/export", &Explorer::exported},
                                                     {"POST", "/api/label", &Explorer::label},
                                                     {"POST", "/api/class", &Explorer::new_class},
                                                     {"POST", "/api/undo", &Explorer::undo},
                                                     {"POST", "/api/redo", &Explorer::redo},
                                                     {"POST", "/api/save", &Explorer::save},
                                                     {"POST", "/api/train", &Explorer::train},
                                                     {"POST", "/api/quit", &Explorer::quit}}};
  const auto found = std::ranges::find_if(kRoutes, [&](const Route& route) {
    return route.method == request.method && route.path == request.path;
  });
  return found == kRoutes.end() ? nullptr : &*found;
}

Explorer::Explorer(TrainedModel model, ExplorerOptions options, Threads& threads)
    : options_(std::move(options)),
      threads_(threads),
      bench_(std::move(model), options_.file, options_.clock, threads) {
  const TrainedModel& opened = bench_.session().model();
  if (opened.data.classes() > kMostClasses)
    fail("{}: {} classes; the explorer shows at most {}", opened.data.name, opened.data.classes(),
         kMostClasses);
  if (opened.layout.rows() > 0) {
    places_ = opened.layout;
    rounds_ = options_.layout.rounds;
    return;
  }
  Layout layout(opened.data.graph, opened.weights.empty() ? opened.data.weights : opened.weights,
                options_.layout, threads);
  layout.advance(std::min(options_.first_rounds, options_.layout.rounds), threads);
  places_ = layout.positions();
  rounds_ = layout.rounds();
  laid_out_ = rounds_ >= options_.layout.rounds;
  if (!laid_out_)
    layout_thread_ =
        std::thread([this, begun = std::move(layout)]() mutable { improve_layout(std::move(begun)); });
}

Explorer::~Explorer() {
  closing_ = true;
  training_.stop();
  if (layout_thread_.joinable()) layout_thread_.join();
}

// With one thread, for whoever looks at the page comes first.
void Explorer::improve_layout(Layout layout) {
  Threads one(1);
  while (!closing_ && layout.rounds() < options_.layout.rounds) {
    layout.advance(std::min(kRoundsAtOnce, options_.layout.rounds - layout.rounds()), one);
    Matrix better = layout.positions();
    const std::lock_guard lock(mutex_);
    places_ = std::move(better);
    rounds_ = layout.rounds();
    ++places_version_;
  }
  laid_out_ = true;
}

void Explorer::finish_layout() {
  if (layout_thread_.joinable()) layout_thread_.join();
}

void Explorer::finish_training() { training_.wait(); }

Reply Explorer::handle(const Request& request) {
  if (gate_) {
    if (std::optional<Reply> refusal = gate_->refusal(request)) return *refusal;
  }
  if (request.method == "GET") {
    if (const Asset* asset = find_asset(request.path))
      return {.type = std::string(asset->type), .body = std::string(asset->text)};
  }
  const Route* route = find_route(request);
  if (route == nullptr) return error_reply(404, "there is nothing at " + request.path);
  try {
    const std::lock_guard lock(mutex_);
    take_training();
    return (this->*route->handle)(request);
  } catch (const Json::exception&) {
    return error_reply(400, request.path + ": the body is not the JSON that is expected here");
  } catch (const Error& error) {
    return error_reply(400, error.what());
  }
}

void Explorer::take_training() {
  if (training_.running()) return;
  if (const std::string error = training_.error(); !error.empty())
    training_note_ = "training failed: " + error;
  std::optional<TrainedAgain> trained = training_.taken();
  if (!trained) return;
  const std::string figures = std::isnan(trained->before)
                                  ? ""
                                  : fmt::format(" ({} before, {} after, by labels that were not told)",
                                                percent(trained->before), percent(trained->after));
  if (trained->better) {
    bench_.take(std::move(trained->model));
    training_note_ = fmt::format("trained: {} answers now{}", bench_.session().model().model, figures);
  } else {
    training_note_ = "trained, but the model before is better and stays" + figures;
  }
}

Reply Explorer::state(const Request&) {
  const Session& session = bench_.session();
  const TrainedModel& model = session.model();
  const Dataset& data = model.data;
  Json object = json_of(session, bench_.answer());
  object["version"] = bench_.version();
  object["nodes"] = data.nodes();
  object["edges"] = data.graph.edges();
  object["features"] = data.features.cols();
  object["classes"] = data.class_names;
  object["named"] = !data.node_names.empty();
  object["takes_labels"] = session.entry().takes_labels;
  object["explains"] = session.is_linear();
  object["has_front"] = has_front_of_features(session);
  object["history"] = history_json(model);
  object["undo"] = model.log.size();
  object["redo"] = bench_.can_redo();
  object["unsaved"] = bench_.unsaved();
  object["taken_up"] = bench_.taken_up();
  object["file"] = json_path(bench_.file());
  object["notes"] = options_.notes;
  object["beside"] = options_.beside.has_value();
  object["layout"] = {{"version", places_version_}, {"rounds", rounds_}, {"of", options_.layout.rounds}};
  const Progress progress = training_.progress();
  object["training"] = {{"running", training_.running()},
                        {"stage", progress.stage},
                        {"done", progress.done},
                        {"total", progress.total},
                        {"note", training_note_}};
  return json_reply(object);
}

Reply Explorer::graph(const Request&) { return bytes_reply(graph_bytes(bench_.data().graph, places_)); }

Reply Explorer::places(const Request& request) {
  if (wanted_number(request, "have") == places_version_) return {.status = 204};
  return bytes_reply(places_bytes(places_, places_version_));
}

Reply Explorer::names(const Request&) { return json_reply(bench_.data().node_names); }

Reply Explorer::answer(const Request&) {
  return bytes_reply(answer_bytes(bench_.answer().decisions, bench_.version()));
}

Reply Explorer::film(const Request&) { return bytes_reply(film_bytes(bench_.film(), bench_.version())); }

Reply Explorer::why(const Request& request) {
  const NodeId u = wanted_node(request, bench_.data());
  Session& session = bench_.session();
  const Answer& answer = bench_.answer();
  Json object;
  if (session.is_linear())
    object = json_of(explain(session, answer, u, {.made = 1, .curves = 0, .without = 1}), session);
  object["version"] = bench_.version();
  object["number"] = u;
  for (ClassId c = 0; c < bench_.data().classes(); ++c)
    object["shares"].push_back(share_of_class(answer, u, c));
  return json_reply(object);
}

Reply Explorer::reach(const Request& request) {
  const Reach reach = bench_.reach(wanted_node(request, bench_.data()));
  const Json object = {{"version", bench_.version()},
                       {"node", reach.node},
                       {"class", reach.label},
                       {"held", reach.held},
                       {"flips", reach.flips}};
  return bytes_reply(with_json(object.dump(), reach_bytes(reach, bench_.version())));
}

Reply Explorer::beside(const Request&) {
  if (!options_.beside) fail("there is no model beside; name two: heatfront explore A.hf B.hf");
  const Beside& beside = *options_.beside;
  const Comparison compared = compare(bench_.session(), bench_.answer(), beside);
  const Json object = {{"name", beside.name},
                       {"model", beside.model},
                       {"differ", compared.differ.size()},
                       {"judges", compared.judges},
                       {"here", json_number(compared.here)},
                       {"there", json_number(compared.beside)},
                       {"only_here", compared.right_here},
                       {"only_there", compared.right_beside}};
  return bytes_reply(with_json(object.dump(-1, ' ', false, Json::error_handler_t::replace),
                               answer_bytes(beside.decisions, bench_.version())));
}

Reply Explorer::suggestions(const Request& request) {
  const std::int64_t count = request.query.contains("count") ? wanted_number(request, "count") : 5;
  if (count < 1 || count > kMostSuggestions)
    fail("/api/suggest: ?count= must be from 1 to {}", kMostSuggestions);
  Session& session = bench_.session();
  const std::vector<Suggestion> found =
      suggest(session, bench_.answer(), {.count = count, .by = default_suggest_by(session)});
  Json list = json_of(found, bench_.data());
  for (std::size_t i = 0; i < found.size(); ++i) list[i]["number"] = found[i].node;
  return json_reply({{"version", bench_.version()}, {"suggestions", list}});
}

Reply Explorer::disagreement(const Request&) {
  const Session& session = bench_.session();
  if (!has_front_of_features(session))
    fail("the model is {}, which has no say of the features alone", session.entry().name);
  const std::vector<ClassId> of_features = warmest_classes(session.front());
  Json nodes = Json::array();
  for (NodeId u = 0; u < bench_.data().nodes(); ++u) {
    if (of_features[at(u)] != bench_.answer().decisions.classes[at(u)]) nodes.push_back(u);
  }
  return json_reply({{"version", bench_.version()}, {"nodes", nodes}});
}

Reply Explorer::exported(const Request& request) {
  const std::string& what = wanted(request, "what");
  const ExportKind& kind = find_export(what);
  const std::string stem = file_stem(bench_.data().name);
  return {.type = std::string(kind.type),
          .body = kind.make(bench_, places_),
          .file_name = stem + std::string(kind.ending)};
}

// The answer rides in the reply, so that a click costs one way to the server and back.
Reply Explorer::effect_reply(const LabelEffect& effect) const {
  Json object = json_of(effect, bench_.data());
  Json& changes = object["changes"];
  if (changes.size() > kChangesListed)
    changes.erase(changes.begin() + static_cast<std::ptrdiff_t>(kChangesListed), changes.end());
  object["version"] = bench_.version();
  return bytes_reply(with_json(object.dump(-1, ' ', false, Json::error_handler_t::replace),
                               answer_bytes(bench_.answer().decisions, bench_.version())));
}

Reply Explorer::label(const Request& request) {
  const Json body = body_of(request);
  const LabelChanges changes = changes_of(body);
  if (!body.value("preview", false)) return effect_reply(bench_.label(changes));
  const Answer would = bench_.preview(changes);
  std::int64_t moved = 0;
  for (const ChangedNode& node : changed(bench_.answer(), would)) moved += !node.told;
  const Json object = {{"version", bench_.version()}, {"preview", true}, {"moved", moved}};
  return bytes_reply(with_json(object.dump(), answer_bytes(would.decisions, bench_.version())));
}

Reply Explorer::new_class(const Request& request) {
  const Json body = body_of(request);
  const std::string name = body.at("name").get<std::string>();
  ClassId added = body.value("rename", kUnknown);
  if (added == kUnknown)
    added = bench_.add_class(name);
  else
    bench_.rename_class(added, name);
  return json_reply(
      {{"version", bench_.version()}, {"class", added}, {"classes", bench_.data().class_names}});
}

Reply Explorer::undo(const Request&) { return effect_reply(bench_.undo()); }

Reply Explorer::redo(const Request&) { return effect_reply(bench_.redo()); }

Reply Explorer::save(const Request&) {
  bench_.save(places_);
  return json_reply({{"version", bench_.version()}, {"file", json_path(bench_.file())}});
}

Reply Explorer::train(const Request& request) {
  if (body_of(request).value("stop", false)) {
    training_.stop();
    training_note_ = "training was stopped";
  } else {
    training_note_.clear();
    training_.start(bench_.session().model(), threads_.count());
  }
  return json_reply({{"version", bench_.version()}, {"running", training_.running()}});
}

Reply Explorer::quit(const Request&) {
  quit_ = true;
  if (on_quit_) on_quit_();
  return json_reply({{"version", bench_.version()}, {"unsaved", bench_.unsaved()}});
}

}  // namespace heatfront::explore
