// SPDX-License-Identifier: MIT
// Wrong calls of sessions, explanations and suggestions.
#include "support/spoilt_model.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace session_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  for (const ModelFault& fault : model_faults())
    calls.push_back({"ASessionWith" + fault.name, [=] { Session session(spoilt(fault), one_thread()); }});
  const auto in_session = [&](const std::string& name, const std::function<void(Session&)>& use) {
    calls.push_back({"InASession" + name, [=] {
                       Session session(karate_model(), one_thread());
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
  calls.push_back({"ChangesBetweenAnswersOfOtherNodes", [] {
                     Answer before = path_answer();
                     before.decisions.classes.pop_back();
                     changed(before, path_answer());
                   }});
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Label, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace session_calls
}  // namespace heatfront::test
