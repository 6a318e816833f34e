// SPDX-License-Identifier: MIT
// Values and many labels in files: tables, npz and models, whole and damaged.
#include "heatfront_io/tables/target_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/train/target_fit.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_io/formats/writers.h"
#include "support/csv_folder.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

constexpr const char* kRing = "source,target\na,b\nb,c\nc,d\nd,e\ne,a\n";

Dataset opened(const std::string& labels, LabelKind kind, const std::string& classes = "") {
  const test::CsvFolder folder({.edges = kRing, .labels = labels, .classes = classes});
  Threads threads(1);
  return open_dataset(folder.path().string(), {.labels = kind}, threads);
}

// Without the path before the file's name.
std::string refused(const std::string& labels, LabelKind kind, const std::string& classes = "") {
  const std::string text = test::error_text([&] { opened(labels, kind, classes); });
  const std::size_t name = text.find("labels.csv");
  return name == text.npos ? text : text.substr(name);
}

TEST(ValueTables, HaveAColumnOrSeveral) {
  const Targets one = opened("node,depth\nc,-1\na,2.5\nb,\nd,?\n", LabelKind::values).targets;
  EXPECT_EQ(one.names, (std::vector<std::string>{"depth"}));
  EXPECT_EQ(one.nodes, (std::vector<NodeId>{0, 2}));
  EXPECT_EQ(one.values, (std::vector<double>{2.5, -1}));
  const Targets two = opened("depth,node,flow\n1,a,2\n3,e,1e3\n", LabelKind::values).targets;
  EXPECT_EQ(two.names, (std::vector<std::string>{"depth", "flow"}));
  EXPECT_EQ(two.values, (std::vector<double>{1, 2, 3, 1000}));
  EXPECT_EQ(opened("a,2\nb,3\n", LabelKind::values).targets.names, (std::vector<std::string>{"value"}));
}

TEST(ValueTables, RefuseWhatIsNoValue) {
  EXPECT_EQ(refused("node,y\na,1\nb,red\n", LabelKind::values),
            "labels.csv:3: 'red' is not a number; where labels are names, leave out --values");
  for (const char* number : {"inf", "-inf", "1e31", "1e400"})
    EXPECT_EQ(refused(std::string("node,y\na,") + number + "\n", LabelKind::values),
              std::string("labels.csv:2: '") + number + "' must be a finite number of at most 1e+30 in size");
  EXPECT_EQ(refused("node,y\na,1\na,2\n", LabelKind::values),
            "labels.csv:3: node 'a' again with another value, line 2 has it already; give it once");
  EXPECT_EQ(refused("node,y\na,1\na,1\nzoe,2\n", LabelKind::values), "");  // who is nowhere else stands alone
  EXPECT_EQ(refused("node,x,y\na,1,\n", LabelKind::values),
            "labels.csv:2: node 'a' has 1 of 2 values; give all of them, or none");
  EXPECT_EQ(refused("node,y,y\na,1,2\n", LabelKind::values).substr(0, 40),
            "labels.csv: two columns are called 'y'; ");
  EXPECT_EQ(refused("node,y\na,1,2\n", LabelKind::values).substr(0, 13), "labels.csv:2:");
}

TEST(ManyLabelTables, TakeListsAndRepeatedLines) {
  const Targets targets =
      opened("node,label\na,red|blue\nb,red\nb,green\nc,none\nd,\ne,?\n", LabelKind::many).targets;
  EXPECT_EQ(targets.names, (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_EQ(targets.nodes, (std::vector<NodeId>{0, 1, 2}));
  EXPECT_EQ(targets.values, (std::vector<double>{1, 0, 1, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(classes_text(targets, targets.row(0)), "blue|red");
  EXPECT_EQ(classes_text(targets, targets.row(2)), "none");
}

TEST(ManyLabelTables, RefuseEmptyNamesAndUnknownClasses) {
  for (const char* cell : {"red||blue", "|red", "red|", "|"})
    EXPECT_EQ(refused(std::string("node,label\na,") + cell + "\n", LabelKind::many),
              "labels.csv:2: a class without a name; write a|b, or none for no class")
        << cell;
  EXPECT_EQ(refused("node,label\na,red|red\n", LabelKind::many),
            "labels.csv:2: class 'red' twice in one cell; give it once");
  EXPECT_EQ(refused("node,label\na,red|pink\n", LabelKind::many, "class\nred\nblue\n"),
            "labels.csv:2: 'pink' is not a class; the classes are red, blue");
  EXPECT_EQ(refused("node,label\na,none\n", LabelKind::many),
            "labels.csv: no label names a class; there must be one or more");
}

TEST(LabelTables, AskWhatManyDifferentNumbersAre) {
  std::string labels = "node,label\n", edges = "source,target\n";
  for (int i = 0; i < 30; ++i) {
    labels += std::to_string(i) + "," + std::to_string(i) + ".5\n";
    edges += std::to_string(i) + "," + std::to_string((i + 1) % 30) + "\n";
  }
  const test::CsvFolder folder({.edges = edges, .labels = labels});
  Threads threads(1);
  const auto open_as = [&](std::optional<LabelKind> kind) {
    return open_dataset(folder.path().string(), {.labels = kind}, threads);
  };
  EXPECT_NE(test::error_text([&] { open_as({}); })
                .find("labels.csv: 30 different numbers as labels; give --values if they are "
                      "quantities, --classes if they are names"),
            std::string::npos);
  EXPECT_EQ(open_as(LabelKind::classes).classes(), 30);
  EXPECT_EQ(open_as(LabelKind::values).targets.size(), 30);
}

TEST(LabelTables, NoteThatAListIsOneClassAndThatSeveralNeedAFlag) {
  const test::CsvFiles files{.edges = kRing, .labels = "node,label\na,red|blue\nb,red\n"};
  EXPECT_EQ(
      test::notes_of(files),
      (std::vector<std::string>{"labels.csv: 'red|blue' is one class; --many-labels takes a|b as two"}));
  EXPECT_EQ(test::csv_error({.edges = kRing, .labels = "node,label\na,red\na,blue\n"}),
            "labels.csv:3: node 'a' again with another label, line 2 has it already; give it once, or "
            "--many-labels "
            "where a node can have several");
}

TEST(TargetFiles, ComeBackFromCsvAndNpzAsTheyWere) {
  Threads threads(1);
  const test::TemporaryFolder folder;
  const Dataset values = opened("node,depth,flow\na,2.5,0.1\nd,-1,1e-9\n", LabelKind::values);
  const Dataset many = opened("node,label\na,x|y\nb,none\nc,z\n", LabelKind::many);
  for (const Dataset* data : {&values, &many}) {
    const std::string csv = (folder / ("csv" + data->targets.names[0])).string();
    const std::string npz = (folder / ("npz" + data->targets.names[0] + ".npz")).string();
    write_csv(*data, csv);
    write_npz(*data, npz);
    for (const Dataset& back :
         {open_dataset(csv, {.labels = data->targets.kind}, threads), open_dataset(npz, {}, threads)}) {
      EXPECT_EQ(back.targets.kind, data->targets.kind);
      EXPECT_EQ(back.targets.names, data->targets.names);
      EXPECT_EQ(back.targets.nodes, data->targets.nodes);
      EXPECT_EQ(back.targets.values, data->targets.values);
      EXPECT_EQ(fingerprint(back).labels, fingerprint(*data).labels);
    }
  }
}

Dataset ring_of_values(LabelKind kind) {
  std::string labels = kind == LabelKind::many ? "node,label\n" : "node,y\n";
  for (int i = 0; i < 4; ++i)
    labels +=
        std::string(1, static_cast<char>('a' + i)) +
        (kind == LabelKind::many ? (i % 2 == 0 ? ",p|q\n" : ",q\n") : "," + std::to_string(i) + ".25\n");
  Dataset data = opened(labels, kind);
  data.split = all_targets(data);
  return data;
}

TEST(TargetModelFiles, ComeBackAsTheyWere) {
  Threads threads(1);
  for (const LabelKind kind : {LabelKind::values, LabelKind::many}) {
    for (const TargetModelEntry& entry : target_models()) {
      TargetModel model =
          fit_targets(ring_of_values(kind), {.model = std::string(entry.name)}, threads).model;
      model.log.push_back({.batch = 1,
                           .node = 4,
                           .before = {},
                           .after = {model.known.row(0).begin(), model.known.row(0).end()}});
      model.known.set(4, model.log[0].after);
      const std::vector<std::byte> bytes = model_bytes(model);
      const TargetModel back = read_target_model(bytes, threads);
      EXPECT_EQ(model_bytes(back), bytes) << entry.name;
      EXPECT_EQ(back.known.values, model.known.values);
      EXPECT_EQ(back.log.size(), 1u);
      EXPECT_EQ(TargetPredictor(back, threads).answer(back.known).values,
                TargetPredictor(model, threads).answer(model.known).values);
    }
  }
}

TEST(TargetModelFiles, AreRefusedWhereTheyAreNotWhole) {
  Threads threads(1);
  const TargetModel whole =
      fit_targets(ring_of_values(LabelKind::values), {.model = "linear-front"}, threads).model;
  const auto refusal = [&](auto spoil) {
    TargetModel model = whole;
    spoil(model);
    return test::error_text([&] { model_bytes(model); });
  };
  EXPECT_EQ(refusal([](TargetModel&) {}), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.units.scale[0] = 0; }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.known.nodes[0] = 99; }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.known.values[0] = std::nan(""); }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.left_out_said.pop_back(); }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.thresholds.push_back(1); }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.model = "gcn"; }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.fronts.clear(); }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.data.split.reset(); }), "");
  EXPECT_NE(refusal([](TargetModel& m) { m.data.targets = {}; }), "");
  std::vector<std::byte> bytes = model_bytes(whole);
  bytes.resize(bytes.size() / 2);
  EXPECT_NE(test::error_text([&] { read_target_model(bytes, threads); }), "");
}

TEST(ValueTables, HaveDecimalCommasAndGapsAsFeaturesHave) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.csv", "a,b\nb,c\nc,d\n");
  folder.write("d/labels.csv", "haus;preis\na;1.234,5\nb;NA\nc;7\nd;-2,25\n");
  const Dataset data = test::csv_in(folder / "d", {.labels = LabelKind::values});
  EXPECT_EQ(data.targets.nodes, (std::vector<NodeId>{0, 2, 3}));
  EXPECT_EQ(data.targets.values, (std::vector<double>{1234.5, 7, -2.25}));
}

TEST(ValueTables, MayBeAColumnOfTheFeatures) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.csv", "a,b\nb,c\n");
  folder.write("d/features.csv", "size,house_id,price\n3,a,10\n4,b,\n5,c,30\n");
  const Dataset data = test::csv_in(
      folder / "d", {.columns = {.node = "house_id", .label = "price"}, .labels = LabelKind::values});
  EXPECT_EQ(data.targets.names, (std::vector<std::string>{"price"}));
  EXPECT_EQ(data.targets.values, (std::vector<double>{10, 30}));
  EXPECT_EQ(data.features.cols(), 1);
}

TEST(ManyLabelTables, AreTakenApartAtCommasWhereThatMakesFewerClasses) {
  const auto classes = [](const char* labels) {
    const test::TemporaryFolder folder;
    folder.write("d/edges.csv", "a,b\nb,c\n");
    folder.write("d/labels.csv", labels);
    return test::csv_in(folder / "d", {.labels = LabelKind::many}).targets.names;
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(classes("node,label\na,\"x, y\"\nb,x\nc,y\n"), (List{"x", "y"}));
  EXPECT_EQ(classes("node,label\na,x;y\nb,x\nc,y\n"), (List{"x", "y"}));
  EXPECT_EQ(classes("node,label\na,\"x, y\"\nb,x|z\nc,z\n"), (List{"x", "x, y", "z"}));
  EXPECT_EQ(classes("node,label\na,\"Smith, John\"\nb,\"Mill, Ann\"\n"), (List{"Mill, Ann", "Smith, John"}));
}

}  // namespace
}  // namespace heatfront
