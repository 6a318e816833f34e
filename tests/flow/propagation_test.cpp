// SPDX-License-Identifier: MIT
#include "heatfront/flow/propagation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront_io/formats/open.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

struct Case {
  Normalisation normalisation;
  double left, right;  // powers of the degrees
};

// D^left (W + loop) D^right x, entry by entry; a node without edge and loop keeps what it has.
Matrix slow_product(const Graph& graph, std::span<const Real> weights, double loop, const Case& c,
                    const Matrix& x) {
  const auto weight = [&](ArcId arc) {
    return weights.empty() ? 1.0 : static_cast<double>(weights[static_cast<std::size_t>(arc)]);
  };
  std::vector<double> degrees;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    double degree = loop;
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) degree += weight(arc);
    degrees.push_back(degree > 0 ? degree : 1);
  }
  Matrix y = padded_matrix(x.rows(), x.cols());
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const bool alone = graph.degree(u) == 0 && loop == 0;
    const double own = std::pow(degrees[static_cast<std::size_t>(u)], c.left);
    for (std::int64_t j = 0; j < x.cols(); ++j) {
      const auto part = [&](NodeId v, double w) {
        return own * w * std::pow(degrees[static_cast<std::size_t>(v)], c.right) *
               static_cast<double>(x(v, j));
      };
      double sum = part(u, alone ? 1 : loop);
      for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc)
        sum += part(graph.targets()[static_cast<std::size_t>(arc)], weight(arc));
      y(u, j) = static_cast<Real>(sum);
    }
  }
  return y;
}

class EveryNormalisation : public testing::TestWithParam<Case> {
 protected:
  EveryNormalisation() {
    for (NodeId u = 0; u < data_.nodes(); ++u) {
      for (std::int64_t j = 0; j < 3; ++j)
        x_(u, j) = static_cast<Real>(std::sin(u + 10.0 * static_cast<double>(j)));
    }
    for (ArcId arc = 0; arc < data_.graph.arcs(); ++arc) weights_.push_back(Real(0.5));
  }
  void expect_near(const Matrix& a, const Matrix& b) {
    for (std::int64_t u = 0; u < a.rows(); ++u) {
      for (std::int64_t j = 0; j < a.cols(); ++j)
        ASSERT_NEAR(static_cast<double>(a(u, j)), static_cast<double>(b(u, j)), 2e-6) << u;
    }
  }

  Threads threads_{2};
  Dataset data_ = open_dataset("blocks:blocks=2,size=30,inside=0.1,across=0.02", {}, threads_);
  std::vector<Real> weights_;
  Matrix x_ = padded_matrix(data_.nodes(), 3);
};

INSTANTIATE_TEST_SUITE_P(Normalisations, EveryNormalisation,
                         testing::Values(Case{Normalisation::symmetric, -0.5, -0.5},
                                         Case{Normalisation::row, -1, 0},
                                         Case{Normalisation::column, 0, -1}));

TEST_P(EveryNormalisation, MultipliesAsTheFormulaSays) {
  for (double loop : {0.0, 1.0, 0.3}) {
    for (const std::vector<Real>& weights : {std::vector<Real>(), weights_}) {
      Propagation propagation(data_.graph, weights, GetParam().normalisation, loop, threads_);
      Matrix x = x_, y = padded_matrix(data_.nodes(), 3);
      propagation.multiply(x, y);
      expect_near(y, slow_product(data_.graph, weights, loop, GetParam(), x_));
    }
  }
}

TEST_P(EveryNormalisation, SpreadsStepByStepAndHoldsWhatIsHeld) {
  const std::vector<NodeId> held = {3, 17};
  Propagation propagation(data_.graph, {}, GetParam().normalisation, 0.5, threads_);
  for (std::int64_t steps : {0, 1, 2, 5}) {
    for (bool hold : {false, true}) {
      Matrix f = padded_matrix(data_.nodes(), 3), expected = x_;
      propagation.spread(0.7, steps, x_, f, hold ? std::span<const NodeId>(held) : std::span<const NodeId>());
      for (std::int64_t step = 0; step < steps; ++step) {
        const Matrix product = slow_product(data_.graph, {}, 0.5, GetParam(), expected);
        for (NodeId u = 0; u < data_.nodes(); ++u) {
          for (std::int64_t j = 0; j < 3; ++j)
            expected(u, j) = hold && (u == 3 || u == 17)
                                 ? x_(u, j)
                                 : static_cast<Real>(0.7) * product(u, j) + static_cast<Real>(0.3) * x_(u, j);
        }
      }
      expect_near(f, expected);
    }
  }
}

TEST(Normalisation, IsRefusedByAWrongName) {
  EXPECT_EQ(test::error_text([] { normalisation_named("rows"); }),
            "unknown normalisation 'rows' (did you mean 'row'?); choose from: symmetric, row, column");
}

}  // namespace
}  // namespace heatfront
