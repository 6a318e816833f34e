// SPDX-License-Identifier: MIT
// Calls that no user of the library should make, one for each thing that a public function asks of what it is given: an
// Error of one line, whatever they are, and never memory that is not ours. Each module instantiates EveryWrongCall with its own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/heatfront.h"

namespace heatfront::test {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

struct WrongCall {
  std::string name;
  std::function<void()> call;
};

class EveryWrongCall : public testing::TestWithParam<WrongCall> {};

inline std::string name_of_call(const testing::TestParamInfo<WrongCall>& call) { return call.param.name; }

inline Threads& one_thread() {
  static Threads threads(1);
  return threads;
}

inline Matrix filled(std::int64_t rows, std::int64_t cols, Real value) {
  Matrix matrix(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) std::ranges::fill(matrix.row(i), value);
  return matrix;
}

// A path of four nodes, two classes and known ends, with one thing changed.
struct PathProblem {
  Graph graph = path_graph(4);
  std::vector<Real> weights = {};
  ClassId classes = 2;
  KnownLabels known = {.nodes = {0, 3}, .classes = {0, 1}};
  Matrix front;
  double label_scale = 1;

  DirichletProblem problem() const {
    return {.graph = graph,
            .weights = weights,
            .classes = classes,
            .known = known,
            .front = front,
            .label_scale = label_scale};
  }
};

// An answer for the path, to be spoilt.
inline Answer path_answer() {
  static const PathProblem path;
  return solve_and_decide(path.problem(), {}, one_thread());
}

// What can be wrong with a data set that has a split.
struct DataFault {
  std::string name;
  std::function<void(Dataset&)> spoil;
};

inline std::vector<DataFault> data_faults() {
  return {{"ALabelBeyondTheLast", [](Dataset& d) { d.labels[3] = 99; }},
          {"ALabelBelowUnknown", [](Dataset& d) { d.labels[3] = -2; }},
          {"TooFewLabels", [](Dataset& d) { d.labels.pop_back(); }},
          {"TooManyLabels", [](Dataset& d) { d.labels.push_back(0); }},
          {"TooFewNodeNames", [](Dataset& d) { d.node_names = {"a"}; }},
          {"TooFewWeights", [](Dataset& d) { d.weights = {1}; }},
          {"NegativeWeights", [](Dataset& d) { d.weights.assign(at(d.graph.arcs()), -1); }},
          {"WeightsThatAreNoNumbers", [](Dataset& d) { d.weights.assign(at(d.graph.arcs()), kNan); }},
          {"ASplitNodeBeyondTheLast", [](Dataset& d) { d.split->test.back() = 1000; }},
          {"ANegativeSplitNode", [](Dataset& d) { d.split->train.front() = -1; }},
          {"ASplitThatOverlaps", [](Dataset& d) { d.split->test = d.split->train; }},
          {"AWithheldNodeBeyondTheLast", [](Dataset& d) { d.split->withheld = {1000}; }}};
}

// What takes a data set, with every fault of one.
inline void add_data_faults(const std::string& user, const std::function<void(const Dataset&)>& use,
                            const std::function<Dataset()>& good, std::vector<WrongCall>& calls) {
  for (const DataFault& fault : data_faults()) {
    calls.push_back({user + "With" + fault.name, [=] {
                       Dataset data = good();
                       fault.spoil(data);
                       use(data);
                     }});
  }
}

}  // namespace heatfront::test
