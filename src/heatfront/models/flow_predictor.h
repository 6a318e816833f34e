// SPDX-License-Identifier: MIT
// The predictor of models whose answer is a clamped flow of heat, from a front or from labels alone.
#pragma once

#include "heatfront/models/predictor.h"

namespace heatfront {

class FlowPredictor : public Predictor {
 public:
  // Weights and front are lent. Without a front, set_front() only says how many classes there are.
  FlowPredictor(const DirichletProblem& problem, const FlowOptions& options, Threads& threads);

  void give_class_masses() { flow_.give_class_masses(); }

  void set_front(ConstMatrixView front) override;
  Answer answer(const KnownLabels& known) override { return flow_.solve(known); }
  LabelledFlow* flow() override { return &flow_; }
  bool is_linear() const override { return true; }

  // All a and b come from one flow with a column per node, its indicator pushed back through the adjoint of the clamped operator. Class
  // masses multiply what comes from a label by the factor of its class.
  std::vector<Reasons> reasons(std::span<const NodeId> nodes, const KnownLabels& known) override;

  // Holding j at s e_c moves the others by about H(v,j)/H(j,j) (s e_c − f(j)), H = (1 − tA)⁻¹ with the known rows of A at zero: the
  // mean of exp(rA) over times r that are t on average, for j warms the others from the beginning on, so the heat of t alone
  // would say too much. To rest this is exact (a Schur complement).
  Influence influence(std::span<const NodeId> nodes, const KnownLabels& known) override;

 private:
  // By class, of what comes to nodes whose label is not known.
  std::vector<double> mass_factors(const KnownLabels& known);

  LabelledFlow flow_;
  bool has_front_;
};

}  // namespace heatfront
