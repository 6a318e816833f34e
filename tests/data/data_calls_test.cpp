// SPDX-License-Identifier: MIT
// Wrong calls of splits and names.
#include "heatfront_io/formats/open.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace data_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  calls.push_back({"ASplitOfALabelBeyondTheLast", [] {
                     const std::vector<ClassId> wrong = {0, 2};
                     percent_split(wrong, 2, 40, 40, 0);
                   }});
  calls.push_back({"ASplitOfANegativeLabel", [] {
                     const std::vector<ClassId> wrong = {0, -2};
                     per_class_split(wrong, 2, 1, 1, 0);
                   }});
  calls.push_back({"FoldsOfANegativeNumberOfClasses", [] { fold_split({}, -1, 3, 0); }});
  calls.push_back(
      {"TheNameOfAClassThatIsNone", [] { class_name(open_dataset("karate", {}, one_thread()), 2); }});
  calls.push_back(
      {"TheNameOfAnUnknownClass", [] { class_name(open_dataset("karate", {}, one_thread()), kUnknown); }});
  calls.push_back({"TheNameOfANodeThatIsNone", [] {
                     const Dataset data{.node_names = {"a"}};
                     static_cast<void>(data.node_name(1));
                   }});
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Data, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace data_calls
}  // namespace heatfront::test
