// SPDX-License-Identifier: MIT
// Wrong calls of losses.
#include "heatfront/nn/loss.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace loss_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  const std::vector<ClassId> labels = {0, 1, 0, kUnknown};
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
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Nn, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace loss_calls
}  // namespace heatfront::test
