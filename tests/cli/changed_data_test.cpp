// SPDX-License-Identifier: MIT
// Data that is another, or gone, when what was made of it is used.
#include <gtest/gtest.h>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using test::file_text;
using test::run_program;

class ChangedData : public test::ProgramFixture {
 protected:
  std::string predictions(const std::string& more = "") const {
    std::filesystem::remove(path("p.csv"));
    run_program("predict " + file("m.hf") + " -o " + file("p.csv") + more);
    return file_text(path("p.csv"));
  }
};

// It has its own copy of the graph and the labels.
TEST_F(ChangedData, UnderAModelDoesNotChangeIt) {
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\n");
  folder_.write("l/labels.csv", "node,label\na,x\nb,x\nc,x\nd,y\ne,y\nf,y\n");
  ASSERT_EQ(
      run_program("train " + file("l") + " --split \"per-class 1,1\" --set epochs=3 -o " + file("m.hf")).code,
      0);
  const std::string before = predictions(" --data " + file("l"));
  EXPECT_NE(before, "");
  folder_.write("l/labels.csv", "node,label\na,y\nb,y\nc,y\nd,x\ne,x\nf,x\n");
  EXPECT_EQ(predictions(), before);
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\n");
  EXPECT_EQ(predictions(), before);
  EXPECT_NE(refusal("predict " + file("m.hf") + " --data " + file("l")).find("fingerprint"),
            std::string::npos);
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\nf,g\n");
  EXPECT_NE(refusal("predict " + file("m.hf") + " --data " + file("l")).find("fingerprint"),
            std::string::npos);
  std::filesystem::remove_all(folder_ / "l");
  EXPECT_EQ(predictions(), before);
  EXPECT_NE(refusal("predict " + file("m.hf") + " --data " + file("l")).find("/l"), std::string::npos);
}

TEST_F(ChangedData, UnderARecordIsNotMixedWithIt) {
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\n");
  folder_.write("l/labels.csv", "node,label\na,x\nb,x\nc,x\nd,y\ne,y\nf,y\n");
  const std::string search =
      "search " + file("l") +
      " --model gcn --trials 2 --seeds 0-1 --set epochs=1 --set features=neighbourhood "
      "--split \"per-class 1,1\" -o " +
      file("s.preset");
  const std::string compare = "compare " + file("l") +
                              " --models label-propagation,\"gcn epochs=1\" --runs 2 "
                              "--split \"per-class 1,1\" -o " +
                              file("c");
  ASSERT_EQ(run_program(search).code, 0);
  ASSERT_EQ(run_program(compare).code, 0);
  EXPECT_EQ(json_of(compare)["runs_before"], 4);
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\nf,a\n");
  EXPECT_NE(refusal(search).find("is the record of another search"), std::string::npos);
  EXPECT_EQ(json_of(compare)["runs_before"], 0);
}

}  // namespace
}  // namespace heatfront
