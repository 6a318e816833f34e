// SPDX-License-Identifier: MIT
// Wrong calls of fit(), with every model.
#include <cctype>
#include <string_view>

#include "support/small_data.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace fit_calls {

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

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  for (const ModelEntry& entry : models()) {
    add_data_faults(
        "Fitting" + as_one_word(entry.name),
        [&entry](const Dataset& data) {
          fit(data, {.model = std::string(entry.name), .preset = {"none"}, .settings = {"epochs=1"}},
              one_thread());
        },
        [] { return small_data("karate", "per-class 2,5", one_thread()); }, calls);
  }
  for (const ModelEntry& entry : models()) {
    const auto fitted = [&](const std::string& name, const std::function<void(Dataset&)>& spoil) {
      calls.push_back({"Fitting" + as_one_word(entry.name) + name, [=, &entry] {
                         Dataset data = small_blocks(one_thread());
                         spoil(data);
                         fit(data, {.model = std::string(entry.name), .preset = {"none"}}, one_thread());
                       }});
    };
    fitted("WithoutASplit", [](Dataset& d) { d.split.reset(); });
    fitted("WithATrainingNodeWithoutALabel", [](Dataset& d) { d.labels[at(d.split->train[0])] = kUnknown; });
    fitted("WithATestNodeWithoutALabel", [](Dataset& d) { d.labels[at(d.split->test[0])] = kUnknown; });
    fitted("WithFeaturesOfTooFewNodes", [](Dataset& d) { d.features = Features(Matrix(3, 2)); });
    fitted("WithFeaturesThatAreNoNumbers",
           [](Dataset& d) { d.features = Features(filled(d.nodes(), 2, kNan)); });
  }
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Train, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace fit_calls
}  // namespace heatfront::test
