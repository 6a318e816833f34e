// SPDX-License-Identifier: MIT
// Steps against a gradient, with L2 regularisation added to it: g ← ∂L/∂w + decay·w. With rate η and step number k,
//
//     adam       m ← β1 m + (1−β1) g,  v ← β2 v + (1−β2) g²,  w ← w − η/(1−β1^k) m / (√(v/(1−β2^k)) + ε)
//     rmsprop    v ← γ v + (1−γ) g²,                          w ← w − η g / (√v + ε)
//     sgd                                                     w ← w − η g
//
// β1 = 0.9, β2 = 0.999, γ = 0.99, ε = 1e-8. One pass over the block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

struct OptimiserOptions {
  std::string optimiser = "adam";
  double learning_rate = 0.01;
  double weight_decay = 5e-4;
};

OptionFields fields(OptimiserOptions& options);

// Parameters begin … end−1 of the block have this decay.
struct DecayRange {
  std::int64_t begin = 0, end = 0;
  double decay = 0;
};

class Optimiser {
 public:
  virtual ~Optimiser() = default;

  // One step on all ranges; what no range covers does not move.
  virtual void step(std::span<const DecayRange> ranges, std::span<const Real> gradient,
                    std::span<Real> parameters, Threads& threads) = 0;

  // What it remembers of earlier steps, a number for each parameter, and how many steps these were: training that goes on sets both.
  virtual std::vector<ParameterBlock*> memory() { return {}; }
  virtual void set_steps(std::int64_t) {}

 protected:
  Optimiser() = default;
  Optimiser(const Optimiser&) = default;
  Optimiser& operator=(const Optimiser&) = default;
};

struct OptimiserEntry {
  std::string_view name;
  std::unique_ptr<Optimiser> (*make)(double learning_rate, std::int64_t parameters);
};
std::span<const OptimiserEntry> optimisers();

// For a block of `parameters` numbers. An unknown name is an Error that lists the right ones.
std::unique_ptr<Optimiser> make_optimiser(const OptimiserOptions& options, std::int64_t parameters);

}  // namespace heatfront
