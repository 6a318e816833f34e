// SPDX-License-Identifier: MIT
// What every model of the table must do.
#include "heatfront/models/models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/label/session.h"
#include "heatfront/nn/loss.h"
#include "heatfront/train/fit.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/precision.h"
#include "support/sanitized.h"
#include "support/small_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

class EveryModel : public testing::TestWithParam<ModelEntry> {
 protected:
  bool learns() const { return GetParam().name != "label-propagation"; }
  Fit fit_to(const Dataset& data, std::int64_t epochs, Threads& threads) const {
    FitOptions options{.model = std::string(GetParam().name)};
    if (learns()) options.settings = {"epochs=" + std::to_string(epochs), "patience=0"};
    return fit(data, options, threads);
  }

  Threads threads_{1};
};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(models().begin(), models().end()),
                         [](const testing::TestParamInfo<ModelEntry>& entry) {
                           std::string name(entry.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// Two half moons of points, each joined to its nearest neighbours.
Dataset joined_moons(Threads& threads) {
  Dataset moons = open_dataset("moons:points=300", {}, threads);
  NeighbourGraph built =
      neighbour_graph(nearest_neighbours(*moons.features.dense(), {.k = 8}, threads), {}, threads);
  moons.graph = std::move(built.graph);
  moons.weights = std::move(built.weights);
  moons.split = choose_split(moons, "per-class 10,20", 0);
  return moons;
}

// Three blocks, a few nodes without any edge, features that tell the block now and then.
Dataset blocks_with_features(const std::string& shape, Threads& threads) {
  Dataset blocks = test::small_data("blocks:" + shape, "per-class 5,10", threads);
  Matrix features(blocks.nodes(), 8);
  const Random random(5);
  for (NodeId u = 0; u < blocks.nodes(); ++u) {
    for (std::int64_t j = 0; j < 8; ++j) {
      const double middle = j == blocks.labels[static_cast<std::size_t>(u)] ? 1.5 : 0;
      features(u, j) = static_cast<Real>(middle + random.normal(static_cast<std::uint64_t>(8 * u + j)));
    }
  }
  blocks.features = Features(std::move(features));
  return blocks;
}

// Ten groups of pages, each a bag of some hundred words of 600, short pages and long ones; one word in ten is likelier in
// a group than elsewhere.
Dataset bags_of_words(Threads& threads) {
  Dataset pages =
      test::small_data("blocks:blocks=10,size=40,inside=0.15,across=0.01", "per-class 10,15", threads);
  SparseMatrix words{.rows = pages.nodes(), .cols = 600};
  const Random random(11);
  for (NodeId u = 0; u < pages.nodes(); ++u) {
    const double length = 0.5 + random.part(1).uniform(static_cast<std::uint64_t>(u));
    for (std::int32_t j = 0; j < 600; ++j) {
      const bool own = j % 10 == pages.labels[static_cast<std::size_t>(u)];
      const double often =
          0.1 + 0.5 * random.part(2).uniform(static_cast<std::uint64_t>(j)) + (own ? 0.3 : 0);
      if (random.part(3).uniform(static_cast<std::uint64_t>(600 * u + j)) >= length * often) continue;
      words.columns.push_back(j);
      words.values.push_back(1);
    }
    words.offsets.push_back(words.entries());
  }
  pages.features = Features(std::move(words));
  return pages;
}

// The release build goes on to the end; the others, slower, for some epochs, which must be better than the one in ten of chance.
TEST_P(EveryModel, LearnsFromLongRowsOfWordsWithItsDefaultSettings) {
  FitOptions options{.model = std::string(GetParam().name), .preset = {"none"}};
  const bool begun_only = (test::kSanitized || test::kDouble) && learns();
  if (begun_only) options.settings = {"epochs=40"};
  const Fit result = fit(bags_of_words(threads_), options, threads_);
  EXPECT_GT(result.training.best.test_accuracy, begun_only ? 0.2 : GetParam().uses.graph ? 0.85 : 0.6);
}

TEST_P(EveryModel, LearnsTwoMoons) {
  const Fit result = fit_to(joined_moons(threads_), 150, threads_);
  EXPECT_GT(result.training.best.test_accuracy, 0.85);
}

TEST_P(EveryModel, LearnsStochasticBlocks) {
  const Fit result = fit_to(blocks_with_features("blocks=3,size=100", threads_), 100, threads_);
  EXPECT_GT(result.training.best.test_accuracy, GetParam().uses.graph ? 0.8 : 0.55);
}

// As the setting `weight_decay` says of itself.
TEST_P(EveryModel, DecaysAllParametersOrAsItsAuthorsDoTheFirstLayersWeights) {
  const bool first_alone = GetParam().name == "gcn" || GetParam().name == "appnp";
  const Dataset data = blocks_with_features("blocks=3,size=10,inside=0.4,across=0.05", threads_);
  const auto model = GetParam().options()->make(data, threads_);
  std::vector<double> decay(static_cast<std::size_t>(model->layout().size()));
  for (const DecayRange& range : model->decay(1))
    std::fill(decay.begin() + range.begin, decay.begin() + range.end, range.decay);
  const auto& parameters = model->layout().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_EQ(decay[static_cast<std::size_t>(parameters[i].offset)], first_alone && i > 0 ? 0 : 1)
        << parameters[i].name;
}

TEST_P(EveryModel, HasExactGradients) {
  if (!test::kDouble) GTEST_SKIP() << "SKIPPED: differences are too coarse in single precision";
  Dataset data = blocks_with_features("blocks=3,size=10,inside=0.4,across=0.05", threads_);
  data.split->train.resize(4);
  const auto options = GetParam().options();
  for (const char* setting :
       {"features=standardised", "hidden=6", "tolerance=1e-13", "source_gradient=true"}) {
    for (const OptionField& field : options->fields()) {
      if (std::string_view(setting).starts_with(std::string(field.name) + "="))
        set_option(options->fields(), setting, "here");
    }
  }
  const auto model = options->make(data, threads_);
  ParameterBlock parameters = model->layout().zeros(), gradient = model->layout().zeros();
  ParameterBlock ignored = gradient;
  model->initialise(3, parameters);
  for (const Parameter& parameter : model->layout().parameters()) {  // off zero, where activations bend
    if (parameter.name.ends_with("bias"))
      for (Real& x : parameter.in(std::span<Real>(parameters)).row(0)) x += Real(0.1);
  }
  const auto expect_exact = [&] {
    model->prepare(parameters);
    model->gradient(parameters, 17, gradient);
    for (const Parameter& parameter : model->layout().parameters()) {
      for (std::int64_t i = 0; i < parameter.rows; ++i) {
        const auto begin = static_cast<std::size_t>(parameter.offset + i * parameter.stride);
        const auto count = static_cast<std::size_t>(parameter.cols);
        SCOPED_TRACE(parameter.name);
        test::expect_gradient(std::span(parameters).subspan(begin, count),
                              std::span(gradient).subspan(begin, count), [&] {
                                model->prepare(parameters);
                                return model->gradient(parameters, 17, ignored);
                              });
      }
    }
  };
  expect_exact();
  if (GetParam().loss == kNoLoss) return;
  SCOPED_TRACE("classes weighed");
  const double before = model->gradient(parameters, 17, ignored);
  model->weigh_classes({0.4, 2, 1.5});
  EXPECT_NE(model->gradient(parameters, 17, ignored), before);
  expect_exact();
}

TEST_P(EveryModel, WeighsClassesOrSaysThatItHasNoLossToWeigh) {
  const Dataset data = test::small_data("fraud:nodes=300,positive=0.1,signal=2", "percent 40,0", threads_);
  FitOptions options{.model = std::string(GetParam().name), .settings = {"epochs=60", "balance=classes"}};
  if (GetParam().loss == kNoLoss && GetParam().name != kLinearFront) {
    EXPECT_NE(test::error_text([&] { fit(data, options, threads_); }).find("balance = none is right"),
              std::string::npos);
    return;
  }
  const Fit weighed = fit(data, options, threads_);
  options.settings.pop_back();
  const Fit plain = fit(data, options, threads_);
  ASSERT_TRUE(plain.by_class.uneven);
  EXPECT_GE(weighed.by_class.scores[1].given, plain.by_class.scores[1].given);
  EXPECT_GE(weighed.by_class.scores[1].right, plain.by_class.scores[1].right);
}

// Some nodes in the split, which feel a part of the graph: steps and judging compute that part alone.
TEST(LogitModels, TrainAndJudgeOnWhatTheSplitFeelsAsOnTheWholeGraph) {
  Threads threads(2);
  Dataset data = blocks_with_features("blocks=3,size=20,inside=0.15,across=0.01", threads);
  data.split = Split{.name = "some", .train = {4, 32, 57}, .validation = {2, 40}, .test = {5, 21, 59}};
  data.weights.resize(static_cast<std::size_t>(data.graph.arcs()));
  const std::vector<ArcId> reverse = reverse_arcs(data.graph);
  for (std::size_t arc = 0; arc < reverse.size(); ++arc)
    data.weights[arc] = static_cast<Real>(1 + std::min(arc, static_cast<std::size_t>(reverse[arc])) % 7);
  for (const char* name : {"gcn", "gat", "monet", "mlp", "appnp", "cgnn"}) {
    for (const char* loop : {"self_loop=0", "self_loop=0.7"}) {
      const auto options = find_model(name).options();
      for (const OptionField& field : options->fields()) {
        if (field.name.ends_with("dropout")) set_option(options->fields(), field.name, "0", "here");
        if (field.name == "self_loop") set_option(options->fields(), loop, "here");
      }
      const auto model = options->make(data, threads);
      ParameterBlock parameters = model->layout().zeros(), gradient = parameters;
      model->initialise(3, parameters);
      model->prepare(parameters);
      const auto copy_of = [](ConstMatrixView view) {
        Matrix copy(view.rows, view.cols);
        for (std::int64_t u = 0; u < view.rows; ++u) std::ranges::copy(view.row(u), copy.row(u).begin());
        return copy;
      };
      const Matrix judged = copy_of(model->judge(parameters)), all = copy_of(model->judge_all(parameters));
      const double tolerance = test::kDouble ? 1e-9 : 1e-5;
      for (const auto* part : {&data.split->train, &data.split->validation, &data.split->test}) {
        for (NodeId u : *part) {
          for (ClassId c = 0; c < data.classes(); ++c)
            EXPECT_NEAR(judged(u, c), all(u, c), tolerance) << name;
        }
      }
      EXPECT_NEAR(model->gradient(parameters, 17, gradient),
                  cross_entropy(all, data.labels, data.split->train), tolerance)
          << name;
    }
  }
}

TEST_P(EveryModel, GivesTheSameBitsForAnyNumberOfThreads) {
  std::vector<Matrix> fronts;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    const Dataset data = blocks_with_features("blocks=3,size=1000,inside=0.01,across=0.001", threads);
    const Fit result = fit_to(data, 3, threads);
    fronts.push_back(Session(result.model, threads).solve().temperatures.values);
  }
  for (const Matrix& front : fronts) {
    for (std::int64_t u = 0; u < front.rows(); ++u)
      ASSERT_TRUE(std::ranges::equal(front.row(u), fronts.front().row(u))) << "row " << u;
  }
}

TEST_P(EveryModel, SurvivesIsolatedNodesAnEmptyClassAndNoValidation) {
  Dataset data = blocks_with_features("blocks=3,size=40,inside=0.03,across=0.005", threads_);
  data.split = choose_split(data, "per-class 5,0", 0);
  data.class_names.push_back("nobody");
  const Fit result = fit_to(data, 5, threads_);
  const Answer answer = Session(result.model, threads_).solve();
  for (std::int64_t u = 0; u < answer.temperatures.values.rows(); ++u) {
    for (Real x : answer.temperatures.values.row(u)) ASSERT_TRUE(std::isfinite(x));
  }
}

TEST_P(EveryModel, SurvivesOneClassOnly) {
  Dataset data = blocks_with_features("blocks=1,size=40", threads_);
  const Fit result = fit_to(data, 5, threads_);
  EXPECT_EQ(result.training.best.test_accuracy, 1);
}

TEST_P(EveryModel, DoesWithoutFeaturesOrSaysThatItNeedsThem) {
  const Dataset data = test::small_data("blocks:blocks=3,size=60", "per-class 5,10", threads_);
  ASSERT_FALSE(data.features.present());
  if (GetParam().uses.graph) {
    EXPECT_GT(fit_to(data, 60, threads_).training.best.test_accuracy, 0.6);
  } else {
    EXPECT_NE(test::error_text([&] { fit_to(data, 5, threads_); }).find("has no features"),
              std::string::npos);
  }
}

TEST_P(EveryModel, DoesWithoutEdgesOrSaysThatItNeedsThem) {
  const Dataset points = test::small_data("moons:points=60", "per-class 5,10", threads_);
  if (GetParam().uses.graph) {
    EXPECT_NE(test::error_text([&] { fit_to(points, 5, threads_); }).find("has no edges"), std::string::npos);
  } else {
    EXPECT_GT(fit_to(points, 100, threads_).training.best.test_accuracy, 0.7);
  }
}

TEST_P(EveryModel, PredictsTheSameAfterItWasSavedAndReadAgain) {
  if (test::kDouble) GTEST_SKIP() << "SKIPPED: files hold single precision";
  const Dataset data = joined_moons(threads_);
  const Fit result = fit_to(data, 20, threads_);
  const test::TemporaryFolder folder;
  write_model(result.model, folder.path() / "model.hf");
  const Answer before = Session(result.model, threads_).solve();
  const Answer after = Session(read_model(folder.path() / "model.hf", threads_), threads_).solve();
  EXPECT_EQ(before.decisions.classes, after.decisions.classes);
  for (std::int64_t u = 0; u < data.nodes(); ++u)
    ASSERT_TRUE(std::ranges::equal(before.temperatures.values.row(u), after.temperatures.values.row(u)));
  const auto right = std::ranges::count_if(data.split->test, [&](NodeId u) {
    return after.decisions.classes[static_cast<std::size_t>(u)] == data.labels[static_cast<std::size_t>(u)];
  });
  EXPECT_NEAR(static_cast<double>(right) / static_cast<double>(data.split->test.size()),
              result.training.best.test_accuracy, 1e-9);
}

TEST_P(EveryModel, TakesNewLabelsOrSaysWhatWouldBeNeeded) {
  const Dataset data = joined_moons(threads_);
  Session session(fit_to(data, 10, threads_).model, threads_);
  const NodeId u = data.split->test.front();
  const ClassId label = data.labels[static_cast<std::size_t>(u)];
  if (GetParam().takes_labels) {
    EXPECT_TRUE(session.set(u, label));
    EXPECT_EQ(session.solve().decisions.classes[static_cast<std::size_t>(u)], label);
    const ClassId added = session.add_class("third");
    session.set(u, added);
    EXPECT_EQ(session.solve().decisions.classes[static_cast<std::size_t>(u)], added);
  } else {
    const std::string error = test::error_text([&] { session.set(u, label); });
    EXPECT_NE(error.find("train again"), std::string::npos) << error;
    EXPECT_NE(error.find("heat-front, linear-front, flow-alone, correct-and-smooth, label-propagation"),
              std::string::npos)
        << error;
  }
}

// Cancelled later and later: wherever that hits, the next answer is as if it had not been.
TEST_P(EveryModel, AnswersAfterAnInterruptionAsIfThereHadBeenNone) {
  constexpr int kDelays = 60;
  const TrainedModel model = fit_to(joined_moons(threads_), 5, threads_).model;
  KnownLabels fewer = model.known;
  fewer.nodes.pop_back();
  fewer.classes.pop_back();
  const Answer all = GetParam().predictor(model, model.front, threads_)->answer(model.known);
  const Stopwatch watch;
  const Answer without = GetParam().predictor(model, model.front, threads_)->answer(fewer);
  const double whole = watch.seconds();
  const std::pair<const KnownLabels*, const Answer*> expectations[] = {{&fewer, &without},
                                                                       {&model.known, &all}};
  for (int delay = 0; delay < kDelays; ++delay) {
    Threads threads(2);
    const auto kept = GetParam().predictor(model, model.front, threads);
    if (delay % 2 == 1) kept->answer(fewer);
    std::atomic<bool> begun = false;
    std::thread canceller([&] {
      while (!begun) std::this_thread::yield();
      for (const Stopwatch waited; waited.seconds() < whole * delay / kDelays;) continue;
      threads.cancel();
    });
    begun = true;
    try {
      kept->answer(delay % 2 == 1 ? model.known : fewer);
    } catch (const Interrupted&) {
    }
    canceller.join();
    threads.resume();
    for (const auto& [known, expected] : expectations) {
      const Answer answer = kept->answer(*known);
      ASSERT_EQ(answer.temperatures.values.rows(), expected->temperatures.values.rows());
      for (std::int64_t u = 0; u < answer.temperatures.values.rows(); ++u)
        for (std::int64_t c = 0; c < answer.temperatures.values.cols(); ++c)
          ASSERT_NEAR(answer.temperatures.values(u, c), expected->temperatures.values(u, c), 1e-3);
    }
  }
}

TEST_P(EveryModel, AnswersAgainAndAgainAsIfEveryAnswerWereTheFirst) {
  const TrainedModel model = fit_to(joined_moons(threads_), 5, threads_).model;
  TrainedModel other = model;
  other.known.nodes.pop_back();
  other.known.classes.pop_back();
  other.known.classes.front() = 1 - other.known.classes.front();
  const auto kept = GetParam().predictor(model, model.front, threads_);
  for (const TrainedModel* labelled : std::initializer_list<const TrainedModel*>{&model, &other, &model}) {
    const Answer answer = kept->answer(labelled->known);
    const Answer first = GetParam().predictor(model, model.front, threads_)->answer(labelled->known);
    for (NodeId u = 0; u < model.data.nodes(); ++u)
      ASSERT_TRUE(std::ranges::equal(answer.temperatures.values.row(u), first.temperatures.values.row(u)));
    EXPECT_EQ(answer.decisions.confidence, first.decisions.confidence);
    EXPECT_EQ(answer.temperatures.report.products, first.temperatures.report.products);
  }
}

}  // namespace
}  // namespace heatfront
