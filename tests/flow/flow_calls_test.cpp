// SPDX-License-Identifier: MIT
// Wrong calls of flows, their operators and what they decide.
#include "heatfront/flow/propagation.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace flow_calls {

struct ProblemFault {
  std::string name;
  std::function<void(PathProblem&)> spoil;
};

std::vector<ProblemFault> problem_faults() {
  return {{"AClassBeyondTheLast", [](PathProblem& p) { p.known.classes[1] = 99; }},
          {"ANegativeClass", [](PathProblem& p) { p.known.classes[0] = -1; }},
          {"ANodeBeyondTheLast", [](PathProblem& p) { p.known.nodes[1] = 4; }},
          {"ANegativeNode", [](PathProblem& p) { p.known.nodes[0] = -7; }},
          {"ANodeThatIsKnownTwice",
           [](PathProblem& p) {
             p.known = {.nodes = {1, 1}, .classes = {0, 1}};
           }},
          {"MoreNodesThanClassesOfThem", [](PathProblem& p) { p.known.classes.pop_back(); }},
          {"NoClasses", [](PathProblem& p) { p.classes = 0, p.known = {}; }},
          {"ANegativeNumberOfClasses", [](PathProblem& p) { p.classes = -3, p.known = {}; }},
          {"TooFewWeights", [](PathProblem& p) { p.weights.assign(5, 1); }},
          {"TooManyWeights", [](PathProblem& p) { p.weights.assign(7, 1); }},
          {"ANegativeWeight", [](PathProblem& p) { p.weights.assign(6, -1); }},
          {"AWeightThatIsNoNumber", [](PathProblem& p) { p.weights.assign(6, kNan); }},
          {"AnInfiniteWeight", [](PathProblem& p) { p.weights.assign(6, kInfinity); }},
          {"AFrontWithTooFewRows", [](PathProblem& p) { p.front = Matrix(3, 2); }},
          {"AFrontWithTooManyRows", [](PathProblem& p) { p.front = Matrix(9, 2); }},
          {"AFrontWithTooFewColumns", [](PathProblem& p) { p.front = Matrix(4, 1); }},
          {"AFrontWithTooManyColumns", [](PathProblem& p) { p.front = Matrix(4, 5); }},
          {"AFrontThatIsNoNumber", [](PathProblem& p) { p.front = filled(4, 2, kNan); }},
          {"AnInfiniteFront", [](PathProblem& p) { p.front = filled(4, 2, kInfinity); }}};
}

void add_problems(std::vector<WrongCall>& calls) {
  struct User {
    std::string name;
    void (*use)(const DirichletProblem& problem);
  };
  const std::vector<User> users = {
      {"Solving", [](const DirichletProblem& p) { solve_dirichlet(p, {}, one_thread()); }},
      {"SolvingForEver",
       [](const DirichletProblem& p) { solve_dirichlet(p, {.time = FlowOptions::kForever}, one_thread()); }},
      {"SolvingInAnotherOrder",
       [](const DirichletProblem& p) { solve_dirichlet(p, {.reorder = Reordering::rcm}, one_thread()); }},
      {"Deciding", [](const DirichletProblem& p) { solve_and_decide(p, {}, one_thread()); }},
      {"ACurve",
       [](const DirichletProblem& p) {
         const std::vector<double> times = {1, 2};
         flow_curve(p, {}, times, one_thread(), [](double, const Temperatures&) { return true; });
       }},
      {"EstimatingMemory", [](const DirichletProblem& p) { estimate_memory(p, {}); }},
      {"EstimatingTheMemoryOfACurve", [](const DirichletProblem& p) { estimate_curve_memory(p, {}, 3); }}};
  for (const User& user : users) {
    for (const ProblemFault& fault : problem_faults()) {
      calls.push_back({user.name + "With" + fault.name, [=] {
                         PathProblem path;
                         fault.spoil(path);
                         user.use(path.problem());
                       }});
    }
  }
}

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  add_problems(calls);
  const auto weighted = [&](const std::string& name, std::vector<Real> weights, double loop) {
    calls.push_back({"ALaplacian" + name, [=] {
                       const Graph path = path_graph(4);
                       Laplacian(path, weights, {.self_loop = loop}, 1, one_thread());
                     }});
    calls.push_back({"Calculus" + name, [=] {
                       const Graph path = path_graph(4);
                       Calculus(path, weights, {.self_loop = loop});
                     }});
  };
  weighted("WithTooFewWeights", {1, 1}, 1);
  weighted("WithANegativeWeight", {1, 1, -1, -1, 1, 1}, 1);
  weighted("WithAWeightThatIsNoNumber", {1, 1, kNan, kNan, 1, 1}, 1);
  weighted("WithANegativeLoop", {}, -1);
  calls.push_back({"ALaplacianWithALambdaThatIsNoNumber", [] {
                     const Graph path = path_graph(4);
                     Laplacian(path, {}, {}, std::numeric_limits<double>::quiet_NaN(), one_thread());
                   }});
  calls.push_back({"ClampingANodeThatIsNone", [] {
                     const Graph path = path_graph(4);
                     const std::vector<NodeId> nodes = {4};
                     Laplacian(path, {}, {}, 1, one_thread()).clamp(nodes);
                   }});
  calls.push_back({"SettingTooFewWeights", [] {
                     const Graph path = path_graph(4);
                     const std::vector<Real> weights = {1};
                     Laplacian(path, {}, {}, 1, one_thread()).set_weights(weights);
                   }});
  calls.push_back({"TooFewSpeeds", [] {
                     const Graph path = path_graph(4);
                     const std::vector<Real> speeds = {1};
                     Laplacian(path, {}, {}, 1, one_thread()).set_row_speeds(speeds);
                   }});
  calls.push_back({"TheGradientOfTooFewNodes", [] {
                     const Graph path = path_graph(4);
                     const std::vector<double> f = {1, 2};
                     Calculus(path, {}, {}).gradient(f);
                   }});
  calls.push_back({"TheDivergenceOfTooFewArcs", [] {
                     const Graph path = path_graph(4);
                     const std::vector<double> f = {1, 2};
                     Calculus(path, {}, {}).divergence(f);
                   }});
  calls.push_back({"TheEnergyOfTooFewNodes", [] {
                     const Graph path = path_graph(4);
                     Calculus(path, {}, {}).dirichlet_energy(Matrix(2, 2).view());
                   }});
  calls.push_back({"SpreadingAStateOfTooFewNodes", [] {
                     const Graph path = path_graph(4);
                     Matrix x = padded_matrix(2, 2), f = padded_matrix(2, 2);
                     Propagation(path, {}, Normalisation::row, 1, one_thread()).spread(0.5, 1, x, f);
                   }});
  calls.push_back({"SpreadingWithAHeldNodeThatIsNone", [] {
                     const Graph path = path_graph(4);
                     Matrix x = padded_matrix(4, 2), f = padded_matrix(4, 2);
                     const std::vector<NodeId> held = {-2};
                     Propagation(path, {}, Normalisation::row, 1, one_thread()).spread(0.5, 1, x, f, held);
                   }});
  calls.push_back({"ACurveAtTimesThatDoNotAscend", [] {
                     const PathProblem path;
                     const std::vector<double> times = {2, 1};
                     flow_curve(path.problem(), {}, times, one_thread(),
                                [](double, const Temperatures&) { return true; });
                   }});
  const auto decided =
      [&](const std::string& name,
          const std::function<void(Temperatures&, std::vector<double>&, std::vector<bool>&)>& spoil) {
        calls.push_back({"Decisions" + name, [=] {
                           const PathProblem path;
                           Temperatures heat = solve_dirichlet(path.problem(), {}, one_thread());
                           std::vector<double> prior = {0.5, 0.5};
                           std::vector<bool> reached(4, true);
                           spoil(heat, prior, reached);
                           decide(path.problem(), reached, heat, prior, one_thread());
                         }});
      };
  decided("WithAPriorOfTooFewClasses", [](auto&, auto& prior, auto&) { prior.pop_back(); });
  decided("WithTooFewNodesReached", [](auto&, auto&, auto& reached) { reached.pop_back(); });
  decided("OfTemperaturesOfTooFewNodes", [](auto& heat, auto&, auto&) { heat.values = Matrix(3, 2); });
  decided("OfTemperaturesOfTooManyClasses", [](auto& heat, auto&, auto&) { heat.values = Matrix(4, 3); });
  decided("WithoutErrors", [](auto& heat, auto&, auto&) { heat.column_errors.clear(); });
  calls.push_back({"APriorOfAClassThatIsNone", [] { labelled_prior({.nodes = {0}, .classes = {5}}, 2); }});
  calls.push_back({"ClassMassByAPriorOfTooFewClasses", [] {
                     Answer answer = path_answer();
                     const std::vector<double> prior = {1};
                     normalise_class_mass(answer.temperatures, {}, prior);
                   }});
  calls.push_back({"ClassMassWithAKnownNodeThatIsNone", [] {
                     Answer answer = path_answer();
                     const std::vector<double> prior = {0.5, 0.5};
                     normalise_class_mass(answer.temperatures, {.nodes = {44}, .classes = {0}}, prior);
                   }});
  calls.push_back({"SharesOfANodeThatIsNone", [] { class_shares(path_answer(), 4); }});
  calls.push_back({"SharesOfANegativeNode", [] { class_shares(path_answer(), -1); }});
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Flow, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace flow_calls
}  // namespace heatfront::test
