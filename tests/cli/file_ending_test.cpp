// SPDX-License-Identifier: MIT
// No command writes under the name of another kind of file.
#include <gtest/gtest.h>

#include "heatfront/models/model_file.h"
#include "support/program_fixture.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

class FileEndings : public test::ProgramFixture {
 protected:
  FileEndings() { write_model(test::karate_model(), folder_ / "m.hf"); }

  void expect_refused(const std::string& writer, const std::string& name, const std::string& right) const {
    const std::string ending = std::filesystem::path(name).extension(),
                      wanted = std::filesystem::path(right).extension();
    EXPECT_EQ(refusal(writer + file(name)), "heatfront: " + path(name) + ": " + wanted + " is written, not " +
                                                ending + "; call it " + path(right) + "\n")
        << writer;
    EXPECT_FALSE(std::filesystem::exists(folder_ / name)) << writer << name;
  }
};

TEST_F(FileEndings, OfAnotherKindAreRefused) {
  const std::string sweep = "sweep karate --split 'per-class 3,5' --time 1,2 ", model = file("m.hf");
  expect_refused(sweep + "--plot ", "x.png", "x.svg");
  expect_refused(sweep + "-o ", "x.svg", "x.csv");
  expect_refused("solve karate -o ", "x.csv", "x.npz");
  expect_refused("solve karate --predictions ", "x.tsv", "x.csv");
  expect_refused("split karate -o ", "x.csv", "x.npz");
  expect_refused("graph digits -o ", "x.csv", "x.npz");
  expect_refused("train karate -o ", "x.csv", "x.hf");
  expect_refused("train karate --history ", "x.json", "x.csv");
  expect_refused("predict " + model + " -o ", "x.json", "x.csv");
  expect_refused("label " + model + " --set 9=0 -o ", "x.csv", "x.hf");
  expect_refused("evaluate " + model + " --report ", "x.pdf", "x.html");
  expect_refused("evaluate " + model + " --sets ", "x.html", "x.csv");
}

TEST_F(FileEndings, OfNoKindMayBeAny) {
  for (const char* name : {"plain", "x.2024", "x.txt"}) json_of("solve karate --predictions " + file(name));
}

}  // namespace
}  // namespace heatfront
