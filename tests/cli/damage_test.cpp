// SPDX-License-Identifier: MIT
// Damaged input through the whole program: exit 1, one line that names the file and the fault, no output left
// behind.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "support/npz_file.h"
#include "support/program.h"

namespace heatfront {
namespace {

using test::file_text;
using test::Outcome;
using test::run_program;
using test::TemporaryFolder;

class Damage : public testing::Test {
 protected:
  // Both `info` and `convert` must refuse `input`, with a line that says `fault`.
  void expect_refused(const std::filesystem::path& input, const std::string& fault) {
    const TemporaryFolder out;
    for (const std::string& command :
         {"info '" + input.string() + "'",
          "convert '" + input.string() + "' '" + (out / "out.npz").string() + "'"}) {
      const Outcome outcome = run_program(command);
      EXPECT_EQ(outcome.code, 1) << command << ": " << outcome.errors;
      EXPECT_EQ(outcome.output, "");
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
      EXPECT_TRUE(outcome.errors.starts_with("heatfront: " + input.string())) << outcome.errors;
      EXPECT_NE(outcome.errors.find(fault), std::string::npos) << outcome.errors;
    }
    EXPECT_EQ(test::files_in(out.path()), 0u);
  }

  // A good little npz of three nodes with one array replaced.
  std::filesystem::path npz_with(const std::string& array, const std::string& npy) {
    test::Entries entries = {{"adj_indices.npy", test::npy(std::vector<std::int32_t>{1, 0, 2, 1})},
                             {"adj_indptr.npy", test::npy(std::vector<std::int32_t>{0, 1, 3, 4})},
                             {"adj_shape.npy", test::npy(std::vector<std::int64_t>{3, 3})},
                             {"attr_matrix.npy", test::npy(std::vector<float>{1, 2, 3}, {3, 1})},
                             {"labels.npy", test::npy(std::vector<std::int64_t>{0, 1, 0})}};
    for (auto& [name, content] : entries) {
      if (name == array + ".npy") content = npy;
    }
    return test::write_zip(folder_ / "d.npz", entries);
  }

  const TemporaryFolder folder_;
};

TEST_F(Damage, ATruncatedZip) {
  run_program("convert karate '" + (folder_ / "k.npz").string() + "'");
  const std::string whole = file_text(folder_ / "k.npz");
  expect_refused(folder_.write("t.npz", whole.substr(0, whole.size() / 2)), "zip");
}

TEST_F(Damage, AWrongChecksum) {
  std::string bytes = file_text(npz_with("", ""));
  const std::string labels = test::bytes_of(std::vector<std::int64_t>{0, 1, 0});
  bytes[bytes.find(labels) + 8] = 7;
  expect_refused(folder_.write("c.npz", bytes), "labels");
}

TEST_F(Damage, AHugeOrNegativeIndex) {
  expect_refused(npz_with("adj_indices", test::npy(std::vector<std::int32_t>{1, 0, 2000000000, 1})),
                 "2000000000");
  expect_refused(npz_with("adj_indices", test::npy(std::vector<std::int32_t>{1, 0, -2, 1})), "-2");
}

TEST_F(Damage, AnIndexPointerThatFalls) {
  expect_refused(npz_with("adj_indptr", test::npy(std::vector<std::int32_t>{0, 3, 1, 4})), "adj_indptr");
}

TEST_F(Damage, ANumberThatIsNone) {
  expect_refused(
      npz_with("attr_matrix",
               test::npy(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN(), 3}, {3, 1})),
      "nan");
}

TEST_F(Damage, PickledObjects) {
  expect_refused(npz_with("labels", test::npy("|O", {3}, "cos\nsystem\n.")), "labels");
}

TEST_F(Damage, APickleWithAForeignClass) {
  const std::filesystem::path files(HEATFRONT_TEST_FILES);
  std::filesystem::copy(files / "planetoid" / "protocol2", folder_ / "p");
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "p")) {
    if (entry.path().extension() == ".graph") {
      std::filesystem::copy_file(files / "broken" / "foreign_class.pickle", entry.path(),
                                 std::filesystem::copy_options::overwrite_existing);
    }
  }
  const Outcome outcome = run_program("info '" + (folder_ / "p").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("which is not data"), std::string::npos) << outcome.errors;
}

TEST_F(Damage, TwoLabelsOfANode) {
  folder_.write("l/edges.csv", "a,b\nb,c\n");
  folder_.write("l/labels.csv", "a,x\na,y\n");
  const Outcome outcome = run_program("info '" + (folder_ / "l").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("labels.csv:2: "), std::string::npos) << outcome.errors;
}

TEST_F(Damage, AFeatureRowTooShort) {
  folder_.write("f/features.csv", "a,1,2\nb,3\n");
  const Outcome outcome = run_program("info '" + (folder_ / "f").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("features.csv:2: 2 columns, but line 1 has 3"), std::string::npos)
      << outcome.errors;
}

TEST_F(Damage, BinaryGarbage) {
  std::string garbage;
  for (int i = 0; i < 3000; ++i) garbage += static_cast<char>(i * 7919 % 251);
  for (const char* name : {"g.npz", "g.csv", "g.mtx", "g-idx3-ubyte", "g"})
    expect_refused(folder_.write(name, garbage), "");
}

TEST_F(Damage, AnEmptyFile) {
  for (const char* name : {"e.npz", "e.csv", "e.mtx"}) expect_refused(folder_.write(name, ""), "empty");
}

TEST_F(Damage, AFolderWithoutData) {
  std::filesystem::create_directory(folder_ / "nothing");
  expect_refused(folder_ / "nothing", "folder");
  std::filesystem::create_directory(folder_ / "folder.npz");
  expect_refused(folder_ / "folder.npz", "folder");
}

TEST_F(Damage, AFileThatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "SKIPPED: needs a user other than root, who may read everything";
  const auto file = folder_.write("secret.npz", "PK");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  expect_refused(file, "Permission denied");
}

TEST_F(Damage, AnOutputFolderThatIsNotThere) {
  const Outcome outcome = run_program("convert karate '" + (folder_ / "no/k.npz").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("there is no folder"), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace heatfront
