// SPDX-License-Identifier: MIT
// Calls that no user of the library should make, one for each thing that a public function asks of what it is given: an
// Error of one line, whatever they are, and never memory that is not ours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/propagation.h"
#include "heatfront/graph/neighbourhood.h"
#include "heatfront/graph/reorder.h"
#include "heatfront/heatfront.h"
#include "heatfront/models/correction.h"
#include "heatfront/nn/loss.h"
#include "heatfront_experiment/heatfront_experiment.h"
#include "heatfront_io/heatfront_io.h"
#include "heatfront_io/tables/write_predictions.h"
#include "heatfront_neighbours/heatfront_neighbours.h"
#include "support/small_data.h"
#include "support/small_model.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

Threads& one_thread() {
  static Threads threads(1);
  return threads;
}

struct WrongCall {
  std::string name;
  std::function<void()> call;
};

// A path of four nodes, two classes and known ends, with one thing changed.
struct PathProblem {
  Graph graph = path_graph(4);
  std::vector<Real> weights = {};
  ClassId classes = 2;
  KnownLabels known = {.nodes = {0, 3}, .classes = {0, 1}};
  Matrix front;
  double label_scale = 1;

  DirichletProblem problem() const {
    return {.graph = graph,
            .weights = weights,
            .classes = classes,
            .known = known,
            .front = front,
            .label_scale = label_scale};
  }
};

Matrix filled(std::int64_t rows, std::int64_t cols, Real value) {
  Matrix matrix(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) std::ranges::fill(matrix.row(i), value);
  return matrix;
}

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

// Every function that takes a problem, with every fault of one.
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

void add_graphs(std::vector<WrongCall>& calls) {
  const auto build_list = [&](const std::string& name, ArcList arcs) {
    calls.push_back({"BuildingFromAList" + name, [=] { build_graph(arcs, one_thread()); }});
  };
  build_list("WithATargetBeyondTheLastNode", {.nodes = 3, .from = {0, 1}, .to = {1, 3}});
  build_list("WithASourceBeyondTheLastNode", {.nodes = 3, .from = {0, 5000000}, .to = {1, 2}});
  build_list("WithANegativeTarget", {.nodes = 3, .from = {0, 1}, .to = {1, -1}});
  build_list("WithANegativeSource", {.nodes = 3, .from = {-4, 1}, .to = {1, 0}});
  build_list("WithTooFewTargets", {.nodes = 3, .from = {0, 1}, .to = {1}});
  build_list("WithTooFewWeights", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1}});
  build_list("WithANegativeWeight", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1, -1}});
  build_list("WithAWeightThatIsNoNumber", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1, kNan}});
  build_list("WithAnInfiniteWeight", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {kInfinity, 1}});
  build_list("WithANegativeNumberOfNodes", {.nodes = -1});
  build_list("WithoutNodes", {.nodes = 0, .from = {0}, .to = {0}});

  const auto build_rows = [&](const std::string& name, ArcRows rows) {
    calls.push_back({"BuildingFromRows" + name, [=] { build_graph(rows, one_thread()); }});
  };
  build_rows("WithATargetBeyondTheLastNode", {.offsets = {0, 1, 2}, .targets = {1, 2}});
  build_rows("WithANegativeTarget", {.offsets = {0, 1, 2}, .targets = {1, -1}});
  build_rows("WithOffsetsThatDecrease", {.offsets = {0, 5, 2}, .targets = {1, 0}});
  build_rows("WithOffsetsThatEndTooFar", {.offsets = {0, 1, 900}, .targets = {1, 0}});
  build_rows("WithOffsetsThatBeginElsewhere", {.offsets = {1, 1, 2}, .targets = {1, 0}});
  build_rows("WithoutOffsets", {.offsets = {}, .targets = {}});
  build_rows("WithTooFewWeights", {.offsets = {0, 1, 2}, .targets = {1, 0}, .weights = {1}});

  const auto graph = [&](const std::string& name, std::vector<ArcId> offsets, std::vector<NodeId> targets) {
    calls.push_back({"AGraph" + name, [=] { Graph(offsets, targets); }});
  };
  graph("WithoutOffsets", {}, {});
  graph("WithATargetBeyondTheLastNode", {0, 1, 2}, {1, 7});
  graph("WithANegativeTarget", {0, 1, 2}, {-1, 0});
  graph("WithALoop", {0, 1}, {0});
  graph("WithARepeat", {0, 2, 4}, {1, 1, 0, 0});
  graph("WithAnEdgeOfOneDirection", {0, 1, 1}, {1});
  graph("WhoseRowsDoNotAscend", {0, 2, 3, 4}, {2, 1, 0, 0});
  graph("WhoseOffsetsDecrease", {0, 3, 1, 2}, {1, 0});
  graph("WhoseOffsetsEndTooFar", {0, 1, 9}, {1, 0});
  calls.push_back({"AGraphOfANegativeNumberOfNodes", [] { Graph::without_edges(-2); }});

  calls.push_back({"DistancesToANodeThatIsNone", [] {
                     const std::vector<NodeId> sources = {4};
                     distances_to(path_graph(4), sources);
                   }});
  calls.push_back({"WhatIsReachedFromANodeThatIsNone", [] { reached_from(path_graph(4), {}, {-1}); }});
  calls.push_back({"WhatIsReachedWithTooFewWeights", [] {
                     const std::vector<Real> weights = {1};
                     reached_from(path_graph(4), weights, {0});
                   }});
  calls.push_back({"HomophilyOfTooFewLabels", [] {
                     const std::vector<ClassId> labels = {0, 1};
                     homophily(path_graph(4), labels);
                   }});
  calls.push_back({"AnOrderThatNamesANodeTwice", [] {
                     const std::vector<NodeId> order = {0, 1, 1, 3};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"AnOrderOfTooFewNodes", [] {
                     const std::vector<NodeId> order = {0, 1};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"AnOrderWithANodeThatIsNone", [] {
                     const std::vector<NodeId> order = {0, 1, 2, 4};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"ANeighbourhoodOfANodeThatIsNone", [] {
                     const std::vector<NodeId> centres = {9};
                     Neighbourhood(path_graph(4), centres, 1);
                   }});
  calls.push_back({"ANeighbourhoodOfOneNodeTwice", [] {
                     const std::vector<NodeId> centres = {1, 1};
                     Neighbourhood(path_graph(4), centres, 1);
                   }});
  for (NodeId nodes : {-1, -1000}) {
    calls.push_back({"APathOfNodes" + std::to_string(-nodes) + "BelowNone", [=] { path_graph(nodes); }});
  }
}

void add_neighbours(std::vector<WrongCall>& calls) {
  const auto knn = [&](const std::string& name, const Matrix& points, int k) {
    calls.push_back({"Neighbours" + name, [=] { nearest_neighbours(points, {.k = k}, one_thread()); }});
  };
  knn("AsManyAsPoints", filled(3, 1, 1), 3);
  knn("FewerThanOne", filled(3, 1, 1), 0);
  knn("OfPointsThatAreNoNumbers", filled(3, 1, kNan), 1);
  knn("OfNoPoints", Matrix(), 1);
  const SparseMatrix good{
      .rows = 3, .cols = 2, .offsets = {0, 1, 2, 3}, .columns = {0, 1, 0}, .values = {1, 2, 3}};
  const auto sparse = [&](const std::string& name, const std::function<void(SparseMatrix&)>& spoil) {
    SparseMatrix matrix = good;
    spoil(matrix);
    calls.push_back(
        {"NeighboursOfSparsePoints" + name, [=] { nearest_neighbours(matrix, {.k = 1}, one_thread()); }});
    calls.push_back({"Features" + name, [=] { Features features(matrix); }});
    calls.push_back({"ACanonicalMatrix" + name, [=] { canonical(matrix); }});
  };
  sparse("WithAColumnBeyondTheLast", [](SparseMatrix& m) { m.columns[2] = 2; });
  sparse("WithANegativeColumn", [](SparseMatrix& m) { m.columns[0] = -1; });
  sparse("WithTooFewValues", [](SparseMatrix& m) { m.values.pop_back(); });
  sparse("WithTooFewOffsets", [](SparseMatrix& m) { m.offsets.pop_back(); });
  sparse("WithOffsetsThatDecrease", [](SparseMatrix& m) { m.offsets = {0, 3, 1, 3}; });
  sparse("WithOffsetsThatEndTooFar", [](SparseMatrix& m) { m.offsets.back() = 50; });
  sparse("WithoutOffsets", [](SparseMatrix& m) { m.offsets.clear(); });

  const auto joined = [&](const std::string& name, const std::function<void(Neighbours&)>& spoil) {
    Neighbours neighbours{.points = 3, .k = 1, .ids = {1, 0, 1}, .distances = {1, 1, 1}};
    spoil(neighbours);
    calls.push_back({"JoiningNeighbours" + name, [=] { neighbour_graph(neighbours, {}, one_thread()); }});
  };
  joined("ThatAreNone", [](Neighbours& n) { n.ids[2] = 3; });
  joined("ThatAreNegative", [](Neighbours& n) { n.ids[0] = -1; });
  joined("ThatAreTooFew", [](Neighbours& n) { n.ids.pop_back(); });
  joined("WithTooFewDistances", [](Neighbours& n) { n.distances.clear(); });
  joined("WithDistancesThatAreNoNumbers", [](Neighbours& n) { n.distances[1] = kNan; });
  joined("OfNoPoints", [](Neighbours& n) { n = {}; });
  calls.push_back({"AMatrixOfNegativeRows", [] { Matrix(-1, -1); }});
  calls.push_back({"AMatrixWhoseRowsOverlap", [] { Matrix(4, 4, 2); }});
}

void add_operators(std::vector<WrongCall>& calls) {
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
  calls.push_back(
      {"CorrectingByAClassThatIsNone", [] {
         const Graph path = path_graph(4);
         Matrix shares = padded_matrix(4, 2), result = padded_matrix(4, 2);
         Correction(path, {}, {}, one_thread()).apply(shares, {.nodes = {0}, .classes = {7}}, result);
       }});
  calls.push_back(
      {"CorrectingByANodeThatIsNone", [] {
         const Graph path = path_graph(4);
         Matrix shares = padded_matrix(4, 2), result = padded_matrix(4, 2);
         Correction(path, {}, {}, one_thread()).apply(shares, {.nodes = {11}, .classes = {1}}, result);
       }});
  calls.push_back({"ACurveAtTimesThatDoNotAscend", [] {
                     const PathProblem path;
                     const std::vector<double> times = {2, 1};
                     flow_curve(path.problem(), {}, times, one_thread(),
                                [](double, const Temperatures&) { return true; });
                   }});
}

// An answer for the path, to be spoilt.
Answer path_answer() {
  static const PathProblem path;
  return solve_and_decide(path.problem(), {}, one_thread());
}

void add_decisions(std::vector<WrongCall>& calls) {
  const auto decided =
      [&](const std::string& name,
          const std::function<void(Temperatures&, std::vector<double>&, std::vector<bool>&)>& spoil) {
        calls.push_back({"Decisions" + name, [=] {
                           const PathProblem path;
                           Temperatures heat = solve_dirichlet(path.problem(), {}, one_thread());
                           std::vector<double> prior = {0.5, 0.5};
                           std::vector<bool> reached(4, true);
                           spoil(heat, prior, reached);
                           decide(path.problem(), reached, heat, prior);
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
  calls.push_back({"ChangesBetweenAnswersOfOtherNodes", [] {
                     Answer before = path_answer();
                     before.decisions.classes.pop_back();
                     changed(before, path_answer());
                   }});
}

void add_judgements(std::vector<WrongCall>& calls) {
  const std::vector<ClassId> labels = {0, 1, 0, kUnknown};
  const auto scored = [&](const std::string& name, std::vector<ClassId> given,
                          std::vector<ClassId> labels_then, ClassId classes) {
    calls.push_back({"Confusion" + name, [=] { confusion(given, labels_then, classes); }});
  };
  scored("WithALabelThatIsUnknown", {0, 1}, {0, kUnknown}, 2);
  scored("WithALabelBeyondTheLast", {0, 1}, {0, 2}, 2);
  scored("WithAClassGivenBeyondTheLast", {0, 7}, {0, 1}, 2);
  scored("WithANegativeClassGiven", {0, -9}, {0, 1}, 2);
  scored("WithTooFewClassesGiven", {0}, {0, 1}, 2);
  scored("OfANegativeNumberOfClasses", {}, {}, -1);
  scored("OfMoreClassesThanCanBeSetAgainstEachOther", {}, {}, kMostConfused + 1);
  calls.push_back({"ScoresOfAConfusionWithoutCounts", [] { class_scores({.classes = 2, .counts = {}}); }});
  calls.push_back({"MistakesOfAConfusionWithoutCounts", [] { mistakes({.classes = 2, .counts = {}}); }});
  calls.push_back({"AccuracyOnANodeThatIsNone", [=] {
                     const std::vector<NodeId> nodes = {4};
                     accuracy(labels, labels, nodes);
                   }});
  calls.push_back({"AccuracyOfLogitsOnANodeThatIsNone", [=] {
                     const std::vector<NodeId> nodes = {-1};
                     accuracy(Matrix(4, 2).view(), labels, nodes);
                   }});
  calls.push_back({"TheIntervalOfAShareThatIsNone", [] { share_interval(2, 10); }});
  calls.push_back({"LossOnANodeWithoutALabel", [=] {
                     const std::vector<NodeId> nodes = {3};
                     cross_entropy(Matrix(4, 2), labels, nodes);
                   }});
  calls.push_back({"LossOnANodeThatIsNone", [=] {
                     const std::vector<NodeId> nodes = {400};
                     cross_entropy(Matrix(4, 2), labels, nodes);
                   }});
  calls.push_back({"LossWithAGradientOfAnotherShape", [=] {
                     const std::vector<NodeId> nodes = {0};
                     Matrix gradient(1, 1);
                     cross_entropy(Matrix(4, 2), labels, nodes, gradient);
                   }});
  calls.push_back({"JudgingANodeWithoutALabel", [=] {
                     const std::vector<NodeId> nodes = {3};
                     judged_shares(path_answer(), labels, nodes);
                   }});
  calls.push_back({"JudgingANodeThatIsNone", [=] {
                     const std::vector<NodeId> nodes = {4};
                     judged_shares(path_answer(), labels, nodes);
                   }});

  const auto judged = [&](const std::string& name, const std::function<void(JudgedShares&)>& spoil) {
    JudgedShares shares{.classes = 2, .shares = {0.5, 0.5, 0.9, 0.1}, .labels = {0, 1}, .given = {0, 0}};
    spoil(shares);
    calls.push_back({"Calibration" + name, [=] { calibration(shares); }});
    calls.push_back({"ATemperature" + name, [=] { fitted_temperature(shares); }});
    calls.push_back(
        {"ConformalSets" + name, [=] { conformal_sets(shares, 0.5, find_conformal_score("lac")); }});
  };
  judged("OfALabelThatIsUnknown", [](JudgedShares& s) { s.labels[1] = kUnknown; });
  judged("OfALabelBeyondTheLast", [](JudgedShares& s) { s.labels[1] = 2; });
  judged("OfAClassGivenBeyondTheLast", [](JudgedShares& s) { s.given[0] = 100; });
  judged("OfTooFewShares", [](JudgedShares& s) { s.shares.pop_back(); });
  judged("OfTooFewClassesGiven", [](JudgedShares& s) { s.given.pop_back(); });
  calls.push_back({"CalibrationWithoutBins", [] { calibration({.classes = 2}, 0); }});
  calls.push_back({"SharesOfNoClassesAtATemperature", [] { scale_shares(1, {}); }});
  calls.push_back({"SharesAtATemperatureOfZero", [] {
                     std::vector<double> shares = {0.5, 0.5};
                     scale_shares(0, shares);
                   }});
  calls.push_back({"ASetOfClassesByNoScore", [] {
                     const std::vector<double> shares = {0.5, 0.5};
                     ConformalSets().set_of(shares);
                   }});
  calls.push_back({"ASetOfNoClasses", [] {
                     const JudgedShares one{.classes = 2, .shares = {0.5, 0.5}, .labels = {0}, .given = {0}};
                     conformal_sets(one, 0.5, find_conformal_score("aps")).set_of({});
                   }});

  calls.push_back({"ASplitOfALabelBeyondTheLast", [] {
                     const std::vector<ClassId> wrong = {0, 2};
                     percent_split(wrong, 2, 40, 40, 0);
                   }});
  calls.push_back({"ASplitOfANegativeLabel", [] {
                     const std::vector<ClassId> wrong = {0, -2};
                     per_class_split(wrong, 2, 1, 1, 0);
                   }});
  calls.push_back({"FoldsOfANegativeNumberOfClasses", [] { fold_split({}, -1, 3, 0); }});
}

// "HeatFront" for "heat-front".
std::string as_one_word(std::string_view name) {
  std::string word;
  bool begins = true;
  for (char c : name) {
    if (c != '-') word += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = c == '-';
  }
  return word;
}

struct DataFault {
  std::string name;
  std::function<void(Dataset&)> spoil;
};

std::vector<DataFault> data_faults() {
  return {{"ALabelBeyondTheLast", [](Dataset& d) { d.labels[3] = 99; }},
          {"ALabelBelowUnknown", [](Dataset& d) { d.labels[3] = -2; }},
          {"TooFewLabels", [](Dataset& d) { d.labels.pop_back(); }},
          {"TooManyLabels", [](Dataset& d) { d.labels.push_back(0); }},
          {"TooFewNodeNames", [](Dataset& d) { d.node_names = {"a"}; }},
          {"TooFewWeights", [](Dataset& d) { d.weights = {1}; }},
          {"NegativeWeights", [](Dataset& d) { d.weights.assign(at(d.graph.arcs()), -1); }},
          {"WeightsThatAreNoNumbers", [](Dataset& d) { d.weights.assign(at(d.graph.arcs()), kNan); }},
          {"ASplitNodeBeyondTheLast", [](Dataset& d) { d.split->test.back() = 1000; }},
          {"ANegativeSplitNode", [](Dataset& d) { d.split->train.front() = -1; }},
          {"ASplitThatOverlaps", [](Dataset& d) { d.split->test = d.split->train; }},
          {"AWithheldNodeBeyondTheLast", [](Dataset& d) { d.split->withheld = {1000}; }}};
}

void add_datasets(std::vector<WrongCall>& calls) {
  struct User {
    std::string name;
    std::function<void(const Dataset& data)> use;
  };
  std::vector<User> users;
  for (const ModelEntry& entry : models()) {
    users.push_back({"Fitting" + as_one_word(entry.name), [&entry](const Dataset& data) {
                       fit(data,
                           {.model = std::string(entry.name), .preset = "none", .settings = {"epochs=1"}},
                           one_thread());
                     }});
  }
  users.push_back({"WritingNpz", [](const Dataset& data) {
                     const test::TemporaryFolder folder;
                     write_npz(data, folder / "d.npz");
                   }});
  users.push_back({"WritingCsv", [](const Dataset& data) {
                     const test::TemporaryFolder folder;
                     write_csv(data, folder / "d");
                   }});
  users.push_back({"WritingASplit", [](const Dataset& data) {
                     const test::TemporaryFolder folder;
                     write_split_npz(*data.split, data, folder / "s.npz");
                   }});
  users.push_back({"Sweeping", [](const Dataset& data) {
                     const KnownLabels known{.nodes = {0}, .classes = {0}};
                     const std::vector<double> times = {1};
                     sweep_times(data, *data.split,
                                 {.graph = data.graph, .weights = data.weights, .classes = 2, .known = known},
                                 {}, times, one_thread(), {});
                   }});
  for (const User& user : users) {
    for (const DataFault& fault : data_faults()) {
      calls.push_back({user.name + "With" + fault.name, [=] {
                         Dataset data = test::small_data("karate", "per-class 2,5", one_thread());
                         fault.spoil(data);
                         user.use(data);
                       }});
    }
  }
  for (const ModelEntry& entry : models()) {
    const auto fitted = [&](const std::string& name, const std::function<void(Dataset&)>& spoil) {
      calls.push_back({"Fitting" + as_one_word(entry.name) + name, [=, &entry] {
                         Dataset data = test::small_blocks(one_thread());
                         spoil(data);
                         fit(data, {.model = std::string(entry.name), .preset = "none"}, one_thread());
                       }});
    };
    fitted("WithoutASplit", [](Dataset& d) { d.split.reset(); });
    fitted("WithATrainingNodeWithoutALabel", [](Dataset& d) { d.labels[at(d.split->train[0])] = kUnknown; });
    fitted("WithATestNodeWithoutALabel", [](Dataset& d) { d.labels[at(d.split->test[0])] = kUnknown; });
    fitted("WithFeaturesOfTooFewNodes", [](Dataset& d) { d.features = Features(Matrix(3, 2)); });
    fitted("WithFeaturesThatAreNoNumbers",
           [](Dataset& d) { d.features = Features(filled(d.nodes(), 2, kNan)); });
  }
  calls.push_back({"WritingTooFewPredictions", [] {
                     const test::TemporaryFolder folder;
                     write_predictions(test::small_blocks(one_thread()), {}, folder / "p.csv");
                   }});
  calls.push_back({"WritingAPredictionOfAClassThatIsNone", [] {
                     const test::TemporaryFolder folder;
                     const std::vector<Prediction> predictions(34, Prediction{9, 1, 1, "known"});
                     write_predictions(open_dataset("karate", {}, one_thread()), predictions,
                                       folder / "p.csv");
                   }});
  calls.push_back(
      {"TheNameOfAClassThatIsNone", [] { class_name(open_dataset("karate", {}, one_thread()), 2); }});
  calls.push_back(
      {"TheNameOfAnUnknownClass", [] { class_name(open_dataset("karate", {}, one_thread()), kUnknown); }});
  calls.push_back({"TheNameOfANodeThatIsNone", [] {
                     const Dataset data{.node_names = {"a"}};
                     static_cast<void>(data.node_name(1));
                   }});
}

struct ModelFault {
  std::string name;
  std::function<void(TrainedModel&)> spoil;
};

std::vector<ModelFault> model_faults() {
  std::vector<ModelFault> faults = {
      {"NoSplit", [](TrainedModel& m) { m.data.split.reset(); }},
      {"ATestNodeWithoutALabel", [](TrainedModel& m) { m.data.labels[at(m.split().test[0])] = kUnknown; }},
      {"AValidationNodeWithoutALabel",
       [](TrainedModel& m) { m.data.labels[at(m.split().validation[0])] = kUnknown; }},
      {"NoLabels", [](TrainedModel& m) { m.data.labels.assign(34, kUnknown); }},
      {"AKnownNodeBeyondTheLast", [](TrainedModel& m) { m.known.nodes[0] = 34; }},
      {"AKnownClassBeyondTheLast", [](TrainedModel& m) { m.known.classes[0] = 2; }},
      {"ANodeThatIsKnownTwice", [](TrainedModel& m) { m.known.nodes[1] = m.known.nodes[0]; }},
      {"TooFewKnownClasses", [](TrainedModel& m) { m.known.classes.pop_back(); }},
      {"AFrontOfTooFewNodes", [](TrainedModel& m) { m.front = Matrix(33, 2); }},
      {"AFrontOfTooManyClasses", [](TrainedModel& m) { m.front = Matrix(34, 3); }},
      {"NoFront", [](TrainedModel& m) { m.front = Matrix(); }},
      {"AFrontThatIsNoNumber", [](TrainedModel& m) { m.front(3, 1) = kNan; }},
      {"TooFewLearnedWeights", [](TrainedModel& m) { m.weights = {1}; }},
      {"NegativeLearnedWeights", [](TrainedModel& m) { m.weights.assign(156, -1); }},
      {"LearnedWeightsThatAreNoNumbers", [](TrainedModel& m) { m.weights.assign(156, kNan); }},
      {"AnEdgeOfTwoLearnedWeights",
       [](TrainedModel& m) { m.weights.assign(156, 1), m.weights[0] = Real(0.5); }},
      {"TooFewThetas", [](TrainedModel& m) { m.theta = {1}; }},
      {"ALogWithANodeBeyondTheLast", [](TrainedModel& m) { m.log = {{.batch = 1, .node = 40}}; }},
      {"ALogWithAClassBeyondTheLast", [](TrainedModel& m) { m.log = {{.batch = 1, .node = 4, .after = 2}}; }},
      {"ALogWithABatchThatNoneFollows",
       [](TrainedModel& m) { m.log = {{.batch = std::numeric_limits<std::int64_t>::max(), .node = 4}}; }},
      {"ANameOfNoModel", [](TrainedModel& m) { m.model = "no such model"; }},
      {"ASettingThatIsNoNumber", [](TrainedModel& m) { m.set_option("time", "long"); }}};
  for (const DataFault& fault : data_faults()) {
    if (fault.name == "AWithheldNodeBeyondTheLast") continue;  // in no file
    faults.push_back({fault.name, [=](TrainedModel& m) { fault.spoil(m.data); }});
  }
  return faults;
}

void add_models(std::vector<WrongCall>& calls) {
  for (const ModelFault& fault : model_faults()) {
    const auto spoilt = [=] {
      TrainedModel model = test::karate_model();
      fault.spoil(model);
      return model;
    };
    calls.push_back({"ASessionWith" + fault.name, [=] { Session session(spoilt(), one_thread()); }});
    calls.push_back({"WritingAModelWith" + fault.name, [=] {
                       const test::TemporaryFolder folder;
                       write_model(spoilt(), folder / "m.hf");
                     }});
    calls.push_back({"EvaluatingAModelWith" + fault.name, [=] {
                       Session session(test::karate_model(), one_thread());
                       evaluate(spoilt(), session.solve(), {});
                     }});
  }
  const auto in_session = [&](const std::string& name, const std::function<void(Session&)>& use) {
    calls.push_back({"InASession" + name, [=] {
                       Session session(test::karate_model(), one_thread());
                       use(session);
                     }});
  };
  in_session("SettingAClassBeyondTheLast", [](Session& s) { s.set(0, 2); });
  in_session("SettingANegativeClass", [](Session& s) { s.set(0, -1); });
  in_session("SettingANodeBeyondTheLast", [](Session& s) { s.set(34, 0); });
  in_session("SettingANegativeNode", [](Session& s) { s.set(-1, 0); });
  in_session("UnsettingANodeBeyondTheLast", [](Session& s) { s.unset(34); });
  in_session("AddingAClassWithoutAName", [](Session& s) { s.add_class(""); });
  in_session("UndoingNothing", [](Session& s) { s.undo(); });
  in_session("ALabelScaleThatIsNoNumber",
             [](Session& s) { s.set_label_scale(std::numeric_limits<double>::quiet_NaN()); });
  in_session("ExplainingANodeBeyondTheLast", [](Session& s) { explain(s, s.solve(), 34, {}); });
  in_session("ExplainingANegativeNode", [](Session& s) { explain(s, s.solve(), -1, {}); });
  in_session("ExplainingAnAnswerOfAnotherGraph", [](Session& s) { explain(s, path_answer(), 0, {}); });
  in_session("ExplainingAtOneTime", [](Session& s) { explain(s, s.solve(), 0, {.times = 1}); });
  in_session("SuggestingByAnAnswerOfOtherNodes", [](Session& s) { suggest(s, path_answer(), {}); });
  in_session("SuggestingFewerThanNone", [](Session& s) { suggest(s, s.solve(), {.count = -1}); });
  in_session("EvaluatingByAnAnswerOfOtherNodes", [](Session& s) { evaluate(s.model(), path_answer(), {}); });
  in_session("EvaluatingByClassesThatAreNone", [](Session& s) {
    Answer answer = s.solve();
    answer.decisions.classes[20] = 5;
    evaluate(s.model(), answer, {});
  });
}

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  add_problems(calls);
  add_graphs(calls);
  add_neighbours(calls);
  add_operators(calls);
  add_decisions(calls);
  add_judgements(calls);
  add_datasets(calls);
  add_models(calls);
  return calls;
}

class EveryWrongCall : public testing::TestWithParam<WrongCall> {};

TEST_P(EveryWrongCall, IsAnErrorOfOneLine) {
  try {
    GetParam().call();
    ADD_FAILURE() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Api, EveryWrongCall, testing::ValuesIn(wrong_calls()),
                         [](const auto& call) { return call.param.name; });

}  // namespace
}  // namespace heatfront
