// SPDX-License-Identifier: MIT
// Wrong calls of corrections.
#include "heatfront/models/correction.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace correction_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
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
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace correction_calls
}  // namespace heatfront::test
