// SPDX-License-Identifier: MIT
#include "heatfront_explore/explorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "heatfront/graph/generate.h"
#include "heatfront_explore/assets.h"
#include "heatfront_explore/beside.h"
#include "heatfront_explore/cold_start.h"
#include "heatfront_explore/open_source.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_report/figures.h"
#include "support/error_text.h"
#include "support/small_model.h"
#include "support/temporary_folder.h"

namespace heatfront::explore {
namespace {

using test::TemporaryFolder;

constexpr const char* kToken = "token";
constexpr const char* kHost = "127.0.0.1:4000";

TrainedModel cold_karate() {
  Threads threads(1);
  Dataset data = open_dataset("karate", {}, threads);
  data.split.reset();
  for (NodeId u = 0; u < data.nodes(); ++u) {
    if (u != 0 && u != 33) data.labels[at(u)] = kUnknown;
  }
  return cold_start(std::move(data), {}, threads).model;
}

class ExplorerTest : public testing::Test {
 protected:
  std::unique_ptr<Explorer> opened(TrainedModel model, const std::filesystem::path& file = {}) {
    auto explorer = std::make_unique<Explorer>(
        std::move(model),
        ExplorerOptions{
            .file = file, .clock = [] { return std::int64_t{1767225600}; }, .layout = {.rounds = 5}},
        threads_);
    explorer->set_gate(Gate(kToken, kHost));
    return explorer;
  }

  static Request get(const std::string& path, std::map<std::string, std::string> query = {}) {
    return {.path = "/api/" + path, .query = std::move(query), .host = kHost, .token = kToken};
  }
  static Request post(const std::string& path, const Json& body = Json::object()) {
    return {.method = "POST",
            .path = "/api/" + path,
            .host = kHost,
            .origin = std::string("http://") + kHost,
            .token = kToken,
            .body = body.dump()};
  }

  static Json json(Explorer& explorer, const Request& request) {
    const Reply reply = explorer.handle(request);
    EXPECT_EQ(reply.status, 200) << reply.body;
    return Json::parse(reply.body);
  }

  static std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  // Of bytes with JSON in front.
  static Json head(const Reply& reply) {
    EXPECT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(reply.body.substr(0, 4), "HFJ1");
    return Json::parse(reply.body.substr(8, word(reply.body, 4)));
  }
  static std::string tail(const Reply& reply) {
    return reply.body.substr((8 + word(reply.body, 4) + 3) / 4 * 4);
  }
  static std::uint16_t class_in(const std::string& answer, std::size_t u) {
    std::uint16_t value = 0;
    std::memcpy(&value, answer.data() + 12 + 2 * u, sizeof value);
    return value;
  }

  Threads threads_{2};
};

TEST_F(ExplorerTest, SaysWhatThereIs) {
  const auto explorer = opened(cold_karate());
  const Json state = json(*explorer, get("state"));
  EXPECT_EQ(state["nodes"], 34);
  EXPECT_EQ(state["edges"], 78);
  EXPECT_EQ(state["model"], "flow-alone");
  EXPECT_EQ(state["known"], 2);
  EXPECT_EQ(state["classes"], (Json{"Mr. Hi", "Officer"}));
  EXPECT_EQ(state["version"], 1);
  EXPECT_TRUE(state["takes_labels"]);
  EXPECT_TRUE(state["explains"]);
}

TEST_F(ExplorerTest, SendsTheGraphAndTheAnswerInBytes) {
  const auto explorer = opened(cold_karate());
  const std::string graph = explorer->handle(get("graph")).body;
  EXPECT_EQ(graph.substr(0, 4), "HFG1");
  EXPECT_EQ(word(graph, 4), 34u);
  EXPECT_EQ(word(graph, 8), 78u);
  EXPECT_EQ(graph.size(), 12u + 34 * 8 + 78 * 8);
  const std::string answer = explorer->handle(get("answer")).body;
  EXPECT_EQ(answer.substr(0, 4), "HFA1");
  EXPECT_EQ(answer.size(), 12u + 34 * 4);
  EXPECT_EQ(class_in(answer, 0), 0);
  EXPECT_EQ(class_in(answer, 33), 1);
}

TEST_F(ExplorerTest, SetsLabelsAndTakesThemBackAndSetsThemAgain) {
  const auto explorer = opened(cold_karate());
  const std::string before = explorer->handle(get("answer")).body;
  const Reply set = explorer->handle(post("label", {{"set", {{8, 1}, {2, 1}}}}));
  EXPECT_EQ(head(set)["labels"]["added"], 2);
  EXPECT_EQ(head(set)["version"], 2);
  const std::string after = tail(set);
  EXPECT_EQ(class_in(after, 8), 1);
  EXPECT_EQ(class_in(after, 2), 1);
  EXPECT_EQ(json(*explorer, get("state"))["known"], 4);
  const Reply undone = explorer->handle(post("undo"));
  EXPECT_EQ(head(undone)["labels"]["removed"], 2);
  EXPECT_EQ(tail(undone).substr(12), before.substr(12));
  EXPECT_EQ(json(*explorer, get("state"))["redo"], 1);
  EXPECT_EQ(tail(explorer->handle(post("redo"))).substr(12), after.substr(12));
  EXPECT_EQ(json(*explorer, get("state"))["redo"], 0);
  EXPECT_EQ(json(*explorer, get("state"))["history"][0]["count"], 2);
}

TEST_F(ExplorerTest, ShowsWhatALabelWouldChangeWithoutSettingIt) {
  const auto explorer = opened(cold_karate());
  const std::string before = explorer->handle(get("answer")).body;
  const Reply preview = explorer->handle(post("label", {{"set", {{2, 1}}}, {"preview", true}}));
  EXPECT_EQ(explorer->handle(get("answer")).body, before);
  const Reply set = explorer->handle(post("label", {{"set", {{2, 1}}}}));
  EXPECT_EQ(head(preview)["moved"], head(set)["moved"]);
  EXPECT_EQ(tail(preview).substr(12), tail(set).substr(12));
}

TEST_F(ExplorerTest, GivesReasonsThatAddUp) {
  const auto explorer = opened(cold_karate());
  const Json why = json(*explorer, get("why", {{"node", "8"}}));
  EXPECT_EQ(why["number"], 8);
  double sum = why["lead_from_labels"].get<double>() + why["lead_from_front"].get<double>() +
               why["lead_from_prior"].get<double>();
  EXPECT_NEAR(sum, why["lead"].get<double>(), 1e-4);
  sum = 0;
  for (const Json& label : why["labels"]) sum += label["lead"].get<double>();
  EXPECT_NEAR(sum, why["lead_from_labels"].get<double>(), 1e-6);  // there are two labels, and both are listed
}

TEST_F(ExplorerTest, ShowsTheTerritoryOfALabel) {
  const auto explorer = opened(cold_karate());
  const Reply reach = explorer->handle(get("reach", {{"node", "33"}}));
  EXPECT_TRUE(head(reach)["held"]);
  EXPECT_GT(head(reach)["flips"], 5);
  EXPECT_EQ(tail(reach).substr(0, 4), "HFR1");
  EXPECT_EQ(tail(reach).size(), 12u + 34);
  EXPECT_FALSE(head(explorer->handle(get("reach", {{"node", "5"}})))["held"]);
}

TEST_F(ExplorerTest, SuggestsWhatToLabelNext) {
  const auto explorer = opened(cold_karate());
  const Json suggested = json(*explorer, get("suggest", {{"count", "3"}}));
  EXPECT_GE(suggested["suggestions"].size(), 1u);
  EXPECT_LE(suggested["suggestions"].size(), 3u);
  EXPECT_GE(suggested["suggestions"][0]["expected_change"].get<double>(), 0);
}

TEST_F(ExplorerTest, ShowsTheFlowFromNothingToTheAnswer) {
  const auto explorer = opened(cold_karate());
  const std::string film = explorer->handle(get("film")).body;
  EXPECT_EQ(film.substr(0, 4), "HFF1");
  EXPECT_EQ(word(film, 8), 41u);
  ASSERT_EQ(film.size(), 20u + 41 * 8 + 41 * 34 * 4);
  const std::string answer = explorer->handle(get("answer")).body;
  const std::string last = film.substr(film.size() - 34 * 4);
  EXPECT_EQ(last.substr(0, 34 * 2), answer.substr(12, 34 * 2));
  float first = 1, end = 0;
  std::memcpy(&first, film.data() + 20 + 41 * 4, 4);
  std::memcpy(&end, film.data() + 20 + 41 * 8 - 4, 4);
  EXPECT_EQ(end, 1);  // it agrees with itself
  EXPECT_LT(first, 1);
}

TEST_F(ExplorerTest, ExportsWhatTheCommandLineWouldWrite) {
  const auto explorer = opened(cold_karate());
  explorer->handle(post("label", {{"set", {{8, 1}}}}));
  const Reply labels = explorer->handle(get("export", {{"what", "labels"}}));
  EXPECT_EQ(labels.file_name, "karate-labels.csv");
  EXPECT_NE(labels.body.find("\n8,Officer,review,1,2026-01-01T00:00:00Z\n"), std::string::npos)
      << labels.body;
  const Reply predictions = explorer->handle(get("export", {{"what", "predictions"}}));
  EXPECT_EQ(predictions.body.substr(0, 38), "node,class,confidence,margin,status\n0,");
  const std::string model = explorer->handle(get("export", {{"what", "model"}})).body;
  const TrainedModel read = read_model(std::as_bytes(std::span(model)), threads_);
  EXPECT_EQ(read.known.nodes, (std::vector<NodeId>{0, 8, 33}));
  EXPECT_EQ(read.layout.rows(), 34);
  const Reply film = explorer->handle(get("export", {{"what", "film"}}));
  EXPECT_EQ(film.body.find("/*film*/"), std::string::npos);
  EXPECT_NE(film.body.find("\"name\":\"karate\""), std::string::npos);
  EXPECT_EQ(explorer->handle(get("export", {{"what", "all"}})).status, 400);
}

TEST_F(ExplorerTest, KeepsLabelsThroughAnEndWithoutSaving) {
  const TemporaryFolder folder;
  const auto file = folder / "k.hf";
  write_model(cold_karate(), file);
  {
    const auto explorer = opened(read_model(file, threads_), file);
    explorer->handle(post("label", {{"set", {{8, 1}}}}));
    explorer->handle(post("label", {{"set", {{9, 1}}}}));
    explorer->handle(post("undo"));
    explorer->handle(post("label", {{"set", {{4, 0}}}, {"unset", {33}}}));
  }
  std::ofstream(file.string() + ".journal", std::ios::app) << "{\"set\":[[\"5\"";  // it died over this line
  const auto explorer = opened(read_model(file, threads_), file);
  const Json state = json(*explorer, get("state"));
  EXPECT_EQ(state["taken_up"], 4);
  EXPECT_EQ(state["known"], 3);  // 0, 4 and 8
  EXPECT_TRUE(state["unsaved"]);
  EXPECT_EQ(state["undo"], 3);
  EXPECT_EQ(head(explorer->handle(post("undo")))["labels"]["added"], 1);  // 33 again
  json(*explorer, post("save"));
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".journal"));
  const TrainedModel saved = read_model(file, threads_);
  EXPECT_EQ(saved.known.nodes, (std::vector<NodeId>{0, 8, 33}));
  EXPECT_EQ(saved.layout.rows(), 34);
}

TEST_F(ExplorerTest, TakesTheJournalUpInAModelThatWasChangedMeanwhile) {
  const TemporaryFolder folder;
  const auto file = folder / "k.hf";
  write_model(cold_karate(), file);
  {
    const auto explorer = opened(read_model(file, threads_), file);
    explorer->handle(post("label", {{"set", {{8, 1}}}}));
    explorer->handle(post("label", {{"set", {{9, 1}}}}));
    explorer->handle(post("undo"));
  }
  Session other(read_model(file, threads_), threads_);
  other.set(20, 1);
  write_model(other.model(), file);
  const auto explorer = opened(read_model(file, threads_), file);
  EXPECT_EQ(json(*explorer, get("state"))["known"], 4);  // 0, 8, 20 and 33: what was undone is not 20
}

TEST_F(ExplorerTest, NamesTheLineOfAJournalThatCannotBeRead) {
  const TemporaryFolder folder;
  const auto file = folder / "k.hf";
  write_model(cold_karate(), file);
  std::ofstream(file.string() + ".journal") << "{\"log\":0}\n{\"set\":[[\"77\",\"Officer\"]]}\n";
  EXPECT_EQ(test::error_text([&] { opened(read_model(file, threads_), file); }),
            file.string() +
                ".journal:2: karate: there is no node '77'; nodes are 0 to 33; put the file aside to "
                "go on without it");
}

TEST_F(ExplorerTest, BeginsWithoutAnyLabelAndWithoutAnyClass) {
  Dataset data{.name = "path", .graph = path_graph(6)};
  data.labels.assign(6, kUnknown);
  const auto explorer = opened(cold_start(std::move(data), {}, threads_).model);
  Json state = json(*explorer, get("state"));
  EXPECT_EQ(state["classes"], (Json{"1", "2"}));
  EXPECT_EQ(state["unreached"], 6);
  explorer->handle(get("suggest"));
  explorer->handle(post("label", {{"set", {{0, 0}}}}));
  EXPECT_EQ(json(*explorer, post("class", {{"name", "third"}}))["class"], 2);
  const std::string answer = tail(explorer->handle(post("label", {{"set", {{5, 2}}}})));
  EXPECT_EQ(class_in(answer, 1), 0);
  EXPECT_EQ(class_in(answer, 4), 2);
  explorer->handle(post("undo"));
  EXPECT_EQ(json(*explorer, get("state"))["classes"].size(), 2u);
  EXPECT_EQ(class_in(tail(explorer->handle(post("redo"))), 4), 2);
}

TEST_F(ExplorerTest, TrainsInTheBackgroundAndTakesUpLabelsThatCameMeanwhile) {
  Dataset data = open_dataset("karate", {}, threads_);
  data.split.reset();
  const auto explorer = opened(cold_start(std::move(data), {}, threads_).model);
  EXPECT_TRUE(json(*explorer, post("train"))["running"]);
  explorer->finish_training();
  const Json state = json(*explorer, get("state"));
  EXPECT_FALSE(state["training"]["running"]);
  EXPECT_TRUE(state["training"]["note"].get<std::string>().starts_with("trained: ")) << state["training"];
  EXPECT_EQ(state["known"], 34);
  EXPECT_GT(state["version"], 1);
}

TEST_F(ExplorerTest, TellsTwoPagesThatTheyShowTheSame) {
  const auto explorer = opened(cold_karate());
  EXPECT_EQ(json(*explorer, get("state"))["version"], 1);  // one page
  explorer->handle(post("label", {{"set", {{8, 1}}}}));    // the other
  EXPECT_EQ(json(*explorer, get("state"))["version"], 2);
  EXPECT_EQ(word(explorer->handle(get("answer")).body, 8), 2u);
}

TEST_F(ExplorerTest, ImprovesPlacesWhileItIsUsed) {
  Explorer explorer(cold_karate(),
                    {.clock = [] { return std::int64_t{0}; }, .layout = {.rounds = 50}, .first_rounds = 1},
                    threads_);
  explorer.finish_layout();
  const Json state = Json::parse(explorer.handle({.path = "/api/state"}).body);
  EXPECT_EQ(state["layout"]["rounds"], 50);
  const std::string version = std::to_string(state["layout"]["version"].get<int>());
  EXPECT_EQ(explorer.handle({.path = "/api/places", .query = {{"have", version}}}).status, 204);
  EXPECT_EQ(explorer.handle({.path = "/api/places", .query = {{"have", "1"}}}).body.size(), 12u + 34 * 8);
}

TEST_F(ExplorerTest, RefusesWhoeverIsNotItsOwnPage) {
  const auto explorer = opened(cold_karate());
  const auto status = [&](Request request, auto&& spoil) {
    spoil(request);
    return explorer->handle(request).status;
  };
  const Request read = get("state"), change = post("label", {{"set", {{8, 1}}}});
  EXPECT_EQ(status(read, [](Request&) {}), 200);
  EXPECT_EQ(status(read, [](Request& r) { r.token.clear(); }), 401);
  EXPECT_EQ(status(read, [](Request& r) { r.token = "tokem"; }), 401);
  EXPECT_EQ(status(read, [](Request& r) { r.host = "evil.example:4000"; }), 421);
  EXPECT_EQ(status(read, [](Request& r) { r.host = "127.0.0.1:4001"; }), 421);
  EXPECT_EQ(status(read, [](Request& r) { r.host.clear(); }), 421);
  EXPECT_EQ(status(read, [](Request& r) { r.origin = "http://evil.example"; }), 403);
  EXPECT_EQ(status(change, [](Request& r) { r.origin = "null"; }), 403);
  EXPECT_EQ(status(change, [](Request& r) { r.origin.clear(); }), 403);
  EXPECT_EQ(status(change, [](Request& r) { r.method = "PUT"; }), 405);
  EXPECT_EQ(status(change, [](Request& r) { r.body.assign((1 << 20) + 1, ' '); }), 413);
  for (const char* path :
       {"/api/../etc/passwd", "/../../etc/passwd", "/api/state/", "/api//state", "/app.js/..", "/%2e%2e/"})
    EXPECT_EQ(status(read, [&](Request& r) { r.path = path; }), 404) << path;
  EXPECT_EQ(json(*explorer, get("state"))["known"], 2);  // nothing was changed
}

TEST_F(ExplorerTest, AnswersNonsenseWithALineThatSaysWhatWouldBeRight) {
  const auto explorer = opened(cold_karate());
  const auto error = [&](const Request& request) {
    const Reply reply = explorer->handle(request);
    EXPECT_EQ(reply.status, 400);
    return Json::parse(reply.body)["error"].get<std::string>();
  };
  EXPECT_EQ(error(get("why", {{"node", "34"}})), "there is no node 34; nodes are 0 to 33");
  EXPECT_EQ(error(get("why", {{"node", "x"}})), "/api/why: ?node= must be a whole number");
  EXPECT_EQ(error(get("why")), "/api/why: ?node= is missing");
  EXPECT_EQ(error(post("label", {{"set", {{8, 2}}}})), "there is no class 2; classes are 0 to 1");
  EXPECT_EQ(error(post("label", {{"set", {{8, 1}, {99, 1}}}})),
            "karate: there is no node 99; nodes are 0 to 33");
  EXPECT_EQ(error(post("label")), "no label is set or removed; name at least one node");
  EXPECT_EQ(error(post("label", {{"set", {{"8", 1}}}})),
            "/api/label: the body is not the JSON that is expected here");
  EXPECT_EQ(error(post("undo")), "there is nothing to undo");
  EXPECT_EQ(error(post("redo")), "there is nothing to do again");
  EXPECT_EQ(error(post("save")), "there is no file to save to");
  EXPECT_EQ(error(get("disagree")), "the model is flow-alone, which has no say of the features alone");
  Request broken = post("label");
  broken.body = "{\"set\":";
  EXPECT_EQ(error(broken), "/api/label: the body is not the JSON that is expected here");
  EXPECT_EQ(json(*explorer, get("state"))["known"], 2);
}

TEST(ExploreBeside, CountsWhereTwoModelsDifferAndWhoIsRight) {
  Threads threads(1);
  TrainedModel first = test::karate_model(), second = test::karate_model();
  second.data.class_names = {"Officer", "Mr. Hi"};  // the same classes the other way round
  for (ClassId& label : second.data.labels) label = 1 - label;
  for (ClassId& label : second.known.classes) label = 1 - label;
  second.known.nodes.pop_back();
  second.known.classes.pop_back();
  second.front = test::random_front(34, 2, 7);
  Session here(first, threads), there(second, threads);
  const Answer answer = here.solve(), other = there.solve();
  const Beside beside = beside_of(second, "second.hf", first.data, threads);
  std::vector<NodeId> differ;
  std::int64_t judges = 0, right_here = 0, right_there = 0;
  for (NodeId u = 0; u < 34; ++u) {
    const ClassId theirs = 1 - other.decisions.classes[at(u)], ours = answer.decisions.classes[at(u)];
    EXPECT_EQ(beside.decisions.classes[at(u)], theirs);
    if (ours != theirs) differ.push_back(u);
    if (std::ranges::count(first.split().test, u) == 0) continue;
    ++judges;
    right_here += ours == first.data.labels[at(u)];
    right_there += theirs == first.data.labels[at(u)];
  }
  const Comparison compared = compare(here, answer, beside);
  EXPECT_EQ(compared.differ, differ);
  EXPECT_FALSE(differ.empty());
  EXPECT_EQ(compared.judges, judges);
  EXPECT_DOUBLE_EQ(compared.here, static_cast<double>(right_here) / static_cast<double>(judges));
  EXPECT_DOUBLE_EQ(compared.beside, static_cast<double>(right_there) / static_cast<double>(judges));
  EXPECT_EQ(compared.right_here - compared.right_beside, right_here - right_there);
}

TEST(ExploreBeside, JudgesByNoNodeThatOneOfTheTwoWasTold) {
  Threads threads(1);
  TrainedModel first = test::karate_model(), second = first;
  const NodeId told = first.split().test.front();
  second.known.nodes.push_back(told);
  second.known.classes.push_back(first.data.labels[at(told)]);
  Session here(first, threads);
  EXPECT_EQ(compare(here, here.solve(), beside_of(second, "second.hf", first.data, threads)).judges,
            std::ssize(first.split().test) - 1);
}

TEST(ExploreBeside, RefusesAnotherGraphAndClassesThatAreNotThere) {
  Threads threads(1);
  const TrainedModel karate = test::karate_model();
  TrainedModel grid = karate, more = karate;
  grid.data.node_names.assign(34, "");
  for (NodeId u = 0; u < 34; ++u) grid.data.node_names[at(u)] = "n" + std::to_string(u);
  more.data.class_names[1] = "chess";
  EXPECT_EQ(test::error_text([&] { beside_of(grid, "b.hf", karate.data, threads); }),
            "b.hf: node 0 is called n0, in karate 0; two models are seen side by side on one graph");
  EXPECT_EQ(test::error_text([&] { beside_of(more, "b.hf", karate.data, threads); }),
            "b.hf: has a class 'chess', which karate has not; name the two the other way round");
}

TEST_F(ExplorerTest, GivesAClassAnotherNameThatTheNextStartKnows) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "cold.hf";
  {
    const auto explorer = opened(cold_karate(), file);
    EXPECT_EQ(json(*explorer, post("class", {{"name", "calm"}, {"rename", 0}}))["classes"],
              (Json{"calm", "Officer"}));
    EXPECT_EQ(explorer->handle(post("class", {{"name", "calm"}, {"rename", 1}})).status, 400);
    EXPECT_EQ(explorer->handle(post("class", {{"name", "loud"}, {"rename", 2}})).status, 400);
    explorer->handle(post("label", {{"set", {{8, 0}}}}));
    EXPECT_EQ(head(explorer->handle(post("label", {{"set", {{8, 1}}}})))["labels"]["changed"], 1);
    explorer->handle(post("undo"));
    json(*explorer, post("class", {{"name", "loud"}, {"rename", 1}}));
    explorer->handle(post("redo"));
  }
  const auto again = opened(cold_karate(), file);
  const Json state = json(*again, get("state"));
  EXPECT_EQ(state["classes"], (Json{"calm", "loud"}));
  EXPECT_EQ(state["history"][0]["after"], "loud");
}

TEST_F(ExplorerTest, ShowsAModelBesideThatStaysAsItWas) {
  const TrainedModel model = test::karate_model();
  EXPECT_EQ(opened(model)->handle(get("beside")).status, 400);
  Explorer explorer(model,
                    {.clock = [] { return std::int64_t{0}; },
                     .layout = {.rounds = 5},
                     .beside = beside_of(model, "b.hf", model.data, threads_)},
                    threads_);
  const Reply same = explorer.handle(get("beside"));
  EXPECT_EQ(head(same)["differ"], 0);
  EXPECT_EQ(head(same)["here"], head(same)["there"]);
  const NodeId node = 20;
  const int label = 1 - class_in(tail(same), at(node));
  explorer.handle(post("label", {{"set", {{node, label}}}}));
  const Reply after = explorer.handle(get("beside"));
  EXPECT_GE(head(after)["differ"], 1);
  EXPECT_EQ(tail(after).substr(12), tail(same).substr(12));
}

TEST(ExplorePage, IsInOnePieceForANotebook) {
  const std::string page = page_in_one();
  for (const char* outside : {"src=", "\nimport ", "\nexport ", "rel=\"stylesheet\"", "default-src"})
    EXPECT_EQ(page.find(outside), page.npos) << outside;
  for (const char* part : {"class View", "class App", "class WebGlPainter", "function decode", "--paper"})
    EXPECT_NE(page.find(part), page.npos) << part;
  EXPECT_NE(widget_module().find("export default"), std::string_view::npos);
}

TEST(ExploreSource, IsNotSavedUnderTheNameOfAnotherKind) {
  Threads threads(1);
  EXPECT_EQ(test::error_text([&] {
              open_source({.name = "karate", .output = "/nowhere/at/all.csv"}, threads);
            }).substr(0, 20),
            "/nowhere/at/all.csv:");
}

TEST(ExplorePage, IsSmallerThan100Kilobytes) {
  std::size_t bytes = 0;
  for (const Asset& asset : assets()) bytes += asset.text.size();
  EXPECT_LT(bytes, 100'000u);
  EXPECT_GT(bytes, 30'000u);
}

}  // namespace
}  // namespace heatfront::explore
