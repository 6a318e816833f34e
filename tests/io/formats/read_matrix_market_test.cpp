// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using Reals = std::vector<Real>;

const std::string kBanner = "%%MatrixMarket matrix coordinate ";

Dataset matrix_in(const std::filesystem::path& path) {
  Threads threads(2);
  return read_matrix_market(path, {}, threads);
}

Dataset read_text(const std::string& text) {
  const test::TemporaryFolder folder;
  return matrix_in(folder.write("a.mtx", text));
}

// From the line number on.
std::string matrix_error(const std::string& text) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("a.mtx", text);
  const std::string error = test::error_text([&] { matrix_in(path); });
  return error.substr(std::min(error.size(), path.string().size()));
}

TEST(MatrixMarket, ReadsGeneralWeights) {
  const Dataset data = read_text(kBanner + "real general\n% comment\n\n3 3 3\n1 2 0.5\n2 1 0.5\n3 2 2\n");
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_EQ(data.weights, (Reals{0.5, 0.5, 2, 2}));
  EXPECT_EQ(data.changes.one_way, 1);
}

TEST(MatrixMarket, ReadsSymmetricPatternsAsBothDirections) {
  const Dataset data =
      read_text("%%matrixmarket MATRIX Coordinate pattern symmetric \r\n4 4 3\r\n2 1\r\n3 2\r\n4 4\r\n");
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_TRUE(data.weights.empty());
  EXPECT_EQ(data.changes.one_way, 0);
  EXPECT_EQ(data.changes.loops, 1);
}

TEST(MatrixMarket, ReadsPackedFilesAndIsNamedAfterThem) {
  const test::TemporaryFolder folder;
  const auto path =
      folder.write("karate.mtx.gz", test::gzipped(kBanner + "integer symmetric\n2 2 1\n2 1 3\n"));
  EXPECT_TRUE(is_matrix_market(path));
  EXPECT_FALSE(is_matrix_market(folder.path()));
  EXPECT_EQ(matrix_in(path).name, "karate");
  EXPECT_EQ(matrix_in(path).weights, (Reals{3, 3}));
}

TEST(MatrixMarket, RefusesOtherKindsOfMatrix) {
  for (const char* kind : {"complex general", "real skew-symmetric", "complex hermitian", "real", ""}) {
    EXPECT_EQ(matrix_error(kBanner + kind + "\n2 2 1\n1 2 1\n"),
              ":1: '" + kBanner + kind +
                  "' cannot be read; "
                  "'%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric' can");
  }
  EXPECT_NE(matrix_error("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"), "");
  EXPECT_NE(matrix_error("2 2 1\n1 2 1\n"), "");
}

TEST(MatrixMarket, NamesTheLineOfAMistake) {
  const std::string real = kBanner + "real general\n";
  EXPECT_EQ(matrix_error(real + "3 4 1\n1 2 1\n"), ":2: 3 rows but 4 columns; a graph needs a square matrix");
  EXPECT_EQ(matrix_error(real + "3 3\n1 2 1\n"), ":2: rows, columns and number of entries are expected");
  EXPECT_EQ(matrix_error(real + "3 3 -1\n"), ":2: rows, columns and number of entries are expected");
  EXPECT_EQ(matrix_error(real + "3 3 2\n1 2 1\n"),
            ": the file ends after 1 of 2 entries; fetch or copy it again");
  EXPECT_EQ(matrix_error(real + "3 3 1\n1 2 1\n2 3 1\n"), ":4: one entry more than the 1 declared");
  EXPECT_EQ(matrix_error(real + "3 3 1\n1 2\n"), ":3: 2 numbers; an entry has 3");
  EXPECT_EQ(matrix_error(real + "3 3 1\n0 2 1\n"), ":3: index '0'; indices are 1 to 3");
  EXPECT_EQ(matrix_error(real + "3 3 1\n1 4 1\n"), ":3: index '4'; indices are 1 to 3");
  EXPECT_EQ(matrix_error(real + "3 3 1\n1 2 -1\n"),
            ":3: value '-1' cannot be a weight; weights must be finite and 0 or more");
  EXPECT_EQ(matrix_error(real + "3 3 1\n1 2 nan\n"),
            ":3: value 'nan' cannot be a weight; weights must be finite and 0 or more");
}

TEST(MatrixMarket, DoesNotBelieveHugeSizes) {
  const std::string pattern = kBanner + "pattern general\n";
  EXPECT_EQ(matrix_error(pattern + "2000000000 2000000000 1\n1 2\n"),
            ":2: 2000000000 nodes, but 1 arcs; that is too few for so many nodes");
  EXPECT_EQ(matrix_error(pattern + "2000000000 2000000000 2000000000\n1 2\n"),
            ": the file ends after 1 of 2000000000 entries; fetch or copy it again");
  EXPECT_EQ(matrix_error(pattern + "3000000000 3000000000 3000000000\n1 2\n"),
            ":2: 3000000000 nodes; there can be 1 to 2147483647");
}

}  // namespace
}  // namespace heatfront
