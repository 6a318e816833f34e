// SPDX-License-Identifier: MIT
#include "heatfront/models/edge_weighting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "heatfront/graph/build.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/session.h"
#include "heatfront/models/heat_front.h"
#include "heatfront/models/similarity.h"
#include "heatfront/train/fit.h"
#include "heatfront_io/formats/model_file.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/small_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

// Blocks with features that tell the block: dense ones (8 columns), or 50 columns of which most are zero.
Dataset featured_blocks(const std::string& shape, bool sparse, Threads& threads) {
  Dataset data = test::small_data("blocks:blocks=3," + shape, "per-class 4,3", threads);
  const std::int64_t columns = sparse ? 50 : 8;
  Matrix features(data.nodes(), columns);
  const Random random(5);
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const auto i = static_cast<std::uint64_t>(columns * u + j);
      const bool own = j % 5 == data.labels[at(u)];
      if (sparse) {
        features(u, j) = random.uniform(i) < (own ? 0.5 : 0.1) ? Real(1) : Real(0);
      } else {
        features(u, j) = static_cast<Real>((own ? 2 : 0) + random.normal(i));
      }
    }
  }
  data.features = Features(std::move(features));
  return data;
}

const char* const kSmall = "size=10,inside=0.4,across=0.05";

Fit fit_by_features(const Dataset& data, Threads& threads, std::int64_t epochs = 20) {
  return fit(data, HeatFrontOptions{.edge_weights = "features"}, {.epochs = epochs}, 1, threads);
}

TEST(WeightsByFeatures, HaveExactGradientsFromEndToEnd) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  for (bool sparse : {false, true}) {
    Dataset data = featured_blocks(kSmall, sparse, threads);
    for (const char* laplacian : {"symmetric", "random-walk", "combinatorial"}) {
      data.weights.assign(sparse ? at(data.graph.arcs()) : 0, Real(0.7));
      HeatFront model(data,
                      {.network = {.hidden = {6}, .dropout = {0.3}},
                       .time = 2.5,
                       .lambda = 1.2,
                       .tolerance = 1e-13,
                       .laplacian = laplacian,
                       .edge_weights = "features"},
                      threads);
      ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
      ParameterBlock ignored = gradient;
      model.initialise(3, parameters);
      model.prepare(parameters);
      model.gradient(parameters, 17, gradient);
      for (const Parameter& parameter : model.layout().parameters()) {
        SCOPED_TRACE(parameter.name);
        for (std::int64_t i = 0; i < parameter.rows; ++i) {
          const auto begin = at(parameter.offset + i * parameter.stride), count = at(parameter.cols);
          test::expect_gradient(
              std::span(parameters).subspan(begin, count), std::span(gradient).subspan(begin, count),
              [&] {
                model.prepare(parameters);
                return model.gradient(parameters, 17, ignored);
              },
              1e-6, 3);
        }
      }
    }
  }
}

TEST(WeightsByFeatures, AreThoseOfTheFormula) {
  Threads threads(2);
  Dataset data = featured_blocks(kSmall, true, threads);
  data.weights.assign(at(data.graph.arcs()), Real(0.5));
  const Matrix y = compared_features(similarity_axes(data, threads), data, threads);
  for (NodeId u = 0; u < data.nodes(); ++u) {
    double squares = 0;
    for (Real value : y.row(u)) squares += static_cast<double>(value) * static_cast<double>(value);
    EXPECT_NEAR(squares, 1, 1e-5) << u;
  }
  ParameterLayout layout;
  Similarity similarity(data, y, layout, threads);
  ParameterBlock parameters = layout.zeros();
  similarity.initialise(Random(3), parameters);
  std::vector<Real> weights(at(data.graph.arcs()));
  similarity.forward(parameters, weights);
  const std::span<const Real> block = parameters;
  const ConstMatrixView p = layout.parameters()[0].in(block), a = layout.parameters()[1].in(block);
  const double b = static_cast<double>(layout.parameters()[2].in(block)(0, 0));
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (ArcId arc = data.graph.begin_of(u); arc < data.graph.begin_of(u + 1); ++arc) {
      const NodeId v = data.graph.targets()[at(arc)];
      double s = b;
      for (std::int64_t k = 0; k < p.cols; ++k) {
        double h_u = 0, h_v = 0;
        for (std::int64_t i = 0; i < p.rows; ++i) {
          h_u += static_cast<double>(p(i, k) * y(u, i));
          h_v += static_cast<double>(p(i, k) * y(v, i));
        }
        s += static_cast<double>(a(0, k)) * h_u * h_v;
      }
      EXPECT_NEAR(weights[at(arc)], 0.5 / (1 + std::exp(-s)), 1e-5);
    }
  }
}

TEST(WeightsByFeatures, AreTheSameInBothDirectionsAndForAnyNumberOfThreads) {
  std::vector<TrainedModel> models;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    const Dataset data = featured_blocks("size=1000,inside=0.01,across=0.001", false, threads);
    models.push_back(fit_by_features(data, threads, 3).model);
    const TrainedModel& model = models.back();
    EXPECT_EQ(model.weights, models.front().weights);
    for (std::int64_t u = 0; u < model.front.rows(); ++u)
      ASSERT_TRUE(std::ranges::equal(model.front.row(u), models.front().front.row(u)));
  }
  const std::vector<ArcId> reverse = reverse_arcs(models.front().data.graph);
  const std::vector<Real>& weights = models.front().weights;
  for (std::size_t arc = 0; arc < reverse.size(); ++arc) {
    ASSERT_EQ(weights[arc], weights[at(reverse[arc])]);
    ASSERT_TRUE(weights[arc] > 0 && weights[arc] <= 1);
  }
}

TEST(WeightsByFeatures, LearnWhichEdgesStayInsideABlock) {
  Threads threads(1);
  Dataset data = featured_blocks("size=60,inside=0.05,across=0.05", false, threads);
  data.split = choose_split(data, "per-class 20,15", 0);
  const Fit learned = fit_by_features(data, threads, 150);
  double sums[2] = {0, 0}, counts[2] = {0, 0};
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (ArcId arc = data.graph.begin_of(u); arc < data.graph.begin_of(u + 1); ++arc) {
      const int inside = data.labels[at(u)] == data.labels[at(data.graph.targets()[at(arc)])];
      sums[inside] += static_cast<double>(learned.model.weights[at(arc)]);
      ++counts[inside];
    }
  }
  EXPECT_GT(sums[1] / counts[1], 1.5 * sums[0] / counts[0]);
}

TEST(WeightsByFeatures, AreThereForNodesThatTrainingNeverSaw) {
  Threads threads(1);
  for (bool sparse : {false, true}) {
    const Dataset data = featured_blocks(kSmall, sparse, threads);
    const TrainedModel model = fit_by_features(data, threads).model;
    const NodeId n = data.nodes(), v = data.graph.neighbours(0).front();
    Dataset more = data;  // one more node, the twin of node 0, joined to v
    ArcList arcs{.nodes = n + 1};
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId w : data.graph.neighbours(u)) {
        arcs.from.push_back(u);
        arcs.to.push_back(w);
      }
    }
    arcs.from.push_back(n);
    arcs.to.push_back(v);
    more.graph = build_graph(std::move(arcs), threads).graph;
    Matrix features(n + 1, data.features.cols());
    for (NodeId u = 0; u <= n; ++u)
      std::ranges::copy(data.features.dense()->row(u % n), features.row(u).begin());
    more.features = Features(std::move(features));
    const std::vector<Real> weights = weights_for(model, more, threads);
    ASSERT_EQ(std::ssize(weights), more.graph.arcs());
    for (NodeId u = 0; u < n; ++u) {
      for (NodeId w : data.graph.neighbours(u)) {
        const auto place = [&](const Graph& graph) {
          const auto row = graph.neighbours(u);
          return at(graph.begin_of(u) + (std::ranges::find(row, w) - row.begin()));
        };
        EXPECT_NEAR(weights[place(more.graph)], model.weights[place(data.graph)], 1e-5);
      }
    }
    EXPECT_NEAR(weights[at(more.graph.begin_of(n))], model.weights[0], 1e-5);
    more.features = Features(Matrix(n + 1, 2));
    EXPECT_NE(test::error_text([&] { weights_for(model, more, threads); }).find("weights by features need"),
              std::string::npos);
  }
}

TEST(WeightsByFeatures, ComeBackFromAFileAndServeLabelsAndReasons) {
  if (test::kDouble) GTEST_SKIP() << "SKIPPED: files hold single precision";
  Threads threads(1);
  const Dataset data = featured_blocks(kSmall, true, threads);
  const Fit fitted = fit_by_features(data, threads);
  const test::TemporaryFolder folder;
  write_model(fitted.model, folder.path() / "model.hf");
  const TrainedModel read = read_model(folder.path() / "model.hf", threads);
  EXPECT_EQ(read.heat_front_options().edge_weights, "features");
  EXPECT_EQ(read.weights, fitted.model.weights);
  EXPECT_EQ(weights_for(read, data, threads), fitted.model.weights);

  Session session(read, threads);
  const NodeId u = data.split->test.front();
  session.set(u, 2);
  const Answer answer = session.solve();
  EXPECT_EQ(answer.decisions.classes[at(u)], 2);
  EXPECT_LT(explain(session, answer, data.split->test.back(), {}).residual, 1e-4);
}

TEST(WeightsByFeatures, NeedFeaturesAndSayWhatElseThereIs) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  EXPECT_EQ(
      test::error_text([&] { fit_by_features(data, threads); }),
      "karate has no features, by which edge_weights=features weighs edges; set edge_weights=free or none");
}

TEST(EdgeWeighting, OfSingleEdgesIsForTheGraphOfTrainingAlone) {
  Threads threads(1);
  const Dataset data = featured_blocks(kSmall, false, threads);
  const TrainedModel free =
      fit(data, HeatFrontOptions{.edge_weights = "free"}, {.epochs = 2}, 1, threads).model;
  EXPECT_EQ(weights_for(free, data, threads), free.weights);
  const Dataset other = featured_blocks("size=10,inside=0.3,across=0.1", false, threads);
  EXPECT_NE(test::error_text([&] { weights_for(free, other, threads); }).find("edge_weights=features"),
            std::string::npos);
  const TrainedModel none = fit(data, HeatFrontOptions{}, {.epochs = 2}, 1, threads).model;
  EXPECT_EQ(weights_for(none, other, threads), other.weights);
}

TEST(EdgeWeighting, IsReadFromSettingsOfOlderVersions) {
  HeatFrontOptions options;
  set_option(fields(options), "learn_weights=true", "here");
  EXPECT_EQ(options.edge_weights, "free");
  set_option(fields(options), "learn_weights = false", "here");
  EXPECT_EQ(options.edge_weights, "none");
  EXPECT_EQ(
      test::error_text([&] { set_option(fields(options), "learn_weights=perhaps", "here"); }),
      "here: learn_weights is 'perhaps', but it is called edge_weights now, which must be none, free or "
      "features");
  const TrainedModel model{.model = "heat-front", .options = {"time = 3", "learn_weights = true"}};
  EXPECT_EQ(model.heat_front_options().edge_weights, "free");
  EXPECT_EQ(model.heat_front_options().time, 3);
}

}  // namespace
}  // namespace heatfront
