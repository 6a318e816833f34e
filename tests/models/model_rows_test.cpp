// SPDX-License-Identifier: MIT
// Training on rows that are shared out among pretended ranks, against training on the whole.
#include "heatfront/models/model_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/heat_front.h"
#include "heatfront/train/trainer.h"
#include "support/error_text.h"
#include "support/featured_blocks.h"
#include "support/precision.h"
#include "support/rank_share.h"

namespace heatfront {
namespace {

using test::ClusterFault;
using test::rank_cases;
using test::RankCase;

Features features_of(const Dataset& data, std::span<const NodeId> ids) {
  if (const SparseMatrix* all = data.features.sparse()) {
    SparseMatrix own{.rows = std::ssize(ids), .cols = all->cols};
    for (NodeId u : ids) {
      own.columns.insert(own.columns.end(), all->row_columns(u).begin(), all->row_columns(u).end());
      own.values.insert(own.values.end(), all->row_values(u).begin(), all->row_values(u).end());
      own.offsets.push_back(own.entries());
    }
    return Features(std::move(own));
  }
  Matrix own(std::ssize(ids), data.features.cols());
  for (std::int64_t i = 0; i < own.rows(); ++i)
    std::ranges::copy(data.features.dense()->row(ids[at(i)]), own.row(i).begin());
  return Features(std::move(own));
}

// body(rows, cluster) on every rank of the case.
template <class Body>
void on_model_ranks(const RankCase& of, const Dataset& data, const Body& body,
                    const ClusterFault& fault = {}) {
  const GraphRows graph{data.graph.offsets(), data.graph.targets(), data.weights};
  const Partition partition = partition_by(of.part_of(graph, data.split->train), of.parts);
  test::run_on_ranks(of.ranks, [&](int rank, test::Meeting& meeting) {
    test::PretendedCluster cluster(rank, meeting);
    const test::RankShare share(graph, partition, cluster);
    const RankData rows = rank_data(share.graph(), data, features_of(data, share.graph().ids));
    cluster.set_fault(fault);
    body(ModelRows(rows, cluster), rank);
  });
}

struct WholeStep {
  double loss = 0;
  std::vector<NamedMatrix> gradient, parameters;
  Matrix logits, front;
};

// Of the second of two steps, of which nothing of the first must be left.
WholeStep step_of(const ModelRows& rows, const HeatFrontOptions& options) {
  Threads threads(1);
  HeatFront model(rows, options, threads);
  ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
  model.initialise(3, parameters);
  model.prepare(parameters);
  model.gradient(parameters, 5, gradient);
  model.prepare(parameters);
  WholeStep step{.loss = model.gradient(parameters, 17, gradient)};
  step.gradient = model.whole_block(gradient);
  step.parameters = model.whole_block(parameters);
  step.logits = rows.whole(model.judge(parameters));
  TrainedModel kept;
  model.keep(parameters, kept);
  step.front = std::move(kept.front);
  return step;
}

WholeStep step_on_ranks(const RankCase& of, const Dataset& data, const HeatFrontOptions& options,
                        const ClusterFault& fault = {}) {
  WholeStep first;
  on_model_ranks(
      of, data,
      [&](const ModelRows& rows, int rank) {
        WholeStep own = step_of(rows, options);
        if (rank == 0) first = std::move(own);
      },
      fault);
  return first;
}

// The largest difference, relative to the largest number.
double block_difference(const Matrix& x, const Matrix& y) {
  double most = 1e-30, apart = 0;
  EXPECT_EQ(x.rows(), y.rows());
  EXPECT_EQ(x.cols(), y.cols());
  for (std::int64_t u = 0; u < std::min(x.rows(), y.rows()); ++u) {
    for (std::int64_t j = 0; j < std::min(x.cols(), y.cols()); ++j) {
      most = std::max(most, std::abs(static_cast<double>(x(u, j))));
      apart = std::max(apart, std::abs(static_cast<double>(x(u, j)) - static_cast<double>(y(u, j))));
    }
  }
  return apart / most;
}

double block_difference(const std::vector<NamedMatrix>& x, const std::vector<NamedMatrix>& y) {
  double most = 0;
  EXPECT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    EXPECT_EQ(x[i].name, y[i].name);
    most = std::max(most, block_difference(x[i].values, y[i].values));
  }
  return most;
}

constexpr double kNearWhole = test::kDouble ? 1e-9 : 1e-3;

void expect_same_step(const Dataset& data, const HeatFrontOptions& options) {
  const WholeStep plain = step_of(ModelRows(data), options);
  for (const RankCase& of : rank_cases()) {
    SCOPED_TRACE(of.name);
    const WholeStep step = step_on_ranks(of, data, options);
    EXPECT_NEAR(step.loss, plain.loss, kNearWhole * plain.loss);
    EXPECT_EQ(block_difference(step.parameters, plain.parameters), 0) << "each begins as in the whole";
    EXPECT_LT(block_difference(step.gradient, plain.gradient), kNearWhole);
    EXPECT_LT(block_difference(step.logits, plain.logits), kNearWhole);
    EXPECT_LT(block_difference(step.front, plain.front), kNearWhole);
  }
}

Dataset blocks_with_weights(bool weighted) {
  Threads threads(1);
  Dataset data = test::featured_blocks(threads);
  const std::vector<ArcId> reverse = reverse_arcs(data.graph);
  for (ArcId arc = 0; weighted && arc < data.graph.arcs(); ++arc)
    data.weights.push_back(
        static_cast<Real>(0.3 + 0.01 * static_cast<double>(std::min(arc, reverse[at(arc)]) % 50)));
  return data;
}

HeatFrontOptions small_model(const std::string& edge_weights) {
  return {.network = {.hidden = {12, 30}, .dropout = {0.3, 0.9}},
          .features = "as-given",
          .time = 2.5,
          .lambda = 1.2,
          .tolerance = 1e-13,
          .edge_weights = edge_weights};
}

TEST(ModelOnRanks, HasTheGradientOfTheWholeWhateverThePartition) {
  for (const bool weighted : {false, true}) {
    const Dataset data = blocks_with_weights(weighted);
    for (const LaplacianEntry& kind : laplacian_kinds()) {
      for (const char* edge_weights : {"none", "free"}) {
        SCOPED_TRACE(testing::Message()
                     << kind.name << ", " << edge_weights << (weighted ? ", weights" : ""));
        HeatFrontOptions options = small_model(edge_weights);
        options.laplacian = kind.name;
        expect_same_step(data, options);
      }
    }
  }
}

TEST(ModelOnRanks, HasItWithSamplesDroppedRowsHeldLabelsAndSeveralFronts) {
  HeatFrontOptions options = small_model("free");
  options.label_scale = 0.7;
  options.label_unit = "front";
  options.fronts = 2;
  options.held_labels = 0.6;
  options.samples = 2;
  options.front_dropout = 0.4;
  options.consistency = 1.5;
  expect_same_step(blocks_with_weights(false), options);
}

TEST(ModelOnRanks, SeesFeaturesAsTheWholeDoes) {
  Dataset data = blocks_with_weights(false);
  for (const bool sparse : {false, true}) {
    if (sparse) {
      SparseMatrix matrix{.rows = data.nodes(), .cols = 5};
      for (NodeId u = 0; u < data.nodes(); ++u) {
        for (std::int32_t j = 0; j < 5; ++j) {
          if (data.features.dense() == nullptr || (*data.features.dense())(u, j) == 0) continue;
          matrix.columns.push_back(j);
          matrix.values.push_back((*data.features.dense())(u, j));
        }
        matrix.offsets.push_back(matrix.entries());
      }
      data.features = Features(std::move(matrix));
    }
    for (const char* view :
         {"auto", "binarised", "row-sums", "row-lengths", "standardised", "l2", "tfidf", "identity"}) {
      SCOPED_TRACE(testing::Message() << view << (sparse ? ", sparse" : ", dense"));
      HeatFrontOptions options = small_model("none");
      options.features = view;
      expect_same_step(data, options);
    }
  }
}

// The two controls: a wrong gradient, or ranks that no longer do the same.
TEST(ModelOnRanks, GoesWrongWithoutTheRowsOrTheSumsOfOtherRanks) {
  const Dataset data = blocks_with_weights(false);
  for (const char* edge_weights : {"none", "free"}) {
    const HeatFrontOptions options = small_model(edge_weights);
    const WholeStep plain = step_of(ModelRows(data), options);
    const auto is_far_off = [&](const ClusterFault& fault) {
      try {
        return block_difference(step_on_ranks(rank_cases()[4], data, options, fault).gradient,
                                plain.gradient) > 1e-2;
      } catch (const test::RanksParted&) {
        return true;
      }
    };
    EXPECT_FALSE(is_far_off({}));
    EXPECT_TRUE(is_far_off({.keeps_ghosts_cold = true}));
    EXPECT_TRUE(is_far_off({.sums_alone = true}));
  }
}

TEST(ModelOnRanks, RefusesWhatAPartDoesNotHave) {
  const Dataset data = blocks_with_weights(false);
  const auto error = [&](const HeatFrontOptions& options) {
    return test::error_text([&] { step_on_ranks(rank_cases()[2], data, options); });
  };
  HeatFrontOptions options = small_model("features");
  EXPECT_EQ(
      error(options),
      "edge_weights=features compares both ends of every edge, and a part has one of them; a graph in parts "
      "is trained with edge_weights=none or free");
  options = small_model("none");
  options.features = "neighbourhood";
  EXPECT_NE(error(options).find("a neighbourhood is not in any"), std::string::npos);
}

TrainOptions few_epochs(const std::string& optimiser) {
  TrainOptions training{.epochs = 12, .patience = 0, .select = "validation-loss"};
  training.optimiser.optimiser = optimiser;
  return training;
}

// Training on ranks, and what the first of them has of it.
struct Trained {
  Training training;
  std::vector<NamedMatrix> parameters;
  std::vector<Checkpoint> saved;
};

Trained train_rows(const ModelRows& rows, const TrainOptions& training, TrainRun run) {
  Threads threads(1);
  Trained result;
  run.save = [&](const Checkpoint& point) { result.saved.push_back(point); };
  HeatFront model(rows, small_model("free"), threads);
  result.training = train(model, rows.dataset(), training, 7, threads, {}, run, "a test");
  result.parameters = model.whole_block(result.training.parameters);
  return result;
}

Trained train_on_ranks(const RankCase& of, const Dataset& data, const TrainOptions& training,
                       const TrainRun& run) {
  Trained first;
  on_model_ranks(of, data, [&](const ModelRows& rows, int rank) {
    Trained own = train_rows(rows, training, run);
    if (rank == 0) first = std::move(own);
  });
  return first;
}

void expect_same_training(const Trained& x, const Trained& y) {
  ASSERT_EQ(x.training.history.size(), y.training.history.size());
  for (std::size_t i = 0; i < x.training.history.size(); ++i) {
    const EpochReport &a = x.training.history[i], &b = y.training.history[i];
    EXPECT_EQ(a.epoch, b.epoch);
    EXPECT_NEAR(a.loss, b.loss, 10 * kNearWhole);
    EXPECT_NEAR(a.validation_loss, b.validation_loss, 10 * kNearWhole);
    EXPECT_EQ(a.test_accuracy, b.test_accuracy);
  }
  EXPECT_EQ(x.training.best.epoch, y.training.best.epoch);
  EXPECT_LT(block_difference(x.parameters, y.parameters), 100 * kNearWhole);
}

TEST(ModelOnRanks, TrainsAsTheWholeDoes) {
  const Dataset data = blocks_with_weights(true);
  for (const char* optimiser : {"adam", "rmsprop"}) {
    const Trained plain = train_rows(ModelRows(data), few_epochs(optimiser), {});
    for (const RankCase& of : rank_cases()) {
      SCOPED_TRACE(of.name);
      expect_same_training(train_on_ranks(of, data, few_epochs(optimiser), {}), plain);
    }
  }
}

TEST(ModelOnRanks, GoesOnFromACheckpointWithAnyNumberOfRanks) {
  const Dataset data = blocks_with_weights(true);
  for (const char* optimiser : {"adam", "rmsprop", "sgd"}) {
    const TrainOptions training = few_epochs(optimiser);
    const TrainRun run{.judge_every = 3, .save_every = 5};
    const Trained plain = train_rows(ModelRows(data), training, run);
    ASSERT_EQ(plain.saved.size(), 2u);
    EXPECT_EQ(plain.training.history.size(), 4u);
    for (const RankCase& of : {rank_cases()[2], rank_cases()[4], rank_cases()[6]}) {
      SCOPED_TRACE(of.name);
      TrainRun on = run;
      on.from = train_on_ranks(of, data, training, run).saved.front();
      expect_same_training(train_on_ranks(rank_cases()[3], data, training, on), plain);
      expect_same_training(train_rows(ModelRows(data), training, on), plain);
      on.from = plain.saved.front();
      expect_same_training(train_on_ranks(of, data, training, on), plain);
    }
    // On the same rows the bits are those of a training that was never left.
    TrainRun on = run;
    on.from = plain.saved.front();
    EXPECT_EQ(block_difference(train_rows(ModelRows(data), training, on).parameters, plain.parameters), 0);
  }
}

TEST(ModelOnRanks, RefusesTheCheckpointOfAnotherTraining) {
  const Dataset data = blocks_with_weights(false);
  const Trained trained = train_rows(ModelRows(data), few_epochs("adam"), {.save_every = 5});
  const auto error = [&](const TrainOptions& training, Checkpoint from) {
    return test::error_text([&] { train_rows(ModelRows(data), training, {.from = std::move(from)}); });
  };
  Checkpoint other = trained.saved.front();
  other.of = "another";
  EXPECT_EQ(error(few_epochs("adam"), other),
            "the checkpoint: of another training (another); this one is a test; give the same command, or "
            "another file");
  EXPECT_NE(error(few_epochs("sgd"), trained.saved.front()).find("with 2 blocks of the optimiser"),
            std::string::npos);
  other = trained.saved.front();
  other.parameters.pop_back();
  EXPECT_EQ(error(few_epochs("adam"), other), "the checkpoint: 'theta' is missing among the parameters");
}

}  // namespace
}  // namespace heatfront
