// SPDX-License-Identifier: MIT
#include "heatfront/flow/row_leads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"
#include "heatfront/base/softmax.h"

namespace heatfront {
namespace {

// Few values, so that there are equals and rows of zeros.
Matrix coarse_rows(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  const Random random(seed);
  Matrix result = padded_matrix(rows, cols);
  for (std::int64_t u = 0; u < rows; ++u) {
    for (std::int64_t c = 0; c < cols; ++c)
      result(u, c) = static_cast<Real>(random.below(4, static_cast<std::uint64_t>(u * cols + c))) - Real(2);
    if (u % 5 == 4) std::ranges::fill(result.row(u), Real(0));
  }
  return result;
}

TEST(RowLeads, AreTheTwoWarmestClassesAndOfEqualsTheFirst) {
  for (std::int64_t cols : {1, 2, 3, 8, 41}) {
    for (std::int64_t rows : {1, 5, 16}) {
      const Matrix x = coarse_rows(rows, cols, static_cast<std::uint64_t>(cols));
      RowLeads leads;
      find_leads(x, false, leads);
      for (std::int64_t u = 0; u < rows; ++u) {
        const auto i = static_cast<std::size_t>(u);
        const std::vector<Real> row(x.row(u).begin(), x.row(u).end());
        const auto first = std::ranges::max_element(row) - row.begin();
        std::vector<Real> others = row;
        if (cols > 1) others[static_cast<std::size_t>(first)] = -100;
        const auto second = std::ranges::max_element(others) - others.begin();
        EXPECT_EQ(leads.first_class[i], first);
        EXPECT_EQ(leads.second_class[i], second);
        EXPECT_EQ(leads.first[i], row[static_cast<std::size_t>(first)]);
        EXPECT_EQ(leads.second[i], row[static_cast<std::size_t>(second)]);
        EXPECT_EQ(leads.warm[i] == 0, std::ranges::count(row, Real(0)) == cols);
        double heat = 0;
        for (Real value : row) heat += std::max(0.0, static_cast<double>(value));
        EXPECT_EQ(leads.sum[i], heat);
      }
    }
  }
}

TEST(RowLeads, GiveTheShareThatSoftmaxGives) {
  const Random random(3);
  for (std::int64_t cols : {1, 2, 7, 40}) {
    Matrix x = padded_matrix(13, cols);
    for (std::int64_t u = 0; u < x.rows(); ++u) {
      for (std::int64_t c = 0; c < cols; ++c)
        x(u, c) = static_cast<Real>(8 * random.normal(static_cast<std::uint64_t>(u * cols + c)));
    }
    RowLeads leads;
    find_leads(x, true, leads);
    std::vector<double> shares(static_cast<std::size_t>(cols));
    for (std::int64_t u = 0; u < x.rows(); ++u) {
      softmax(x.row(u), shares);
      EXPECT_NEAR(1 / leads.sum[static_cast<std::size_t>(u)], std::ranges::max(shares), 1e-15);
    }
  }
}

}  // namespace
}  // namespace heatfront
