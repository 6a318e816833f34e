// SPDX-License-Identifier: MIT
#include "heatfront/models/correction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/build.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

// Three nodes in a row, two classes; the base is wrong about node 0, whose label is known.
struct Row {
  Graph graph = Graph({0, 1, 3, 4}, {1, 0, 2, 1});
  KnownLabels known{.nodes = {0}, .classes = {0}};
  Matrix shares = padded_matrix(3, 2), result = padded_matrix(3, 2);
  Threads threads{1};

  Row() {
    const double first[] = {0.25, 0.5, 0.125};
    for (std::int64_t u = 0; u < 3; ++u) {
      shares(u, 0) = static_cast<Real>(first[u]);
      shares(u, 1) = static_cast<Real>(1 - first[u]);
    }
  }
  void correct(const CorrectionOptions& options) {
    Correction correction(graph, {}, options, threads);
    correction.apply(shares, known, result);
  }
};

TEST(Correction, SpreadsTheErrorsOfKnownNodesByAFixedScale) {
  Row row;
  row.correct({.scaling = "fixed",
               .scale = 0.5,
               .correct_alpha = 0.5,
               .smooth_alpha = 0,
               .steps = 2,
               .correct_matrix = "row"});
  // E⁰ = (¾, 0, 0), held at node 0. Steps: E_1 = ½·½·¾ = 3/16, E_2 = 0; then E_1 = ½·½·¾, E_2 = ½·3/16 = 3/32.
  EXPECT_NEAR(static_cast<double>(row.result(0, 0)), 1, 1e-6) << "known";
  EXPECT_NEAR(static_cast<double>(row.result(1, 0)), 0.5 + 0.5 * 3 / 16, 1e-6);
  EXPECT_NEAR(static_cast<double>(row.result(2, 0)), 0.125 + 0.5 * 3 / 32, 1e-6);
  EXPECT_NEAR(static_cast<double>(row.result(2, 1)), 0.875 - 0.5 * 3 / 32, 1e-6);
}

TEST(Correction, ScalesEveryNodeToTheMeanErrorOfTheKnown) {
  Row row;
  row.correct({.scaling = "auto", .correct_alpha = 0.5, .smooth_alpha = 0, .steps = 1});
  // |E⁰|₁ = 1.5 on average; node 1 has error (+, −) of one size, so it moves by ¾; node 2 is not reached in one step.
  EXPECT_NEAR(static_cast<double>(row.result(1, 0)), 0.5 + 0.75, 1e-6);
  EXPECT_NEAR(static_cast<double>(row.result(2, 0)), 0.125, 1e-6);
}

TEST(Correction, SmoothsWithTheKnownLabelsInPlace) {
  Row row;
  row.correct({.scaling = "fixed", .scale = 0, .smooth_alpha = 0.5, .steps = 1, .smooth_matrix = "row"});
  EXPECT_NEAR(static_cast<double>(row.result(0, 0)), 0.5 * 0.5 + 0.5 * 1, 1e-6);
  EXPECT_NEAR(static_cast<double>(row.result(1, 0)), 0.5 * (1 + 0.125) / 2 + 0.5 * 0.5, 1e-6);
}

TEST(Correction, RefusesWhatItCannotDo) {
  Row row;
  const auto error = [&](const CorrectionOptions& options) {
    return test::error_text([&] { row.correct(options); });
  };
  EXPECT_EQ(error({.scaling = "some"}), "correction: scaling is 'some', but must be auto or fixed");
  EXPECT_EQ(error({.correct_alpha = 2}),
            "correction: correct_alpha is '2', but must be a number from 0 to 1");
  EXPECT_EQ(error({.steps = -1}), "correction: steps is '-1', but must be a whole number from 0 to 100000");
}

}  // namespace
}  // namespace heatfront
