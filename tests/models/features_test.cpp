// SPDX-License-Identifier: MIT
#include "heatfront/models/features.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "heatfront/base/random.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

TEST(NetworkInput, ShowsFeaturesInTheWayAsked) {
  Dataset data{.name = "two", .graph = Graph::without_edges(2)};
  Matrix matrix(2, 2);
  matrix(0, 0) = 3;
  matrix(0, 1) = -1;
  matrix(1, 0) = 1;
  data.features = Features(matrix);
  const auto shown = [&](const char* how, std::int64_t u, std::int64_t j) {
    return static_cast<double>(network_input(how, data).view().dense(u, j));
  };
  EXPECT_EQ(shown("as-given", 0, 0), 3);
  EXPECT_EQ(shown("binarised", 0, 1), 1);
  EXPECT_EQ(shown("binarised", 1, 1), 0);
  EXPECT_NEAR(shown("row-sums", 0, 1), -0.25, 1e-7);
  const NetworkInput lengths = network_input("row-lengths", data);  // the columns in units of √5 and 1
  EXPECT_NEAR(lengths.view().sparse.values[0], 3 / std::sqrt(14), 1e-6);
  EXPECT_NEAR(lengths.view().sparse.values[1], -std::sqrt(5 / 14.0), 1e-6);
  EXPECT_NEAR(lengths.view().sparse.values[2], 1, 1e-6);
  EXPECT_NEAR(shown("standardised", 0, 0), 1, 1e-6);
  EXPECT_NEAR(shown("standardised", 1, 0), -1, 1e-6);
  // Columns are (1, −1) and (−1, 1), so their squares never change, and their product neither.
  for (std::int64_t j = 0; j < 2; ++j) EXPECT_EQ(shown("products", 0, j), shown("standardised", 0, j));
  for (std::int64_t j = 2; j < 5; ++j) EXPECT_EQ(shown("products", 1, j), 0);
  EXPECT_EQ(resolve_features("auto", data), "standardised");
  EXPECT_EQ(network_input("neighbourhood", data).view().sparse.entries(), 2);
}

TEST(NetworkInput, ShowsProductsOfColumnsInUnitsOfTheirOwn) {
  Dataset data{.name = "three", .graph = Graph::without_edges(3)};
  Matrix matrix(3, 2);
  matrix(0, 0) = 1;
  matrix(1, 0) = -1;
  matrix(1, 1) = matrix(2, 1) = 3;  // standardised: −√2, 1/√2, 1/√2, and ±√(3/2), 0
  data.features = Features(matrix);
  const NetworkInput input = network_input("products", data);
  const ConstMatrixView x = input.view().dense;
  ASSERT_EQ(x.cols, 5);
  EXPECT_NEAR(x(0, 0), std::sqrt(1.5), 1e-6);
  EXPECT_NEAR(x(0, 1), -std::sqrt(2), 1e-6);
  // 3/2, 3/2, 0 has mean 1 and deviation 1/√2, and is divided by √2 more.
  EXPECT_NEAR(x(0, 2), 0.5, 1e-6);
  EXPECT_NEAR(x(2, 2), -1, 1e-6);
  // −√3, −√3/2, 0: mean −√3/2, deviation 1/√2.
  EXPECT_NEAR(x(0, 3), -std::sqrt(3) / 2, 1e-6);
  EXPECT_NEAR(x(1, 3), 0, 1e-6);
  const auto pairs = columns_of_products(2);
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {
      {0, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(pairs, expected);
  data.features = Features(Matrix(3, kMostInProducts + 1));
  EXPECT_NE(test::error_text([&] { network_input("products", data); }).find("at most 32 columns"),
            std::string::npos);
}

// Words, one in three of which stands in a row; `change` gives the value of an entry.
Dataset words(const std::function<double(NodeId, std::int32_t)>& change) {
  Dataset data{.name = "words", .graph = Graph::without_edges(20)};
  SparseMatrix matrix{.rows = 20, .cols = 30};
  const Random random(3);
  for (NodeId u = 0; u < 20; ++u) {
    for (std::int32_t j = 0; j < 30; ++j) {
      if (random.uniform(static_cast<std::uint64_t>(30 * u + j)) > 0.33) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(static_cast<Real>(change(u, j)));
    }
    matrix.offsets.push_back(matrix.entries());
  }
  data.features = Features(std::move(matrix));
  return data;
}

void expect_same_input(const Dataset& data, const Dataset& other) {
  const NetworkInput input = network_input("auto", data), others = network_input("auto", other);
  const SparseView a = input.view().sparse, b = others.view().sparse;
  ASSERT_TRUE(input.view().is_sparse() && others.view().is_sparse());
  ASSERT_GT(a.entries(), 100);
  ASSERT_EQ(a.entries(), b.entries());
  ASSERT_NE(a.values, nullptr) << "all ones";
  ASSERT_NE(b.values, nullptr) << "all ones";
  for (std::int64_t k = 0; k < a.entries(); ++k) ASSERT_NEAR(a.values[k], b.values[k], 1e-5) << "entry " << k;
}

TEST(AutomaticFeatures, AreTheSameWhateverTheUnitsOfRowsAndColumnsAre) {
  const Dataset ones = words([](NodeId, std::int32_t) { return 1; });
  expect_same_input(ones, words([](NodeId, std::int32_t) { return 1e-4; }));
  expect_same_input(ones, words([](NodeId, std::int32_t) { return 1e30; }));
  expect_same_input(ones, words([](NodeId, std::int32_t j) { return std::pow(10., j % 9 - 4); }));
}

TEST(AutomaticFeatures, AreTheSameHoweverTheyAreStored) {
  const Dataset sparse = words([](NodeId u, std::int32_t j) { return 1 + (u + j) % 3; });
  const SparseMatrix& matrix = *sparse.features.sparse();
  Matrix values(matrix.rows, matrix.cols);
  for (std::int64_t u = 0; u < matrix.rows; ++u) {
    for (std::size_t k = 0; k < matrix.row_columns(u).size(); ++k)
      values(u, matrix.row_columns(u)[k]) = matrix.row_values(u)[k];
  }
  Dataset dense{.name = "dense", .graph = Graph::without_edges(20)};
  dense.features = Features(std::move(values));
  expect_same_input(sparse, dense);
}

TEST(SparseFeatures, WhoseStoredEntriesAreZeroStayZero) {
  const Dataset data = words([](NodeId, std::int32_t) { return 0; });
  for (const char* how : {"row-sums", "row-lengths", "standardised"}) {
    const NetworkInput input = network_input(how, data);
    const SparseView shown = input.view().sparse;
    for (std::int64_t k = 0; k < shown.entries(); ++k) ASSERT_EQ(shown.values[k], 0) << how;
  }
}

}  // namespace
}  // namespace heatfront
