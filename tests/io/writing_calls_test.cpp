// SPDX-License-Identifier: MIT
// Wrong calls of what writes files.
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/write_predictions.h"
#include "support/small_data.h"
#include "support/spoilt_model.h"
#include "support/temporary_folder.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace writing_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  const auto karate = [] { return small_data("karate", "per-class 2,5", one_thread()); };
  add_data_faults(
      "WritingNpz", [](const Dataset& data) { write_npz(data, TemporaryFolder() / "d.npz"); }, karate, calls);
  add_data_faults(
      "WritingCsv", [](const Dataset& data) { write_csv(data, TemporaryFolder() / "d"); }, karate, calls);
  add_data_faults(
      "WritingASplit",
      [](const Dataset& data) { write_split_npz(*data.split, data, TemporaryFolder() / "s.npz"); }, karate,
      calls);
  for (const ModelFault& fault : model_faults()) {
    calls.push_back(
        {"WritingAModelWith" + fault.name, [=] { write_model(spoilt(fault), TemporaryFolder() / "m.hf"); }});
  }
  calls.push_back({"WritingTooFewPredictions", [] {
                     const TemporaryFolder folder;
                     write_predictions(small_blocks(one_thread()), {}, folder / "p.csv");
                   }});
  calls.push_back({"WritingAPredictionOfAClassThatIsNone", [] {
                     const TemporaryFolder folder;
                     const std::vector<Prediction> predictions(34, Prediction{9, 1, 1, "known"});
                     write_predictions(open_dataset("karate", {}, one_thread()), predictions,
                                       folder / "p.csv");
                   }});
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Io, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace writing_calls
}  // namespace heatfront::test
