// SPDX-License-Identifier: MIT
// Label propagation, which learns nothing: labels spread along the edges alone.
//
//     zhu    f_u ← Σ_v w_uv f_v / Σ_v w_uv off the known nodes, f = one-hot on them, to the end: Jacobi's iteration of
//            the harmonic extension (Zhu, Ghahramani and Lafferty, 2003)
//     zhou   F ← α S F + (1 − α) Y, to the end (Zhou et al., 2004); known labels may be outvoted
#pragma once

#include <memory>

#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"

namespace heatfront {

struct LabelPropagationOptions {
  std::string variant = "zhu";
  double alpha = 0.99;
  double tolerance = 1e-4;
  double self_loop = 0;
};

OptionFields fields(LabelPropagationOptions& options);

class LabelPropagation : public Model {
 public:
  LabelPropagation(const Dataset& dataset, const LabelPropagationOptions& options, Threads& threads);

  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double) const override { return {}; }
  void initialise(std::uint64_t, std::span<Real>) const override {}
  void prepare(std::span<const Real>) override {}
  double gradient(std::span<const Real>, std::uint64_t, std::span<Real>) override { return 0; }
  ConstMatrixView judge(std::span<const Real> parameters) override;
  void keep(std::span<const Real> parameters, TrainedModel& model) const override;
  std::int64_t products() const override { return answer_.temperatures.report.products; }
  ModelSeconds seconds() const override { return {.judge_flow = answer_.temperatures.report.seconds}; }

 private:
  const Dataset& dataset_;
  ParameterLayout layout_;
  KnownLabels known_;
  std::unique_ptr<Predictor> predictor_;
  Answer answer_;
};

// `front` says no more than how many classes there are: nothing was learned.
std::unique_ptr<Predictor> label_propagation_predictor(const TrainedModel& model, ConstMatrixView front,
                                                       Threads& threads);

}  // namespace heatfront
