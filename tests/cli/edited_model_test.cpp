// SPDX-License-Identifier: MIT
// Models that are whole npz files in which one array is missing, too short, too long or full of what does not belong
// there, through every command that takes a model: done, or refused with one line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/model_uses.h"
#include "support/npz_edits.h"
#include "support/program_fixture.h"

namespace heatfront {
namespace {

using fuzz::SeedModel;

// Every array of every model with every edit, through what the commands call in the library; a sample of them unless
// HEATFRONT_EDITS=all.
TEST(EditedModel, IsUsedOrRefusedByWhatEveryCommandCalls) {
  constexpr int kStep = 37;  // no divisor of the number of edits, so that every one of them comes
  const char* const wanted = std::getenv("HEATFRONT_EDITS");
  const int step = wanted != nullptr && std::string_view(wanted) == "all" ? 1 : kStep;
  const test::TemporaryFolder folder;
  int number = 0, cases = 0, read = 0;
  for (const SeedModel& model : fuzz::seed_models()) {
    for (std::size_t array = 0; array < model.arrays.size(); ++array) {
      for (const test::ArrayEditName& edit : test::kArrayEdits) {
        for (const bool own_fingerprints : {false, true}) {
          if (number++ % step != 0) continue;
          test::Entries arrays = test::edited(model.arrays, array, edit.edit);
          if (own_fingerprints) arrays = fuzz::with_own_fingerprints(std::move(arrays));
          const auto path = test::write_zip(folder / "m.hf", arrays);
          EXPECT_NO_THROW(read += fuzz::use_model(path))
              << model.name << ", " << model.arrays[array].first << " " << edit.name;
          ++cases;
        }
      }
    }
  }
  EXPECT_GT(read, cases / 10);
  EXPECT_LT(read, cases / 2);
}

class EditedModelFile : public test::ProgramFixture {
 protected:
  // Exit code 0, or 1 and one line.
  void expect_used_or_refused(const test::Entries& arrays, const std::string& what) {
    test::write_zip(path("m.hf"), arrays);
    for (const std::string command : {"predict", "evaluate", "label --set n3=red --suggest 2", "label --undo",
                                      "explain", "info", "convert"}) {
      const std::string after = command == "explain"   ? " n2"
                                : command == "convert" ? " " + file("out.npz")
                                                       : "";
      const std::size_t word = command.find(' ');
      const std::string flags = word == command.npos ? "" : command.substr(word);
      const test::Outcome outcome =
          test::run_program(command.substr(0, word) + " " + file("m.hf") + after + flags);
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 1) << command << ", " << what << ": " << outcome.code;
      if (outcome.code != 1) continue;
      EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1)
          << command << ", " << what << ": " << outcome.errors;
      EXPECT_EQ(outcome.output, "") << command << ", " << what;
    }
  }

  std::size_t place_of(const std::string& array) const {
    const auto found = std::ranges::find(arrays_, array + ".npy", &test::Entries::value_type::first);
    EXPECT_NE(found, arrays_.end()) << array;
    return static_cast<std::size_t>(found - arrays_.begin());
  }

  const test::Entries& arrays_ = fuzz::seed_models().front().arrays;
};

TEST_F(EditedModelFile, IsUsedOrRefusedWithOneLineByEveryCommand) {
  constexpr std::size_t kStep = 5;  // a sample: another edit for each of some arrays
  for (std::size_t i = 0; i < arrays_.size(); i += kStep) {
    const test::ArrayEditName& edit = test::kArrayEdits[i % test::kArrayEdits.size()];
    expect_used_or_refused(test::edited(arrays_, i, edit.edit),
                           arrays_[i].first + " " + std::string(edit.name));
  }
}

TEST_F(EditedModelFile, WithoutLabelsOfItsSplitIsRefusedByTheNodeThatHasNone) {
  for (const test::ArrayEdit edit :
       {test::ArrayEdit::removed, test::ArrayEdit::negative, test::ArrayEdit::first_negative}) {
    test::write_zip(path("m.hf"), test::edited(arrays_, place_of("labels"), edit));
    for (const char* command : {"evaluate ", "predict "}) {
      const std::string line = refusal(command + file("m.hf"));
      EXPECT_NE(line.find("of the split has no label"), std::string::npos) << line;
    }
  }
}

TEST_F(EditedModelFile, WithAnotherGraphIsRefusedByItsFingerprint) {
  test::write_zip(path("m.hf"), test::edited(arrays_, place_of("adj_data"), test::ArrayEdit::reversed));
  const std::string line = refusal("predict " + file("m.hf"));
  EXPECT_NE(line.find("its graph has fingerprint"), std::string::npos) << line;
}

}  // namespace
}  // namespace heatfront
