// SPDX-License-Identifier: MIT
// Wrong calls of what judges answers.
#include "heatfront/evaluate/evaluation.h"
#include "heatfront/evaluate/judged_shares.h"
#include "support/spoilt_model.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace evaluation_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
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
    calls.push_back({"ASoftening" + name, [=] { fitted_softening(shares); }});
    calls.push_back(
        {"ConformalSets" + name, [=] { conformal_sets(shares, 0.5, find_conformal_score("lac")); }});
  };
  judged("OfALabelThatIsUnknown", [](JudgedShares& s) { s.labels[1] = kUnknown; });
  judged("OfALabelBeyondTheLast", [](JudgedShares& s) { s.labels[1] = 2; });
  judged("OfAClassGivenBeyondTheLast", [](JudgedShares& s) { s.given[0] = 100; });
  judged("OfTooFewShares", [](JudgedShares& s) { s.shares.pop_back(); });
  judged("OfTooFewClassesGiven", [](JudgedShares& s) { s.given.pop_back(); });
  calls.push_back({"CalibrationWithoutBins", [] { calibration({.classes = 2}, 0); }});
  calls.push_back({"SharesOfNoClassesAtASoftening", [] { scale_shares(1, {}); }});
  calls.push_back({"SharesAtASofteningOfZero", [] {
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
  for (const ModelFault& fault : model_faults()) {
    calls.push_back({"EvaluatingAModelWith" + fault.name, [=] {
                       Session session(karate_model(), one_thread());
                       evaluate(spoilt(fault), session.solve(), {});
                     }});
  }
  const auto in_session = [&](const std::string& name, const std::function<void(Session&)>& use) {
    calls.push_back({"InASession" + name, [=] {
                       Session session(karate_model(), one_thread());
                       use(session);
                     }});
  };
  in_session("EvaluatingByAnAnswerOfOtherNodes", [](Session& s) { evaluate(s.model(), path_answer(), {}); });
  in_session("EvaluatingByClassesThatAreNone", [](Session& s) {
    Answer answer = s.solve();
    answer.decisions.classes[20] = 5;
    evaluate(s.model(), answer, {});
  });
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Evaluate, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace evaluation_calls
}  // namespace heatfront::test
