// SPDX-License-Identifier: MIT
// The linear front beside a dense reference: Gaussian elimination on matrices that are written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heatfront/graph/build.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/label/explain.h"
#include "heatfront/label/session.h"
#include "heatfront/models/edge_weighting.h"
#include "heatfront/models/linear_front/front_confidence.h"
#include "heatfront/models/linear_front/front_search.h"
#include "heatfront/models/linear_front/leave_one_out.h"
#include "heatfront/models/linear_front/left_out_error.h"
#include "heatfront/models/linear_front/linear_fit.h"
#include "heatfront/models/linear_front/linear_front.h"
#include "heatfront/train/fit.h"
#include "support/error_text.h"
#include "support/precision.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;

constexpr double kClose = test::kDouble ? 1e-9 : 2e-4;
constexpr double kFlowTolerance = test::kDouble ? 1e-13 : 1e-6;

// A⁻¹ B by Gaussian elimination with pivots.
Dense solved(Dense a, Dense b) {
  const std::size_t n = a.rows;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    for (std::size_t j = 0; j < n; ++j) std::swap(a(k, j), a(pivot, j));
    for (std::size_t j = 0; j < b.cols; ++j) std::swap(b(k, j), b(pivot, j));
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = a(i, k) / a(k, k);
      for (std::size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (std::size_t j = 0; j < b.cols; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < b.cols; ++j) b(i, j) /= a(i, i);
  return b;
}

// A random graph, some of whose nodes are labelled, with few or many features.
struct RandomData {
  Dataset data;
  KnownLabels known;
  static constexpr ClassId kClasses = 3;

  RandomData(std::uint64_t seed, NodeId nodes, std::int64_t columns, bool sparse) {
    test::RandomProblem problem(seed, nodes, columns);
    const Random random = Random(seed).part(7);
    data = {
        .name = "random", .graph = problem.graph, .weights = problem.weights, .class_names = {"a", "b", "c"}};
    Matrix features(nodes, columns);
    for (std::int64_t u = 0; u < nodes; ++u) {
      for (std::int64_t k = 0; k < columns; ++k) {
        const auto i = static_cast<std::uint64_t>(u * columns + k);
        const bool there = !sparse || random.below(3, i) == 0;
        features(u, k) =
            there ? (sparse ? Real(1) + std::abs(problem.front(u, k)) : problem.front(u, k)) : Real(0);
      }
    }
    data.features = Features(features);
    data.labels.assign(at(nodes), kUnknown);
    for (NodeId u = 0; u < nodes; ++u) {
      if (random.part(3).below(3, at(u)) == 0 || u < 4)
        tell(u, static_cast<ClassId>(random.part(4).below(kClasses, at(u))));
    }
    data.split = Split{.name = "all", .train = known.nodes};
  }

  void tell(NodeId u, ClassId label) {
    known.nodes.push_back(u);
    known.classes.push_back(label);
    data.labels[at(u)] = label;
  }
};

Dense features_of(const std::string& view, const Dataset& data) {
  return test::dense_of(FrontFeatures(view, data).dense());
}

// f = Z Z_Lᵀ (Z_L Z_Lᵀ/κ + λ)⁻¹ (Y − 1/C) / κ at all nodes.
struct Reference {
  Dense z;
  bool flows;

  Reference(const Dataset& data, const KernelSetting& kernel, LaplacianKind kind)
      : z(test::product(test::flow(test::dense_laplacian(data.graph, data.weights,
                                                         {.kind = kind, .self_loop = kernel.self_loop}, {}),
                                   kernel.time),
                        features_of(kernel.features, data))),
        flows(kernel.time > 0) {}

  double kappa(const KnownLabels& known) const {
    double sum = 0;
    for (NodeId u : known.nodes)
      for (std::size_t k = 0; k < z.cols; ++k) sum += z(at(u), k) * z(at(u), k);
    return sum / static_cast<double>(known.nodes.size());
  }

  // The same with rows of nodes without edges no longer than √κ.
  Dense shortened_answer(const Dataset& data, const KnownLabels& known, double kappa, double ridge) const {
    Dense f = answer(known, kappa, ridge);
    for (NodeId u = 0; u < data.nodes(); ++u) {
      double square = 0;
      for (std::size_t k = 0; k < z.cols; ++k) square += z(at(u), k) * z(at(u), k);
      const bool shortens = data.graph.degree(u) == 0 && square > kappa && flows;
      for (std::size_t c = 0; c < f.cols && shortens; ++c) f(at(u), c) *= std::sqrt(kappa / square);
    }
    return f;
  }

  Dense answer(const KnownLabels& known, double kappa, double ridge) const {
    const std::size_t labels = known.nodes.size();
    Dense gram(labels, labels), targets(labels, RandomData::kClasses);
    for (std::size_t i = 0; i < labels; ++i) {
      for (std::size_t j = 0; j < labels; ++j) {
        for (std::size_t k = 0; k < z.cols; ++k)
          gram(i, j) += z(at(known.nodes[i]), k) * z(at(known.nodes[j]), k) / kappa;
      }
      gram(i, i) += ridge;
      for (std::size_t c = 0; c < targets.cols; ++c)
        targets(i, c) = (at(known.classes[i]) == c ? 1.0 : 0.0) - 1.0 / RandomData::kClasses;
    }
    const Dense alpha = solved(gram, targets);
    Dense f(z.rows, targets.cols);
    for (std::size_t u = 0; u < z.rows; ++u) {
      for (std::size_t i = 0; i < labels; ++i) {
        double kernel = 0;
        for (std::size_t k = 0; k < z.cols; ++k) kernel += z(u, k) * z(at(known.nodes[i]), k) / kappa;
        for (std::size_t c = 0; c < targets.cols; ++c) f(u, c) += kernel * alpha(i, c);
      }
    }
    return f;
  }
};

KnownLabels without(const KnownLabels& known, std::size_t which) {
  KnownLabels rest = known;
  rest.nodes.erase(rest.nodes.begin() + static_cast<std::ptrdiff_t>(which));
  rest.classes.erase(rest.classes.begin() + static_cast<std::ptrdiff_t>(which));
  return rest;
}

FlowOptions exact_flow(LaplacianKind kind) {
  return {.solver = "chebyshev",
          .solve = {.tolerance = kFlowTolerance, .certify = false},
          .laplacian = {.kind = kind}};
}

// The rows of Z at some nodes, as columns.
Matrix rows_of(const KernelSetting& kernel, const RandomData& random, std::span<const NodeId> nodes,
               Threads& threads) {
  return std::move(
      FrontKernels(random.data, random.data.weights, {kernel}, exact_flow(LaplacianKind::symmetric), threads)
          .rows(nodes)
          .front());
}

struct FrontCase {
  std::string view;
  std::int64_t columns;  // few: by features; many: by labels
  bool sparse;
};

class LinearFronts : public testing::TestWithParam<FrontCase> {};

const FrontCase kCases[] = {
    {"l2", 40, true},           {"l2", 4, true},        {"tfidf", 30, true},         {"tfidf", 5, true},
    {"standardised", 3, false}, {"identity", 3, false}, {"neighbourhood", 3, false}, {"products", 3, false},
    {"products", 5, false}};

INSTANTIATE_TEST_SUITE_P(Views, LinearFronts, testing::ValuesIn(kCases), [](const auto& about) {
  return about.param.view + std::to_string(about.param.columns);
});

TEST_P(LinearFronts, AgreeWithADenseReferenceForEveryLaplacian) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const RandomData random(seed, 24, GetParam().columns, GetParam().sparse);
    const auto kind = static_cast<LaplacianKind>(seed % 3);
    const FrontSetting setting{
        .kernel = {GetParam().view, 0.5 * static_cast<double>(seed % 7), 0.5 + static_cast<double>(seed % 2)},
        .ridge = 0.1 * static_cast<double>(1 + seed % 5)};
    const Reference reference(random.data, setting.kernel, kind);
    const double kappa = reference.kappa(random.known);
    const Dense expected = reference.shortened_answer(random.data, random.known, kappa, setting.ridge);
    LinearFit fit(random.data, random.data.weights, {{setting, kappa}}, exact_flow(kind), threads);
    fit.fit(random.known, RandomData::kClasses);
    EXPECT_LT(test::largest_difference(test::dense_of(fit.values()), expected), kClose) << seed;
  }
}

TEST_P(LinearFronts, SayOfALabelLeftOutWhatTheyWouldSayWithoutIt) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomData random(seed, 20, GetParam().columns, GetParam().sparse);
    const KernelSetting kernel{GetParam().view, 1.5, 1};
    const Reference reference(random.data, kernel, LaplacianKind::symmetric);
    const double kappa = reference.kappa(random.known);
    const Matrix rows = rows_of(kernel, random, random.known.nodes, threads);
    const Matrix targets = front_targets(random.known, RandomData::kClasses).matrix();
    LeftOutRoom room;
    const auto left_out = LeaveOneOut(rows, kappa, targets, threads).with(0.3, room);
    ASSERT_TRUE(left_out);
    for (std::size_t i = 0; i < random.known.nodes.size(); ++i) {
      const Dense really = reference.answer(without(random.known, i), kappa, 0.3);
      for (std::size_t c = 0; c < RandomData::kClasses; ++c)
        EXPECT_NEAR(static_cast<double>(left_out->scores.row(static_cast<std::int64_t>(i))[c]),
                    really(at(random.known.nodes[i]), c), 5 * kClose)
            << seed << " " << i;
    }
  }
}

TEST_P(LinearFronts, AreRefittedAsIfFittedAnewWhileLabelsComeChangeAndGo) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomData random(seed, 26, GetParam().columns, GetParam().sparse);
    const std::vector<FittedFront> fronts = {{{.kernel = {GetParam().view, 1, 1}, .ridge = 0.3}, 0.7},
                                             {{.kernel = {GetParam().view, 1, 1}, .ridge = 2}, 0.7},
                                             {{.kernel = {GetParam().view, 3, 2}, .ridge = 1}, 0.4}};
    LinearFit kept(random.data, random.data.weights, fronts, exact_flow(LaplacianKind::symmetric), threads);
    kept.fit(random.known, RandomData::kClasses);
    const Random draws = Random(seed).part(9);
    for (std::uint64_t step = 0; step < 40; ++step) {
      const auto u = static_cast<NodeId>(draws.below(26, 2 * step));
      const auto label = static_cast<ClassId>(draws.below(RandomData::kClasses, 2 * step + 1));
      const auto place = std::ranges::find(random.known.nodes, u) - random.known.nodes.begin();
      if (place == std::ssize(random.known.nodes)) {
        random.tell(u, label);
      } else if (step % 3 == 0 && random.known.nodes.size() > 3) {
        random.known = without(random.known, at(place));
      } else {
        random.known.classes[at(place)] = label;
      }
      kept.fit(random.known, RandomData::kClasses);
      LinearFit fresh(random.data, random.data.weights, fronts, exact_flow(LaplacianKind::symmetric),
                      threads);
      fresh.fit(random.known, RandomData::kClasses);
      ASSERT_LT(test::largest_difference(test::dense_of(kept.values()), test::dense_of(fresh.values())),
                kClose)
          << seed << " after " << step;
    }
  }
}

// With y = e − m in place of e − 1/C every label says the same beside: f changes by (1/C − m) times the sum of its shares.
TEST_P(LinearFronts, MeasureLabelsFromTheCentreTheyAreGivenInAllTheyDo) {
  Threads threads(2);
  const std::vector<double> centre = {0.7, 0.2, 0.1};
  ASSERT_EQ(std::ssize(centre), RandomData::kClasses);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    RandomData random(seed, 24, GetParam().columns, GetParam().sparse);
    const std::vector<FittedFront> fronts = {{{.kernel = {GetParam().view, 2, 1}, .ridge = 0.3}, 0.5}};
    LinearFit even(random.data, random.data.weights, fronts, exact_flow(LaplacianKind::symmetric), threads);
    LinearFit centred(random.data, random.data.weights, fronts, exact_flow(LaplacianKind::symmetric),
                      threads);
    centred.set_centre(centre);
    for (int step = 0; step < 3; ++step) {  // fitted, then refitted
      if (step > 0) random.known.classes[0] = (random.known.classes[0] + 1) % RandomData::kClasses;
      if (step == 2) random.known = without(random.known, 1);
      even.fit(random.known, RandomData::kClasses);
      centred.fit(random.known, RandomData::kClasses);
      for (NodeId u : {0, 7, 23}) {
        double sum = 0;
        const std::vector<LinearFit::Shares> shares = centred.shares_of(std::span(&u, 1));
        for (double share : shares.front().labels) sum += share;
        for (ClassId c = 0; c < RandomData::kClasses; ++c)
          EXPECT_NEAR(
              static_cast<double>(centred.values()(u, c)),
              static_cast<double>(even.values()(u, c)) + (1.0 / RandomData::kClasses - centre[at(c)]) * sum,
              5 * kClose)
              << seed << " " << u << " " << step;
      }
    }
  }
}

TEST_P(LinearFronts, AreTheSumOfWhatLabelsGiveAndOfWhatAttributesGive) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const RandomData random(seed, 24, GetParam().columns, GetParam().sparse);
    const std::vector<FittedFront> fronts = {{{.kernel = {GetParam().view, 2, 1}, .ridge = 0.3}, 0.5},
                                             {{.kernel = {"identity", 1, 1}, .ridge = 1}, 0.2}};
    LinearFit fit(random.data, random.data.weights, fronts, exact_flow(LaplacianKind::random_walk), threads);
    fit.fit(random.known, RandomData::kClasses);
    const std::vector<NodeId> nodes = {0, 7, 23};
    const std::vector<LinearFit::Shares> parts = fit.shares_of(nodes);
    for (std::size_t at_node = 0; at_node < nodes.size(); ++at_node) {
      const NodeId u = nodes[at_node];
      const std::vector<double>& shares = parts[at_node].labels;
      const Matrix &own = parts[at_node].attributes, &places = parts[at_node].places;
      for (ClassId c = 0; c < RandomData::kClasses; ++c) {
        double by_labels = 0, by_attributes = 0;
        for (std::size_t i = 0; i < shares.size(); ++i)
          by_labels += shares[i] * ((random.known.classes[i] == c ? 1.0 : 0.0) - 1.0 / RandomData::kClasses);
        for (const Matrix* part : {&own, &places})
          for (std::int64_t k = 0; k < part->rows(); ++k) by_attributes += static_cast<double>((*part)(k, c));
        const auto f = static_cast<double>(fit.values()(u, c));
        EXPECT_NEAR(by_labels, f, kClose) << seed << " " << u;
        EXPECT_NEAR(by_attributes, f, kClose) << seed << " " << u;
      }
    }
  }
}

TEST_P(LinearFronts, ForeseeWhatANewLabelChanges) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomData random(seed, 24, GetParam().columns, GetParam().sparse);
    LinearFit fit(random.data, random.data.weights,
                  {{{.kernel = {GetParam().view, 2, 1}, .ridge = 0.3}, 0.5}},
                  exact_flow(LaplacianKind::symmetric), threads);
    fit.fit(random.known, RandomData::kClasses);
    const auto u =
        static_cast<NodeId>(std::ranges::find(random.data.labels, kUnknown) - random.data.labels.begin());
    const Matrix h = fit.influence(std::span(&u, 1));
    const Dense before = test::dense_of(fit.values());
    random.tell(u, 1);
    fit.fit(random.known, RandomData::kClasses);
    for (std::size_t v = 0; v < 24; ++v) {
      for (ClassId c = 0; c < RandomData::kClasses; ++c) {
        const double told = (c == 1 ? 1.0 : 0.0) - 1.0 / RandomData::kClasses;
        EXPECT_NEAR(static_cast<double>(fit.values()(static_cast<std::int64_t>(v), c)),
                    before(v, at(c)) + static_cast<double>(h(static_cast<std::int64_t>(v), 0)) *
                                           (told - before(at(u), at(c))),
                    kClose)
            << seed << " " << v;
      }
    }
  }
}

// Several kernels, of which two share a loop, each as if it were alone.
TEST_P(LinearFronts, FlowTogetherAsEachWouldAlone) {
  Threads threads(2);
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const RandomData random(seed, 24, GetParam().columns, GetParam().sparse);
    const auto kind = static_cast<LaplacianKind>(seed % 3);
    const std::vector<KernelSetting> settings = {
        {GetParam().view, 2, 1}, {"identity", 0.5, 1}, {GetParam().view, 1, 2}, {GetParam().view, 0, 1}};
    FrontKernels kernels(random.data, random.data.weights, settings, exact_flow(kind), threads);
    const std::vector<NodeId>& nodes = random.known.nodes;
    const std::vector<Matrix> rows = kernels.rows(nodes);
    std::vector<Matrix> many(settings.size());
    kernels.for_rows(nodes, [&](std::size_t k, const Matrix& found) { many[k] = found; });
    const std::vector<Matrix> heat = kernels.at_nodes(rows);
    for (std::size_t k = 0; k < settings.size(); ++k) {
      const Dense z = Reference(random.data, settings[k], kind).z;
      Dense expected(z.cols, nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i)
        for (std::size_t d = 0; d < z.cols; ++d) expected(d, i) = z(at(nodes[i]), d);
      EXPECT_LT(test::largest_difference(test::dense_of(rows[k]), expected), kClose) << seed << " " << k;
      EXPECT_LT(test::largest_difference(test::dense_of(many[k]), expected), kClose) << seed << " " << k;
      EXPECT_LT(test::largest_difference(test::dense_of(heat[k]), test::product(z, expected)), kClose)
          << seed << " " << k;
    }
  }
}

void expect_same(std::span<const Matrix> found, std::span<const Matrix> expected, double close,
                 std::string_view when) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_LT(test::largest_difference(test::dense_of(found[k]), test::dense_of(expected[k])), close)
        << when << ", kernel " << k;
}

// The form for more labels and features than are stored.
TEST(Posteriors, AreTheSameByIterationAsStored) {
  Threads threads(1);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomData random(seed, 30, 12, true);
    FrontKernels kernels(random.data, random.data.weights, {{"l2", 1, 1}},
                         exact_flow(LaplacianKind::symmetric), threads);
    Posteriors stored(kernels, {{0.5, 0.2}}, random.known.nodes, threads);
    Posteriors iterated(kernels, {{0.5, 0.2}}, random.known.nodes, threads, 0);
    const std::vector<Matrix> rows = kernels.rows(random.known.nodes);
    expect_same(iterated.apply(rows), stored.apply(rows), kClose, std::to_string(seed));
  }
}

// Σ_i |y_i − what is said of i without its label|², by fitting without each label in turn.
double dense_left_out_error(const Dataset& data, const KnownLabels& known, const FrontSetting& setting,
                            LaplacianKind kind) {
  const Reference reference(data, setting.kernel, kind);
  const double kappa = reference.kappa(known);
  double error = 0;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    const Dense answer = reference.answer(without(known, i), kappa, setting.ridge);
    for (std::size_t c = 0; c < answer.cols; ++c) {
      const double target = (at(known.classes[i]) == c ? 1.0 : 0.0) - 1.0 / RandomData::kClasses;
      error += (target - answer(at(known.nodes[i]), c)) * (target - answer(at(known.nodes[i]), c));
    }
  }
  return error;
}

TEST(LeftOutError, AndItsGradientByWeightAgreeWithADenseReference) {
  Threads threads(2);
  for (const LaplacianKind kind : {LaplacianKind::symmetric, LaplacianKind::combinatorial}) {
    RandomData random(4, 16, 12, true);
    random.data.weights.assign(at(random.data.graph.arcs()), Real(0.6));
    const FrontSetting setting{.kernel = {"l2", 1.5, 0.8}, .ridge = 0.3};
    const FrontFeatures features("l2", random.data);
    FlowOptions flow = exact_flow(kind);
    flow.time = setting.kernel.time;
    flow.laplacian.self_loop = setting.kernel.self_loop;
    LeftOutError error(random.data, features, random.known, setting.ridge, flow, threads);
    EXPECT_NEAR(error.at_weights(random.data.weights),
                dense_left_out_error(random.data, random.known, setting, kind), 10 * kClose);
    if (!test::kDouble) continue;
    const std::vector<Real> gradient(error.gradient().begin(), error.gradient().end());
    const std::vector<ArcId> reverse = reverse_arcs(random.data.graph);
    for (std::size_t arc = 0; arc < reverse.size(); arc += 3) {
      constexpr double kStep = 1e-5;
      double values[2];
      for (int side : {0, 1}) {
        Dataset moved = random.data;
        const auto weight = static_cast<Real>(0.6 + (side == 0 ? -kStep : kStep));
        moved.weights[arc] = moved.weights[at(reverse[arc])] = weight;
        values[side] = dense_left_out_error(moved, random.known, setting, kind);
      }
      EXPECT_NEAR(gradient[arc], (values[1] - values[0]) / (2 * kStep), 1e-6) << arc;
    }
  }
}

TEST(LinearFront, KeepsLearnedWeightsThatLowerTheErrorOfOtherLabelsAndRefitsWithThem) {
  Threads one(1), three(3);
  RandomData random(5, 60, 20, true);
  const LinearFrontOptions options{.edge_weights = "features"};
  const Fit fitted = fit(random.data, options, {.epochs = 1}, 0, one);
  const Fit together = fit(random.data, options, {.epochs = 1}, 0, three);
  EXPECT_EQ(fitted.model.weights, together.model.weights);
  EXPECT_EQ(fitted.model.options, together.model.options);

  const FrontFeatures features("l2", random.data);
  const FrontSetting setting{.kernel = {"l2", 1, 1}, .ridge = 0.3};
  const LearnedWeights learned =
      learn_edge_weights(random.data, features, setting, random.known, options.flow(setting.kernel), one);
  EXPECT_LE(learned.error, learned.first_error);
  EXPECT_EQ(learned.weights.empty(), learned.error == learned.first_error);
  const std::vector<Real> given = weights_for(fitted.model, random.data, one);
  ASSERT_EQ(given.size(), fitted.model.weights.size());
  for (std::size_t arc = 0; arc < given.size(); ++arc)
    EXPECT_NEAR(given[arc], fitted.model.weights[arc], 1e-6);

  Session session(fitted.model, one);
  const auto u =
      static_cast<NodeId>(std::ranges::find(random.data.labels, kUnknown) - random.data.labels.begin());
  session.set(u, 1);
  const Answer answer = session.solve();
  EXPECT_EQ(answer.decisions.classes[at(u)], 1);
  EXPECT_LT(explain(session, answer, 7, {}).residual, 10 * kClose);
}

TEST(LinearFront, LearnsNoWeightsWhereTheFlowIsNotSymmetric) {
  Threads threads(1);
  const RandomData random(5, 20, 5, true);
  const LinearFrontOptions options{.laplacian = "random-walk", .edge_weights = "features"};
  EXPECT_EQ(
      test::error_text([&] { LinearFront(random.data, options, threads); }),
      "linear-front: edge_weights=features needs a symmetric flow; set laplacian=symmetric or combinatorial");
}

// 60 features are fewer than the labels, 400 are more: both stored forms, as labels come and go.
TEST(Posteriors, AreTheSameByIterationAsInBothStoredFormsOnALargerGraph) {
  Threads threads(2);
  for (std::int64_t columns : {60, 400}) {
    const RandomData random(11, 700, columns, true);
    FrontKernels kernels(random.data, random.data.weights, {{"l2", 3, 1}, {"tfidf", 1, 1}},
                         exact_flow(LaplacianKind::symmetric), threads);
    std::vector<NodeId> nodes = random.known.nodes;
    ASSERT_GT(nodes.size(), 150U);
    ASSERT_LT(nodes.size(), 350U);
    const NodeId last = nodes.back();
    nodes.pop_back();
    const std::vector<Posteriors::Ridge> ridges = {{0.3, 0.1}, {0.5, 0.2}};
    Posteriors stored(kernels, ridges, nodes, threads);
    const std::vector<Matrix> some = kernels.rows(std::vector<NodeId>{0, 1, 350, 699});
    const auto change = [&](NodeId u, auto how) {
      const std::vector<Matrix> row = kernels.rows(std::span(&u, 1)), applied = stored.apply(row);
      for (std::size_t k = 0; k < ridges.size(); ++k) (stored.*how)(k, row[k], applied[k], 0);
    };
    const auto expect_fitting = [&](std::string_view when) {
      Posteriors iterated(kernels, ridges, nodes, threads, 0);
      expect_same(stored.apply(some), iterated.apply(some), 10 * kClose, when);
    };
    expect_fitting("as made");
    change(last, &Posteriors::add);
    nodes.push_back(last);
    expect_fitting("with one more label");
    change(nodes[5], &Posteriors::remove);
    nodes.erase(nodes.begin() + 5);
    expect_fitting("without another");
  }
}

// Rounding must not be taken for an answer: it takes after the label itself.
TEST(LeaveOneOut, SaysNothingOfANodeThatSharesNothingWithOthers) {
  Threads threads(1);
  const RandomData random(4, 40, 3, false);
  const Matrix rows = rows_of({"identity", 0, 1}, random, random.known.nodes, threads);
  const Matrix targets = front_targets(random.known, RandomData::kClasses).matrix();
  LeftOutRoom room;
  for (double ridge : {0.03, 0.1, 0.3, 3.0}) {
    const auto left_out = LeaveOneOut(rows, 0.9, targets, threads).with(ridge, room);
    ASSERT_TRUE(left_out);
    for (std::int64_t i = 0; i < left_out->scores.rows(); ++i)
      for (Real score : std::as_const(left_out->scores).row(i)) EXPECT_EQ(score, 0) << ridge << " " << i;
  }
}

double likelihood(double beta, ConstMatrixView scores, std::span<const ClassId> labels,
                  std::span<const double> offset) {
  const double doubt = 1.0 / (static_cast<double>(labels.size()) + 2);
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = scores.row(static_cast<std::int64_t>(i));
    double total = 0, mean = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      total += std::exp(beta * static_cast<double>(row[c]) + offset[c]);
      mean += static_cast<double>(row[c]) / static_cast<double>(row.size());
    }
    sum += beta * ((1 - doubt) * static_cast<double>(row[at(labels[i])]) + doubt * mean) - std::log(total);
  }
  return sum;
}

TEST(LinearFront, IsAsConfidentAsIsLikeliest) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Random random(seed);
    Matrix scores(30, 3);
    std::vector<ClassId> labels;
    for (std::int64_t i = 0; i < 30; ++i) {
      labels.push_back(static_cast<ClassId>(random.below(3, at(i))));
      for (std::int64_t c = 0; c < 3; ++c)
        scores(i, c) =
            static_cast<Real>(random.part(1).normal(at(3 * i + c)) * 0.2 + (labels.back() == c ? 0.2 : 0));
    }
    for (const std::vector<double>& offset : {std::vector<double>(3), {-0.2, -1.5, -0.7}}) {
      const double beta = fitted_confidence(scores, labels, offset);
      EXPECT_GT(beta, kLeastConfidence);
      EXPECT_LT(beta, kLargestConfidence);
      for (double other : {0.99 * beta, 1.01 * beta})
        EXPECT_GT(likelihood(beta, scores, labels, offset), likelihood(other, scores, labels, offset))
            << seed << " " << offset.front();
    }
  }
}

TEST(LinearFront, SaysHalfOfWhatTheSharesOfClassesSayWhereLabelsAreFar) {
  const KnownLabels uneven{.nodes = {1, 2, 5, 7}, .classes = {0, 0, 0, 1}};
  const std::vector<double> offset = offset_of_shares(uneven, 3);
  ASSERT_EQ(offset.size(), 3u);
  EXPECT_NEAR(offset[0], 0.5 * std::log(3.5 / 5.5), 1e-6);
  EXPECT_NEAR(offset[1], 0.5 * std::log(1.5 / 5.5), 1e-6);
  EXPECT_NEAR(offset[2], 0.5 * std::log(0.5 / 5.5), 1e-6);
  EXPECT_TRUE(offset_of_shares({.nodes = {1, 2}, .classes = {1, 0}}, 2).empty());
}

// Two rings of 60 nodes, each joined to the next four, with a bridge; the labels of one are more than twice as many by chance.
TEST(LinearFront, FewUnevenLabelsDoNotDrownNodesThatAreFarFromThem) {
  constexpr NodeId kRing = 60;
  ArcList edges{.nodes = 2 * kRing, .from = {0}, .to = {kRing}, .weights = {}};
  for (NodeId u = 0; u < 2 * kRing; ++u) {
    for (NodeId step = 1; step <= 4; ++step) {
      edges.from.push_back(u);
      edges.to.push_back(u / kRing * kRing + (u % kRing + step) % kRing);
    }
  }
  Threads threads(1);
  Dataset data{
      .name = "rings", .graph = build_graph(std::move(edges), threads).graph, .class_names = {"a", "b"}};
  data.labels.assign(2 * kRing, kUnknown);
  Split split{.name = "all", .train = {}};
  for (NodeId u : {3, 11, 19, 28, 36, 45, 53, 66, 86, 106}) {
    data.labels[at(u)] = u / kRing;
    split.train.push_back(u);
  }
  data.split = split;
  Session session(fit(data, LinearFrontOptions{}, {.epochs = 1}, 0, threads).model, threads);
  const Answer answer = session.solve();
  for (NodeId u = 0; u < 2 * kRing; ++u) EXPECT_EQ(answer.decisions.classes[at(u)], u / kRing) << u;
}

TEST(LinearFront, ConfidenceStaysWithinItsRange) {
  Matrix scores(2, 2);
  const std::vector<ClassId> labels = {0, 1};
  scores(0, 1) = scores(1, 0) = 1;  // both wrong
  EXPECT_EQ(fitted_confidence(scores, labels), kLeastConfidence);
  scores(0, 1) = scores(1, 0) = Real(1e-6);
  scores(0, 0) = scores(1, 1) = Real(2e-6);  // both right, by very little
  EXPECT_EQ(fitted_confidence(scores, labels), kLargestConfidence);
}

TEST(LinearFront, AveragesFrontsOfDifferentFeaturesOrTimesWithWeightsThatAddUpToOne) {
  Threads threads(2);
  const RandomData random(12, 60, 20, true);
  const FrontChoices choices{.features = {"l2", "tfidf"},
                             .times = {0, 1, 3},
                             .self_loops = {1, 2},
                             .ridges = {0.1, 1, 10},
                             .average = 7};
  const std::vector<FrontFeatures> features = {{"l2", random.data}, {"tfidf", random.data}};
  const FrontChoice choice = choose_fronts(random.data, random.data.weights, features, choices, random.known,
                                           exact_flow(LaplacianKind::symmetric), threads);
  ASSERT_EQ(choice.fronts.size(), 6U);  // two kinds of features, three times
  double sum = 0;
  for (std::size_t i = 0; i < choice.fronts.size(); ++i) {
    EXPECT_GT(choice.fronts[i].weight, 0);
    sum += choice.fronts[i].weight;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_FALSE(choice.fronts[i].setting.kernel.features == choice.fronts[j].setting.kernel.features &&
                   choice.fronts[i].setting.kernel.time == choice.fronts[j].setting.kernel.time)
          << i << " " << j;
  }
  EXPECT_NEAR(sum, 1, 1e-5);
}

// Its kernel is read from the flow of the labels at twice the time: here at 3 of 0, 1 and 3, with the first loop.
TEST(LinearFront, TriesTheGraphAloneBesideFeaturesAsIfItHadNoOthers) {
  Threads threads(2);
  const FrontChoices choices{
      .features = {"l2", "identity"}, .times = {0, 1, 3}, .self_loops = {1, 2}, .ridges = {0.3}};
  for (LaplacianKind kind : {LaplacianKind::symmetric, LaplacianKind::combinatorial}) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      RandomData random(seed, 30, 40, true);
      const std::vector<FrontFeatures> features = {{"l2", random.data}, {"identity", random.data}};
      const FrontTargets targets = front_targets(random.known, RandomData::kClasses);
      const FrontsTried tried =
          try_fronts(random.data, random.data.weights, features, choices, targets, exact_flow(kind), threads);
      int found = 0;
      for (const TriedFront& front : tried.fronts) {
        if (!front.graph_alone) continue;
        ++found;
        EXPECT_EQ(front.setting.kernel, (KernelSetting{"identity", 1.5, 1}));
        const Reference reference(random.data, front.setting.kernel, kind);
        EXPECT_NEAR(front.kappa, reference.kappa(random.known), kClose);
        for (std::size_t i = 0; i < random.known.nodes.size(); ++i) {
          const NodeId u = random.known.nodes[i];
          const Dense really =
              reference.shortened_answer(random.data, without(random.known, i), front.kappa, 0.3);
          for (std::size_t c = 0; c < RandomData::kClasses; ++c)
            EXPECT_NEAR(static_cast<double>(front.fit.scores.row(static_cast<std::int64_t>(i))[c]),
                        really(at(u), c), 5 * kClose)
                << seed << " " << i;
        }
      }
      EXPECT_EQ(found, 1);
    }
  }
}

TEST(LinearFront, TellsHowFarItIsAndStopsWhenAsked) {
  Threads threads(1);
  RandomData random(9, 40, 20, true);
  std::vector<Progress> told;
  const auto fitted = [&](bool go_on) {
    return fit(random.data, *model_options(LinearFrontOptions{}), {.epochs = 1}, 0, threads, {},
               [&, go_on](const Progress& progress) {
                 told.push_back(progress);
                 return go_on;
               });
  };
  fitted(true);
  ASSERT_GT(told.size(), 5U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_LT(told[i].done, told[i].total);
    if (i > 0) {
      EXPECT_GT(told[i].done, told[i - 1].done);
    }
  }
  EXPECT_THROW(fitted(false), Interrupted);
}

TEST(LinearFront, ChoosesTheSameForAnyNumberOfThreads) {
  Threads one(1), three(3);
  RandomData random(5, 60, 20, true);
  const Fit alone = fit(random.data, LinearFrontOptions{}, {.epochs = 1}, 0, one);
  const Fit together = fit(random.data, LinearFrontOptions{}, {.epochs = 1}, 0, three);
  EXPECT_EQ(alone.model.options, together.model.options);
  for (std::int64_t u = 0; u < alone.model.front.rows(); ++u)
    ASSERT_TRUE(std::ranges::equal(alone.model.front.row(u), together.model.front.row(u))) << u;
}

TEST(LinearFront, TakesAClassThatTrainingDidNotKnow) {
  Threads threads(1);
  RandomData random(6, 40, 20, true);
  Session session(fit(random.data, LinearFrontOptions{}, {.epochs = 1}, 0, threads).model, threads);
  const auto u =
      static_cast<NodeId>(std::ranges::find(random.data.labels, kUnknown) - random.data.labels.begin());
  const Answer before = session.solve();
  session.begin_batch();
  session.set(u, session.add_class("new"));
  session.close_batch();
  const Answer with = session.solve();
  EXPECT_EQ(with.temperatures.values.cols(), 4);
  EXPECT_EQ(with.decisions.classes[at(u)], 3);
  EXPECT_EQ(session.undo(), 1);
  const Answer after = session.solve();
  EXPECT_EQ(after.decisions.classes, before.decisions.classes);
}

TEST(LinearFront, ExplainsItsAnswerWithinRounding) {
  Threads threads(1);
  RandomData random(8, 50, 20, true);
  Session session(fit(random.data, LinearFrontOptions{}, {.epochs = 1}, 0, threads).model, threads);
  const Answer answer = session.solve();
  for (NodeId u = 0; u < 50; u += 7) {
    const Explanation e = explain(session, answer, u, {});
    EXPECT_LT(e.residual, 10 * kClose) << u;
    EXPECT_NEAR(e.lead_from_attributes + e.lead_from_prior, e.lead, 10 * kClose) << u;
  }
}

TEST(LinearFront, RefusesFrontsThatAreNotWrittenAsTheyShouldBe) {
  EXPECT_NE(test::error_text([] { front_settings("l2 5 1"); }).find("like 'l2 5 1 0.3'"), std::string::npos);
  EXPECT_NE(test::error_text([] { front_settings("l2 5 1 -3"); }).find("ridge"), std::string::npos);
  EXPECT_EQ(text_of(front_settings("l2 5 1 0.3,tfidf 0 2 10")), "l2 5 1 0.3, tfidf 0 2 10");
}

// A node with as many features as there are labels, all zero but its own, is alone: nothing says anything of it.
TEST(LinearFront, FeaturesThatAreAllZeroAreRefusedInOneLine) {
  Threads threads(1);
  RandomData random(3, 20, 5, true);
  random.data.features = Features(Matrix(20, 5));
  const std::string error = test::error_text(
      [&] { fit(random.data, LinearFrontOptions{.features = "l2"}, {.epochs = 1}, 0, threads); });
  EXPECT_NE(error.find("no linear front can be fitted"), std::string::npos) << error;
}

// Flows shorten the rows of all others, so that its own would count many times as much as theirs.
TEST(LinearFront, AnswersModestlyForANodeWithoutEdges) {
  Threads threads(1);
  RandomData random(3, 60, 6, false);
  ArcList arcs{.nodes = 61, .from = {}, .to = {}};
  for (NodeId u = 0; u < 60; ++u)
    for (NodeId v : random.data.graph.neighbours(u)) {
      arcs.from.push_back(u);
      arcs.to.push_back(v);
    }
  Matrix features(61, 6);
  for (std::int64_t u = 0; u < 60; ++u)
    std::ranges::copy(random.data.features.dense()->row(u), features.row(u).begin());
  std::ranges::fill(features.row(60), Real(3));
  Dataset data{.name = "lone",
               .graph = build_graph(std::move(arcs), threads).graph,
               .features = Features(std::move(features)),
               .labels = random.data.labels,
               .class_names = random.data.class_names};
  data.labels.push_back(kUnknown);
  data.split = Split{.name = "all", .train = random.known.nodes};
  const Fit fitted = fit(data, LinearFrontOptions{.time = {20}}, {.epochs = 1}, 0, threads);
  Session session(fitted.model, threads);
  const Answer answer = session.solve();
  double largest = 0;
  for (NodeId u = 0; u < 60; ++u)
    largest = std::max(largest, static_cast<double>(answer.decisions.margin[at(u)]));
  EXPECT_LT(answer.decisions.margin[60], 5 * largest);
  EXPECT_LT(explain(session, answer, 60, {}).residual, 10 * kClose);
}

}  // namespace
}  // namespace heatfront
