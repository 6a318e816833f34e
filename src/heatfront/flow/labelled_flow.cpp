// SPDX-License-Identifier: MIT
#include "heatfront/flow/labelled_flow.h"

#include <algorithm>

#include "heatfront/base/fail.h"

namespace heatfront {

LabelledFlow::LabelledFlow(const DirichletProblem& problem, const FlowOptions& options, Threads& threads)
    : flow_(std::make_unique<Flow>(problem.graph, problem.weights, options, threads)),
      front_(problem.front),
      classes_(problem.classes),
      label_scale_(problem.label_scale),
      free_(problem.free) {
  check_front(front_, problem.graph.nodes(), classes_);
  check_label_scale(label_scale_);
  check_rests(options, free_);
}

void LabelledFlow::set_front(ConstMatrixView front, ClassId classes) {
  check_front(front, flow_->graph().nodes(), classes);
  front_ = front;
  classes_ = classes;
  warm_.clear();
}

void LabelledFlow::set_label_scale(double scale) {
  check_label_scale(scale);
  label_scale_ = scale;
}

DirichletProblem LabelledFlow::problem(const KnownLabels& known) const {
  return {.graph = flow_->graph(),
          .weights = flow_->weights(),
          .classes = classes_,
          .known = known,
          .front = front_,
          .label_scale = label_scale_,
          .free = free_};
}

std::vector<bool> LabelledFlow::reached_from(const KnownLabels& known) {
  const Components& components = flow_->components();
  if (warm_.empty()) {
    warm_.resize(at(components.count()));
    for (NodeId u : heat_sources(problem({}))) warm_[at(components.of[at(u)])] = true;
  }
  std::vector<bool> warm = warm_;
  for (NodeId u : known.nodes) warm[at(components.of[at(u)])] = true;
  std::vector<bool> reached(components.of.size(), true);
  if (std::ranges::find(warm, false) == warm.end()) return reached;
  for (std::size_t u = 0; u < reached.size(); ++u) reached[u] = warm[at(components.of[u])];
  return reached;
}

void LabelledFlow::finish(Temperatures& temperatures, const KnownLabels& known) const {
  if (gives_masses_) normalise_class_mass(temperatures, known, labelled_prior(known, classes_));
}

Answer LabelledFlow::solve(const KnownLabels& known) {
  check(known, flow_->graph().nodes(), classes_);
  const DirichletProblem now = problem(known);
  flow_->hold(held_nodes(now));
  Answer result{.temperatures = flow_->solve(starting_state(now, flow_->threads())), .decisions = {}};
  finish(result.temperatures, known);
  result.decisions = decide(now, reached_from(known), result.temperatures, labelled_prior(known, classes_),
                            flow_->threads());
  return result;
}

}  // namespace heatfront
