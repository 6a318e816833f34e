// SPDX-License-Identifier: MIT
// Trained models made by hand: a front of random numbers on a graph, as training might have left it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heatfront/base/random.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront/graph/generate.h"
#include "heatfront/models/trained_model.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::test {

// Every training label known. `options` as in a model file: "time = 3".
inline TrainedModel model_on(Dataset data, Matrix front, std::vector<std::string> options = {}) {
  TrainedModel model{.model = "heat-front", .options = std::move(options)};
  model.fingerprint = fingerprint(data);
  model.weights = data.weights;
  model.front = std::move(front);
  for (NodeId u : data.split->train) {
    model.known.nodes.push_back(u);
    model.known.classes.push_back(data.labels[static_cast<std::size_t>(u)]);
  }
  model.data = std::move(data);
  model.data.features = {};
  return model;
}

inline Matrix random_front(NodeId nodes, ClassId classes, std::uint64_t seed) {
  const Random random(seed);
  Matrix front(nodes, classes);
  for (std::int64_t u = 0; u < nodes; ++u) {
    for (std::int64_t c = 0; c < classes; ++c)
      front(u, c) = static_cast<Real>(random.normal(static_cast<std::uint64_t>(u * classes + c)));
  }
  return front;
}

// The karate club with a weak and random front; 2 labels a faction train, 5 validate.
inline TrainedModel karate_model() {
  Threads threads(1);
  Dataset karate = open_dataset("karate", {}, threads);
  karate.split = per_class_split(karate.labels, 2, 2, 5, 0);
  karate.split->name = "per-class 2,5 seed 0";
  Matrix front = random_front(34, 2, 1);
  for (std::int64_t u = 0; u < 34; ++u) {
    for (Real& x : front.row(u)) x *= Real(0.1);
  }
  TrainedModel model = model_on(std::move(karate), std::move(front), {"time = 5", "tolerance = 1e-7"});
  model.history = {{.epoch = 1, .loss = 0.7, .validation_loss = 0.6}, {.epoch = 2, .loss = 0.5}};
  model.best_epoch = 2;
  model.selected_by = "validation accuracy";
  model.network = {{"layer1.weights", random_front(3, 4, 2)}};
  return model;
}

}  // namespace heatfront::test
