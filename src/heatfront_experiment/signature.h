// SPDX-License-Identifier: MIT
// What everything that computes gives for small fixed problems, as a hash each: a change of code that is to change no
// answer keeps them all. They hold every bit of the answers, and are the same for any number of threads.
#pragma once

#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"

namespace heatfront {

struct SignaturePart {
  std::string name;
  std::string hash;
};

// Solvers, orders of nodes, neighbours, kernels and models: all that are in their tables.
std::vector<SignaturePart> signature(Threads& threads, const ProgressCallback& progress = {});

// One hash for all of them.
std::string whole_signature(const std::vector<SignaturePart>& parts);

}  // namespace heatfront
