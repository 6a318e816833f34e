// SPDX-License-Identifier: MIT
#include "heatfront/nn/optimiser.h"

#include <array>
#include <cmath>

#include "heatfront/base/find_named.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kParametersAtOnce = 1 << 15;  // parameters that a thread takes at once
constexpr Real kEpsilon = Real(1e-8);

// update(begin, end, decay) for the blocks of every range.
template <class Update>
void for_ranges(std::span<const DecayRange> ranges, Threads& threads, const Update& update) {
  for (const DecayRange& range : ranges) {
    threads.for_blocks(range.end - range.begin, kParametersAtOnce, [&](std::int64_t begin, std::int64_t end) {
      update(range.begin + begin, range.begin + end, static_cast<Real>(range.decay));
    });
  }
}

struct AdamStep {
  Real rate;          // η/(1−β1^k)
  Real inverse_root;  // 1/√(1−β2^k)
};

HEATFRONT_CLONES void adam(const AdamStep step, Real decay, const Real* __restrict gradient,
                           Real* __restrict w, Real* __restrict m, Real* __restrict v, std::int64_t begin,
                           std::int64_t end) {
  constexpr Real kBeta1 = Real(0.9), kBeta2 = Real(0.999);
  for (std::int64_t i = begin; i < end; ++i) {
    const Real g = gradient[i] + decay * w[i];
    m[i] = kBeta1 * m[i] + (1 - kBeta1) * g;
    v[i] = kBeta2 * v[i] + (1 - kBeta2) * g * g;
    w[i] -= step.rate * m[i] / (std::sqrt(v[i]) * step.inverse_root + kEpsilon);
  }
}

HEATFRONT_CLONES void rmsprop(Real rate, Real decay, const Real* __restrict gradient, Real* __restrict w,
                              Real* __restrict v, std::int64_t begin, std::int64_t end) {
  constexpr Real kSmoothing = Real(0.99);
  for (std::int64_t i = begin; i < end; ++i) {
    const Real g = gradient[i] + decay * w[i];
    v[i] = kSmoothing * v[i] + (1 - kSmoothing) * g * g;
    w[i] -= rate * g / (std::sqrt(v[i]) + kEpsilon);
  }
}

class Adam : public Optimiser {
 public:
  Adam(double rate, std::int64_t parameters)
      : rate_(rate), m_(static_cast<std::size_t>(parameters)), v_(static_cast<std::size_t>(parameters)) {}

  void step(std::span<const DecayRange> ranges, std::span<const Real> gradient, std::span<Real> parameters,
            Threads& threads) override {
    ++steps_;
    const AdamStep step{.rate = static_cast<Real>(rate_ / (1 - std::pow(0.9, steps_))),
                        .inverse_root = static_cast<Real>(1 / std::sqrt(1 - std::pow(0.999, steps_)))};
    for_ranges(ranges, threads, [&](std::int64_t begin, std::int64_t end, Real decay) {
      adam(step, decay, gradient.data(), parameters.data(), m_.data(), v_.data(), begin, end);
    });
  }
  std::vector<ParameterBlock*> memory() override { return {&m_, &v_}; }
  void set_steps(std::int64_t steps) override { steps_ = static_cast<double>(steps); }

 private:
  double rate_;
  double steps_ = 0;
  ParameterBlock m_, v_;
};

class RmsProp : public Optimiser {
 public:
  RmsProp(double rate, std::int64_t parameters) : rate_(rate), v_(static_cast<std::size_t>(parameters)) {}

  void step(std::span<const DecayRange> ranges, std::span<const Real> gradient, std::span<Real> parameters,
            Threads& threads) override {
    for_ranges(ranges, threads, [&](std::int64_t begin, std::int64_t end, Real decay) {
      rmsprop(static_cast<Real>(rate_), decay, gradient.data(), parameters.data(), v_.data(), begin, end);
    });
  }
  std::vector<ParameterBlock*> memory() override { return {&v_}; }

 private:
  double rate_;
  ParameterBlock v_;
};

class Sgd : public Optimiser {
 public:
  explicit Sgd(double rate) : rate_(static_cast<Real>(rate)) {}

  void step(std::span<const DecayRange> ranges, std::span<const Real> gradient, std::span<Real> parameters,
            Threads& threads) override {
    for_ranges(ranges, threads, [&](std::int64_t begin, std::int64_t end, Real decay) {
      for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
        parameters[i] -= rate_ * (gradient[i] + decay * parameters[i]);
    });
  }

 private:
  Real rate_;
};

template <class Kind>
std::unique_ptr<Optimiser> make(double rate, std::int64_t parameters) {
  return std::make_unique<Kind>(rate, parameters);
}

std::unique_ptr<Optimiser> make_sgd(double rate, std::int64_t) { return std::make_unique<Sgd>(rate); }

}  // namespace

OptionFields fields(OptimiserOptions& options) {
  return {{"optimiser", &options.optimiser, "How steps are taken", one_of_names(optimisers())},
          {"learning_rate", &options.learning_rate, "Step of the optimiser", above(0)},
          {"weight_decay", &options.weight_decay,
           "L2 regularisation of all parameters; in gcn and appnp, of the first layer's weights alone",
           at_least(0)}};
}

std::span<const OptimiserEntry> optimisers() {
  static constexpr std::array<OptimiserEntry, 3> kTable = {
      {{"adam", make<Adam>}, {"rmsprop", make<RmsProp>}, {"sgd", make_sgd}}};
  return kTable;
}

std::unique_ptr<Optimiser> make_optimiser(const OptimiserOptions& options, std::int64_t parameters) {
  checked(options, "optimiser");
  return find_named(optimisers(), options.optimiser, "optimiser").make(options.learning_rate, parameters);
}

}  // namespace heatfront
