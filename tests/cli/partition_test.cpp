// SPDX-License-Identifier: MIT
// partition, and solve, sweep and train of what it wrote, by one process.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/program_fixture.h"
#include "support/running_program.h"

namespace heatfront {
namespace {

using nlohmann::json;

class PartedGraph : public test::ProgramFixture {
 protected:
  PartedGraph() { partition_ = json_of("partition " + data_ + " --parts 3 -o " + file("b.hfp")); }

  const std::string data_ = "'blocks:blocks=3,size=40,inside=0.2,across=0.01,seed=4'";
  json partition_;
};

TEST_F(PartedGraph, SaysWhatTheProductsWillCost) {
  EXPECT_EQ(partition_["nodes"], 120);
  EXPECT_EQ(partition_["parts"].size(), 3u);
  std::int64_t ghosts = 0;
  for (const json& part : partition_["parts"]) ghosts += part["ghosts"].get<std::int64_t>();
  EXPECT_EQ(partition_["ghosts"], ghosts);
  EXPECT_EQ(partition_["bytes_per_product"], ghosts * 8 * 4);
  EXPECT_GE(partition_["balance"], 1.0);
  EXPECT_GT(partition_["exchange_seconds_per_product"], 0);
}

TEST_F(PartedGraph, IsSolvedToTheVeryBits) {
  const std::string flags = " --split 'per-class 5,10' --seed 2 --time 4";
  const json plain =
      json_of("solve " + data_ + flags + " -o " + file("a.npz") + " --predictions " + file("a.csv"));
  const json parted =
      json_of("solve " + file("b.hfp") + flags + " -o " + file("b.npz") + " --predictions " + file("b.csv"));
  EXPECT_EQ(test::file_text(path("a.npz")), test::file_text(path("b.npz")));
  EXPECT_EQ(test::file_text(path("a.csv")), test::file_text(path("b.csv")));
  for (const char* key : {"dataset", "split", "products", "test_accuracy", "known", "decided", "undecided"})
    EXPECT_EQ(plain[key], parted[key]) << key;
}

TEST_F(PartedGraph, IsSweptAsTheWholeOne) {
  const std::string flags = " --split 'per-class 5,10' --time 0.5,2,8";
  const json plain = json_of("sweep " + data_ + flags), parted = json_of("sweep " + file("b.hfp") + flags);
  EXPECT_EQ(plain["best"]["time"], parted["best"]["time"]);
  for (std::size_t i = 0; i < 3; ++i) {
    const json &x = plain["points"][i], &y = parted["points"][i];
    for (const char* key : {"train_accuracy", "validation_accuracy", "test_accuracy", "undecided"})
      EXPECT_EQ(x[key], y[key]);
    for (const char* key : {"energy", "validation_loss"})
      EXPECT_NEAR(x[key], y[key], 1e-9 * std::abs(x[key].get<double>()));
  }
}

TEST_F(PartedGraph, RefusesWhatPartsCannotDo) {
  EXPECT_NE(refusal("solve " + file("b.hfp") + " --time inf").find("time inf: a graph in parts"),
            std::string::npos);
  EXPECT_NE(refusal("solve " + file("b.hfp") + " --energy poisson").find("solved by the flow alone"),
            std::string::npos);
  EXPECT_NE(refusal("partition karate -o " + file("k")).find("a folder whose name ends with .hfp"),
            std::string::npos);
}

// Neither a half-made folder, nor the files that passed on the way.
TEST_F(PartedGraph, StartsOverWhereMakingItWasKilled) {
  const std::filesystem::path folder = path("empty");
  std::filesystem::create_directory(folder);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      found.push_back(entry.path().filename());
    return found;
  };
  {
    test::RunningProgram killed("partition rmat:scale=18,arcs=1e7 --parts 4 -o '" +
                                (folder / "k.hfp").string() + "'");
    ASSERT_TRUE(killed.wait_until([&] { return !names().empty(); }));
    killed.signal(SIGKILL);
    killed.end();
  }
  ASSERT_EQ(names().size(), 1u);
  EXPECT_NE(names()[0], "k.hfp");
  json_of("partition " + data_ + " --parts 3 -o '" + (folder / "k.hfp").string() + "'");
  EXPECT_EQ(names(), std::vector<std::string>{"k.hfp"});
}

TEST_F(PartedGraph, IsTrainedOnAsTheWholeOne) {
  for (const std::string& name : {std::string("a"), std::string("b")}) {
    const std::string data = name == "a" ? data_ : file("b.hfp");
    json_of("train " + data + " --quick -o " + file(name + ".hf"));
    json_of("predict " + file(name + ".hf") + " -o " + file(name + ".csv"));
  }
  EXPECT_EQ(test::file_text(path("a.csv")), test::file_text(path("b.csv")));
}

}  // namespace
}  // namespace heatfront
