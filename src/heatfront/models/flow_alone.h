// SPDX-License-Identifier: MIT
// Heat from the known labels alone (the paper's equation 15 with ψ0 = 0 off the labels). Nothing is learned but for how long it flows:
// labels are left out in turns, a fold of them at a time, and the time that is right of most of them is taken; of equals the one that
// gives their classes the larger shares. With fewer than kFewLabels per class, unless times are given, it flows for kLongTime
// with class masses.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"

namespace heatfront {

struct FlowAloneOptions {
  inline static const std::vector<double> kUsualTimes = {1, 2, 5, 10, 20, 50, 100};

  std::vector<double> time = kUsualTimes;
  std::string laplacian = "symmetric";
  double self_loop = 1;
  double tolerance = 1e-6;

  FlowOptions flow() const;  // to the first of the times
};

OptionFields fields(FlowAloneOptions& options);

class FlowAlone : public Model {
 public:
  FlowAlone(const Dataset& dataset, const FlowAloneOptions& options, Threads& threads);

  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double) const override { return {}; }
  void initialise(std::uint64_t, std::span<Real>) const override {}
  void prepare(std::span<const Real>) override;
  double gradient(std::span<const Real>, std::uint64_t, std::span<Real>) override { return 0; }
  ConstMatrixView judge(std::span<const Real>) override { return temperatures_.values; }
  void keep(std::span<const Real>, TrainedModel& model) const override;
  std::int64_t products() const override { return products_; }
  ModelSeconds seconds() const override { return {.shared = seconds_}; }

 private:
  const Dataset& dataset_;
  FlowAloneOptions options_, chosen_;
  bool masses_ = false;
  Threads& threads_;
  ParameterLayout layout_;
  KnownLabels known_;
  LeftOut left_out_;
  Temperatures temperatures_;  // without rows: not solved yet
  std::int64_t products_ = 0;
  double seconds_ = 0;
};

// `front` says no more than how many classes there are: nothing was learned.
std::unique_ptr<Predictor> flow_alone_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads);

}  // namespace heatfront
