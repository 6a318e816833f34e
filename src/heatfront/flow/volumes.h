// SPDX-License-Identifier: MIT
// Classes of given sizes. An assignment gives every node a class so that the sum of its scores is the largest there is with
//
//     least_c ≤ nodes of class c ≤ most_c
//
// exactly: nodes begin with their best classes, and one after the other moves along the cheapest chain of classes that mends a bound (successive
// shortest paths; a class is a vertex, so that a chain costs C³ steps, and each move log n). Prices prove it: every node has a class of its highest
// score less price.
//
// The first assignment is of the logarithms of heat, where a price is a factor, as a class's mass is: late in a flow a class has everywhere about
// its own level of heat, and what tells nodes apart is how far they are above it, in parts of it.
//
// Threshold dynamics (Merriman, Bence and Osher 1992; with volumes Jacobs, Merkurjev and Esedoḡlu 2018) then makes borders short: the
// one-hot matrix of the classes flows for a while with the known labels held, is assigned anew, and so on until nothing changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

// Nodes of each class, the known ones counted.
struct ClassVolumes {
  std::vector<std::int64_t> least, most;
};

// Error unless there is an entry per class, 0 ≤ least ≤ most, and bounds that so many nodes and these labels can be within.
void check(const ClassVolumes& volumes, const KnownLabels& known, NodeId nodes, ClassId classes);

struct Assignment {
  std::vector<ClassId> classes;  // of every node; known ones have their label
  std::vector<double> prices;    // of every class
  std::int64_t moves = 0;
};

Assignment assign(ConstMatrixView scores, const KnownLabels& known, const ClassVolumes& volumes);

struct VolumeOptions {
  double time = 20;         // of the flow between two assignments
  std::int64_t steps = 40;  // at most
};

struct VolumeAnswer {
  Temperatures temperatures;     // less prices: the class of a node is its warmest, up to the rounding
  std::vector<ClassId> classes;  // within their volumes
  std::int64_t steps = 0;
  std::int64_t changed = 0;  // nodes whose class the last step changed; 0: at rest
};

// From these scores, whatever they came from.
VolumeAnswer threshold_dynamics(const DirichletProblem& problem, Temperatures scores,
                                const ClassVolumes& volumes, const LaplacianOptions& laplacian,
                                const VolumeOptions& options, Threads& threads);

}  // namespace heatfront
