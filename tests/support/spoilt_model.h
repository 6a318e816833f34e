// SPDX-License-Identifier: MIT
// Everything that can be wrong with a trained model.
#pragma once

#include "support/small_model.h"
#include "support/wrong_calls.h"

namespace heatfront::test {

struct ModelFault {
  std::string name;
  std::function<void(TrainedModel&)> spoil;
};

inline std::vector<ModelFault> model_faults() {
  std::vector<ModelFault> faults = {
      {"NoSplit", [](TrainedModel& m) { m.data.split.reset(); }},
      {"ATestNodeWithoutALabel", [](TrainedModel& m) { m.data.labels[at(m.split().test[0])] = kUnknown; }},
      {"AValidationNodeWithoutALabel",
       [](TrainedModel& m) { m.data.labels[at(m.split().validation[0])] = kUnknown; }},
      {"NoLabels", [](TrainedModel& m) { m.data.labels.assign(34, kUnknown); }},
      {"AKnownNodeBeyondTheLast", [](TrainedModel& m) { m.known.nodes[0] = 34; }},
      {"AKnownClassBeyondTheLast", [](TrainedModel& m) { m.known.classes[0] = 2; }},
      {"ANodeThatIsKnownTwice", [](TrainedModel& m) { m.known.nodes[1] = m.known.nodes[0]; }},
      {"TooFewKnownClasses", [](TrainedModel& m) { m.known.classes.pop_back(); }},
      {"AFrontOfTooFewNodes", [](TrainedModel& m) { m.front = Matrix(33, 2); }},
      {"AFrontOfTooManyClasses", [](TrainedModel& m) { m.front = Matrix(34, 3); }},
      {"NoFront", [](TrainedModel& m) { m.front = Matrix(); }},
      {"AFrontThatIsNoNumber", [](TrainedModel& m) { m.front(3, 1) = kNan; }},
      {"TooFewLearnedWeights", [](TrainedModel& m) { m.weights = {1}; }},
      {"NegativeLearnedWeights", [](TrainedModel& m) { m.weights.assign(156, -1); }},
      {"LearnedWeightsThatAreNoNumbers", [](TrainedModel& m) { m.weights.assign(156, kNan); }},
      {"AnEdgeOfTwoLearnedWeights",
       [](TrainedModel& m) { m.weights.assign(156, 1), m.weights[0] = Real(0.5); }},
      {"TooFewThetas", [](TrainedModel& m) { m.theta = {1}; }},
      {"ALogWithANodeBeyondTheLast", [](TrainedModel& m) { m.log = {{.batch = 1, .node = 40}}; }},
      {"ALogWithAClassBeyondTheLast", [](TrainedModel& m) { m.log = {{.batch = 1, .node = 4, .after = 2}}; }},
      {"ALogWithABatchThatNoneFollows",
       [](TrainedModel& m) { m.log = {{.batch = std::numeric_limits<std::int64_t>::max(), .node = 4}}; }},
      {"ANameOfNoModel", [](TrainedModel& m) { m.model = "no such model"; }},
      {"ASettingThatIsNoNumber", [](TrainedModel& m) { m.set_option("time", "long"); }}};
  for (const DataFault& fault : data_faults()) {
    if (fault.name == "AWithheldNodeBeyondTheLast") continue;  // in no file
    faults.push_back({fault.name, [=](TrainedModel& m) { fault.spoil(m.data); }});
  }
  return faults;
}

inline TrainedModel spoilt(const ModelFault& fault) {
  TrainedModel model = karate_model();
  fault.spoil(model);
  return model;
}

}  // namespace heatfront::test
