// SPDX-License-Identifier: MIT
// Files and names that are meant to do harm: nothing is written outside the place that was named, and nothing overflows.
#include <gtest/gtest.h>

#include "support/npz_file.h"
#include "support/program_fixture.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;

constexpr std::size_t kDeep = 100000;
const std::string& brackets() {
  static const std::string kBrackets(kDeep, '[');
  return kBrackets;
}

class HostileInput : public test::ProgramFixture {};

TEST_F(HostileInput, DeepJsonInAMusaeFolderIsRefused) {
  for (const std::string& text :
       {brackets(), brackets() + std::string(kDeep, ']'), "{\"0\": " + brackets()}) {
    folder_.write("x/x_edges.csv", "id_1,id_2\n0,1\n");
    folder_.write("x/x_target.csv", "id,ml_target\n0,1\n1,0\n");
    folder_.write("x/x_features.json", text);
    EXPECT_NE(refusal("info " + file("x")).find("x_features.json"), std::string::npos);
  }
}

TEST_F(HostileInput, DeepJsonInARecordIsRefused) {
  const std::string closed = brackets() + std::string(kDeep, ']');
  folder_.write("c/runs.jsonl", "{\"table\":\"compare\"}\n" + closed + "\n");
  refusal("compare karate --models gcn,mlp -o " + file("c"));
  for (const std::string& text : {closed, "{\"search\":" + closed + "}"}) {
    folder_.write("s.record.jsonl", text + "\n");
    EXPECT_NE(refusal("search karate --model gcn --trials 2 --set epochs=1 -o " + file("s.preset"))
                  .find("s.record.jsonl"),
              std::string::npos);
  }
}

TEST_F(HostileInput, ADeepArrayHeaderIsRefused) {
  for (const char* bracket : {"(", "[", "{"}) {
    std::string header;
    for (int i = 0; i < 60000; ++i) header += bracket;
    const std::string length = {static_cast<char>(header.size() & 0xff),
                                static_cast<char>(header.size() >> 8)};
    test::write_zip(folder_ / "d.npz",
                    {{"adj_indices.npy", "\x93NUMPY" + std::string("\x01\x00", 2) + length + header}});
    EXPECT_NE(refusal("info " + file("d.npz")).find("adj_indices"), std::string::npos);
  }
}

TEST_F(HostileInput, NamesInAnArchiveLeadNowhere) {
  test::write_zip(folder_ / "d.npz",
                  {{"../escaped.npy", test::npy(std::vector<std::int64_t>{1})},
                   {"/tmp/heatfront-escaped.npy", test::npy(std::vector<std::int64_t>{1})}});
  refusal("info " + file("d.npz"));
  refusal("convert " + file("d.npz") + " " + file("out"));
  EXPECT_EQ(test::files_in(folder_.path()), 1u);
  EXPECT_FALSE(std::filesystem::exists("/tmp/heatfront-escaped.npy"));
}

// A name is looked up in the catalogue, or is a path that the user gave; it never leads out of the data folder.
TEST_F(HostileInput, NamesOfDataSetsLeadNowhere) {
  folder_.write("secret.npz", "secret");
  std::filesystem::create_directory(folder_ / "data");
  const std::string data = "env HEATFRONT_DATA=" + file("data");
  for (const char* name :
       {"../secret", "../secret.npz", "/etc/passwd", "cora/../../secret", "..", "cora%2f.."}) {
    const Outcome outcome =
        run_program(std::string("fetch '") + name + "' --mirror http://127.0.0.1:9", data);
    EXPECT_EQ(outcome.code, 1) << name;
    EXPECT_NE(outcome.errors.find("choose from: "), std::string::npos) << outcome.errors;
  }
  EXPECT_EQ(test::files_in(folder_ / "data"), 0u);
}

TEST_F(HostileInput, AModelsOwnNamesAreOnlyText) {
  ASSERT_EQ(run_program("convert karate " + file("k.npz")).code, 0);
  std::filesystem::create_directory(folder_ / "in");
  std::filesystem::rename(folder_ / "k.npz", folder_ / "in" / "..;touch x;.npz");
  ASSERT_EQ(run_program("train '" + path("in/..;touch x;.npz") + "' --set epochs=1 -o " + file("m.hf")).code,
            0);
  ASSERT_EQ(run_program("predict " + file("m.hf") + " -o " + file("p.csv")).code, 0);
  ASSERT_EQ(run_program("evaluate " + file("m.hf") + " --report " + file("r.html")).code, 0);
  EXPECT_EQ(test::files_in(folder_.path()), 4u);
}

// The page is opened in a browser.
TEST_F(HostileInput, NamesInAReportAreNoMarkup) {
  folder_.write("l/edges.csv", "source,target\na,b\nb,c\nc,d\nd,a\na,c\n");
  folder_.write("l/labels.csv",
                "node,label\na,<script>x\nb,\"y\"\"><img>\"\nc,<script>x\nd,\"y\"\"><img>\"\n");
  ASSERT_EQ(
      run_program("train " + file("l") + " --split \"per-class 1,1\" --set epochs=1 -o " + file("m.hf")).code,
      0);
  run_program("evaluate " + file("m.hf") + " --report " + file("r.html"));
  const std::string page = file_text(path("r.html"));
  EXPECT_EQ(page.find("<script>x"), std::string::npos);
  EXPECT_EQ(page.find("<img>"), std::string::npos);
}

TEST_F(HostileInput, ALinkInThePlaceOfAPartIsNotFollowed) {
  folder_.write("victim", "precious");
  std::filesystem::create_directories(folder_ / "data" / "planetoid");
  for (const char* name : {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"})
    std::filesystem::create_symlink(folder_ / "victim",
                                    folder_ / "data/planetoid" / (std::string("ind.cora.") + name + ".part"));
  const Outcome outcome =
      run_program("fetch cora --mirror http://127.0.0.1:9", "env HEATFRONT_DATA=" + file("data"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find(".part: cannot be written"), std::string::npos) << outcome.errors;
  EXPECT_EQ(file_text(path("victim")), "precious");
}

}  // namespace
}  // namespace heatfront
