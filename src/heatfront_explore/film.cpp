// SPDX-License-Identifier: MIT
#include "heatfront_explore/film.h"

#include <algorithm>
#include <optional>

#include "heatfront/flow/flow.h"
#include "heatfront/label/label_effect.h"
#include "heatfront_explore/cold_start.h"

namespace heatfront::explore {
namespace {

constexpr double kLongFlow = 100;  // where it goes to rest

double share_alike(const std::vector<ClassId>& a, const std::vector<ClassId>& b) {
  std::int64_t same = 0;
  for (std::size_t u = 0; u < a.size(); ++u) same += a[u] == b[u];
  return static_cast<double>(same) / static_cast<double>(a.size());
}

}  // namespace

Film film_of(Session& session) {
  const TrainedModel& model = session.model();
  Film film{.of_labels_alone = !session.flows()};
  std::optional<LabelledFlow> labels_alone;
  if (film.of_labels_alone) {
    const DirichletProblem problem{.graph = model.data.graph,
                                   .weights = model.weights.empty() ? model.data.weights : model.weights,
                                   .classes = model.data.classes(),
                                   .known = model.known};
    labels_alone.emplace(problem, FlowOptions{.time = kColdTime}, session.threads());
  }
  LabelledFlow& labelled = labels_alone ? *labels_alone : session.labelled_flow();
  NodeFlow& flow = labelled.flow();
  const DirichletProblem problem = labelled.problem(model.known);
  const double last = is_forever(flow.options()) ? kLongFlow : flow.options().time;
  std::vector<double> times;
  for (std::size_t i = 0; i < kFilmStates; ++i)
    times.push_back(last * static_cast<double>(i) / static_cast<double>(kFilmStates - 1));
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  film.judged = !judges.test.empty() || !judges.validation.empty();
  const std::vector<bool> reached = reached_nodes(problem);
  const std::vector<double> prior = labelled_prior(model.known, problem.classes);
  flow.hold(held_nodes(problem));
  flow.curve(times, starting_state(problem, session.threads()), [&](double time, const Temperatures& then) {
    Answer answer{.temperatures = then, .decisions = {}};
    labelled.finish(answer.temperatures, model.known);
    answer.decisions = decide(problem, reached, answer.temperatures, prior, session.threads());
    if (!film.of_labels_alone) soften(model.softening, answer, session.threads());
    const Scores judged = scores(answer, model.data, judges);
    film.states.push_back({.time = time,
                           .score = judges.test.empty() ? judged.validation : judged.test,
                           .decisions = std::move(answer.decisions)});
    return true;
  });
  for (FilmState& state : film.states) {
    if (!film.judged)
      state.score = share_alike(state.decisions.classes, film.states.back().decisions.classes);
  }
  return film;
}

}  // namespace heatfront::explore
