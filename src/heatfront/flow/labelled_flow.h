// SPDX-License-Identifier: MIT
// A Dirichlet problem that is kept while its labels change: graph, weights, front and label scale are checked once, and
// what a label leaves as it was (operator, spectrum, components, what the front reaches) is not made again. An answer costs
// one solve, and one pass over its temperatures.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "heatfront/flow/decide.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/flow/flow.h"

namespace heatfront {

class LabelledFlow {
 public:
  // Weights and front are lent and must outlive this, as the threads must. The problem's labels are not kept.
  LabelledFlow(const DirichletProblem& problem, const FlowOptions& options, Threads& threads);

  // Other classes, and a front for them (lent; without rows: zero).
  void set_front(ConstMatrixView front, ClassId classes);
  void set_label_scale(double scale);

  // Another one on the same graph, which then does what the first one did.
  void set_flow(std::unique_ptr<NodeFlow> flow) { flow_ = std::move(flow); }

  // From now on every class is given its labels' share of the heat (class-mass normalisation).
  void give_class_masses() { gives_masses_ = true; }
  bool gives_class_masses() const { return gives_masses_; }

  // What heat alone comes to, at the end or on the way, as this flow answers.
  void finish(Temperatures& temperatures, const KnownLabels& known) const;

  NodeFlow& flow() { return *flow_; }  // it holds what it last held

  // With these labels; lends them, and what this has.
  DirichletProblem problem(const KnownLabels& known) const;

  // The temperatures with these labels, and what they decide; nodes without heat go by the shares of the labels.
  Answer solve(const KnownLabels& known);

 private:
  std::vector<bool> reached_from(const KnownLabels& known);

  std::unique_ptr<NodeFlow> flow_;
  ConstMatrixView front_;
  ClassId classes_;
  double label_scale_;
  bool free_;
  bool gives_masses_ = false;
  std::vector<bool> warm_;  // components that the front reaches; empty: not looked at yet
};

}  // namespace heatfront
