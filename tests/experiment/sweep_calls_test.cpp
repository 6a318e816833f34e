// SPDX-License-Identifier: MIT
// Wrong calls of sweeps.
#include "heatfront_experiment/sweep.h"
#include "support/small_data.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace sweep_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  add_data_faults(
      "Sweeping",
      [](const Dataset& data) {
        const KnownLabels known{.nodes = {0}, .classes = {0}};
        const std::vector<double> times = {1};
        sweep_times(data, *data.split,
                    {.graph = data.graph, .weights = data.weights, .classes = 2, .known = known}, {}, times,
                    one_thread(), {});
      },
      [] { return small_data("karate", "per-class 2,5", one_thread()); }, calls);
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Experiment, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace sweep_calls
}  // namespace heatfront::test
