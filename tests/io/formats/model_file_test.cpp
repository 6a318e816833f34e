// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "heatfront/label/session.h"
#include "heatfront_io/arrays/npz.h"
#include "support/error_text.h"
#include "support/npz_edits.h"
#include "support/small_model.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::entries_of;
using test::karate_model;
using test::TemporaryFolder;

TEST(ModelFile, HasTheSameBytesInMemoryAndIsReadFromThem) {
  Threads threads(1);
  const TemporaryFolder folder;
  const TrainedModel model = karate_model();
  write_model(model, folder / "m.hf");
  const std::string file = test::file_text(folder / "m.hf");
  const std::vector<std::byte> bytes = model_bytes(model);
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(file)), bytes));
  const TrainedModel read = read_model(bytes, threads);
  EXPECT_EQ(model_bytes(read), bytes);
  EXPECT_EQ(read.data.name, "karate");
}

TEST(ModelFile, RefusesBytesThatAreNoModel) {
  Threads threads(1);
  const std::vector<std::byte> bytes = model_bytes(karate_model());
  const auto error = [&](std::span<const std::byte> given) {
    return test::error_text([&] { read_model(given, threads); });
  };
  EXPECT_EQ(error({}), "the model in memory: there are no bytes");
  EXPECT_EQ(error(std::as_bytes(std::span("node,label\n"))),
            "the model in memory: not an npz file (a zip of arrays, as numpy.savez writes it)");
  for (const std::size_t length : {std::size_t{5}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_EQ(error(std::span(bytes).first(length)),
              "the model in memory: the zip file is cut off or damaged; fetch or copy the file again");
  std::vector<std::byte> changed = bytes;
  changed[bytes.size() / 3] ^= std::byte{1};
  EXPECT_NE(error(changed), "");
}

TEST(ModelFile, KeepsEverythingThroughWritingAndReading) {
  Threads threads(1);
  const TemporaryFolder folder;
  Session session(karate_model(), threads);
  session.set(9, session.add_class("third"));
  TrainedModel model = session.model();
  for (NodeId u = 0; u < 34; ++u) {  // files hold single precision
    for (Real& value : model.front.row(u)) value = Real(static_cast<float>(value));
  }
  model.seed = 70;
  model.theta.assign(156, Real(0.25));
  model.weights.assign(156, Real(0.5));
  model.layout = Matrix(34, 2);
  model.layout(33, 1) = Real(-2.5);
  write_model(model, folder / "m.hf");
  const TrainedModel read = read_model(folder / "m.hf", threads);
  EXPECT_EQ(read.model, model.model);
  EXPECT_EQ(read.options, model.options);
  EXPECT_EQ(read.seed, 70u);
  EXPECT_EQ(read.data.name, "karate");
  EXPECT_EQ(read.data.graph, model.data.graph);
  EXPECT_EQ(read.data.labels, model.data.labels);
  EXPECT_EQ(read.data.class_names, (std::vector<std::string>{"Mr. Hi", "Officer", "third"}));
  EXPECT_EQ(read.split().hash(), model.split().hash());
  EXPECT_EQ(read.split().name, model.split().name);
  EXPECT_EQ(read.fingerprint.whole(), model.fingerprint.whole());
  EXPECT_EQ(read.front.cols(), 2);
  for (NodeId u = 0; u < 34; ++u) EXPECT_TRUE(std::ranges::equal(read.front.row(u), model.front.row(u)));
  EXPECT_EQ(read.theta, model.theta);
  EXPECT_EQ(read.weights, model.weights);
  ASSERT_EQ(read.layout.rows(), 34);
  EXPECT_EQ(read.layout(33, 1), Real(-2.5));
  ASSERT_EQ(read.network.size(), 1u);
  EXPECT_EQ(read.network[0].name, "layer1.weights");
  EXPECT_EQ(read.history.size(), 2u);
  EXPECT_EQ(read.history[1].loss, 0.5);
  EXPECT_EQ(read.best_epoch, 2);
  EXPECT_EQ(read.selected_by, model.selected_by);
  EXPECT_EQ(read.known.nodes, model.known.nodes);
  EXPECT_EQ(read.known.classes, model.known.classes);
  ASSERT_EQ(read.log.size(), 1u);
  EXPECT_EQ(read.log[0].after, 2);
  write_model(read, folder / "again.hf");
  EXPECT_EQ(test::file_text(folder / "again.hf"), test::file_text(folder / "m.hf"));
}

TEST(ModelFile, OfAnotherVersionIsRefusedByName) {
  Threads threads(1);
  const TemporaryFolder folder;
  write_model(karate_model(), folder / "m.hf");
  test::Entries entries = entries_of(folder / "m.hf");
  std::ranges::find(entries, "heatfront_model.npy", &test::Entries::value_type::first)->second =
      test::npy(std::vector<std::int64_t>{2});
  const auto newer = test::write_zip(folder / "newer.hf", entries);
  EXPECT_EQ(test::error_text([&] { read_model(newer, threads); }),
            newer.string() + " is a model of version 2; this heatfront reads version 1");
}

TEST(ModelFile, WithoutOneOfItsArraysIsRefusedByTheNameOfTheArray) {
  Threads threads(1);
  const TemporaryFolder folder;
  write_model(karate_model(), folder / "m.hf");
  const test::Entries entries = entries_of(folder / "m.hf");
  for (const std::string name :
       {"front", "known_nodes", "known_classes", "log_after", "options", "history_loss", "graph_fingerprint",
        "train_idx", "split_name", "selected_by"}) {
    test::Entries rest = entries;
    std::erase_if(rest, [&](const auto& entry) { return entry.first == name + ".npy"; });
    ASSERT_EQ(rest.size() + 1, entries.size()) << name;
    const auto broken = test::write_zip(folder / (name + ".hf"), rest);
    EXPECT_NE(test::error_text([&] { read_model(broken, threads); }).find("'" + name), std::string::npos)
        << name;
  }
}

TEST(ModelFile, WhoseNumbersDoNotFitIsNotWritten) {
  const TemporaryFolder folder;
  const auto refused = [&](auto&& spoil) {
    TrainedModel model = karate_model();
    spoil(model);
    return test::error_text([&] { write_model(model, folder / "m.hf"); });
  };
  EXPECT_NE(refused([](TrainedModel& m) { m.front = Matrix(33, 2); }).find("'front'"), std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.front = Matrix(34, 3); }).find("'front'"), std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) {
              m.front(3, 1) = std::numeric_limits<Real>::quiet_NaN();
            }).find("not finite"),
            std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.weights.assign(7, 1); }).find("'weights'"), std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.known.nodes[0] = 34; }).find("from 0 to 33"), std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.known.classes[0] = -1; }).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.log = {{.batch = 1, .node = 40}}; }).find("'log_node'"),
            std::string::npos);
  EXPECT_NE(refused([](TrainedModel& m) { m.layout = Matrix(33, 2); }).find("'layout'"), std::string::npos);
  EXPECT_EQ(test::files_in(folder.path()), 0u);
  EXPECT_EQ(refused([](TrainedModel&) {}), "");
}

TEST(ModelFile, WhoseArraysDoNotFitIsRefusedByTheirNames) {
  Threads threads(1);
  const TemporaryFolder folder;
  TrainedModel model = karate_model();
  model.theta = model.weights = std::vector<Real>(156, Real(0.5));
  model.layout = Matrix(34, 2);
  model.log = {{.batch = 1, .node = 3, .before = kUnknown, .after = 1}};
  write_model(model, folder / "m.hf");
  const test::Entries entries = entries_of(folder / "m.hf");
  const auto refused = [&](const std::string& array, test::ArrayEdit edit) {
    const auto found = std::ranges::find(entries, array + ".npy", &test::Entries::value_type::first);
    const auto place = static_cast<std::size_t>(found - entries.begin());
    const auto path = test::write_zip(folder / "edited.hf", test::edited(entries, place, edit));
    return test::error_text([&] { read_model(path, threads); });
  };
  using enum test::ArrayEdit;
  for (const auto& [array, edit, named] : std::vector<std::tuple<std::string, test::ArrayEdit, std::string>>{
           {"front", shortened, "'front'"},
           {"front", first_huge, "1e+37"},
           {"weights", shortened, "'weights'"},
           {"weights", negative, "0 or more"},
           {"weights", first_negative, "0 or more"},
           {"theta", lengthened, "'theta'"},
           {"theta", not_a_number, "not finite"},
           {"layout", not_a_number, "not finite"},
           {"known_nodes", negative, "from 0 to 33"},
           {"known_nodes", zero, "known twice"},
           {"known_classes", huge, "from 0 to 1"},
           {"log_node", huge, "'log_node'"},
           {"log_after", huge, "'log_after'"},
           {"log_batch", huge, "'log_batch'"},
           {"labels", removed, "has no label"},
           {"labels", first_negative, "has no label"},
           {"test_idx", shortened, "split has hash"},
           {"graph_fingerprint", zero, "fingerprint"},
           {"model", zero, "unknown model"}}) {
    const std::string line = refused(array, edit);
    EXPECT_NE(line.find(named), std::string::npos) << array << ": " << line;
  }
}

TEST(ModelFile, ThatIsNoModelSaysHowOneIsMade) {
  Threads threads(1);
  const TemporaryFolder folder;
  NpzWriter npz(folder / "x.npz");
  npz.add("front", std::vector<float>{1, 2});
  npz.commit();
  EXPECT_NE(test::error_text([&] { read_model(folder / "x.npz", threads); }).find("heatfront train"),
            std::string::npos);
  EXPECT_NE(test::error_text([&] { read_model(folder / "none.hf", threads); }), "");
}

TEST(ModelFile, FitsItsOwnGraphAndRefusesAnother) {
  Threads threads(1);
  const TrainedModel model = karate_model();
  EXPECT_EQ(test::error_text([&] { check_fits(model, open_dataset("karate", {}, threads)); }), "");
  const std::string refused = test::error_text([&] { check_fits(model, open_dataset("grid", {}, threads)); });
  EXPECT_NE(refused.find("trained on karate"), std::string::npos) << refused;
}

}  // namespace
}  // namespace heatfront
