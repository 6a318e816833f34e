// SPDX-License-Identifier: MIT
// A model that is a whole npz, with arrays removed, resized and replaced. An input is bytes:
//
//     seed model, and 128 where the fingerprints are to be those of what is in the file
//     then, again and again:  array, edit (test::kArrayEdits)
//                         or  array, kOverwrite, place, length, that many bytes: over the array's elements
//                         or  array, kReplace, and all the rest: the array itself, its header too
//
// Numbers that are too large count from the beginning again.
#include <algorithm>
#include <initializer_list>
#include <optional>

#include "fuzz/feeding.h"
#include "fuzz/model_uses.h"
#include "fuzz/targets.h"
#include "support/npz_edits.h"

namespace heatfront::fuzz {
namespace {

constexpr std::size_t kOwnFingerprints = 128;
constexpr std::size_t kOverwrite = test::kArrayEdits.size(), kReplace = kOverwrite + 1,
                      kActions = kReplace + 1;

std::size_t take_byte(std::string_view& input) {
  if (input.empty()) return 0;
  const auto byte = static_cast<unsigned char>(input.front());
  input.remove_prefix(1);
  return byte;
}

// Empty where the bytes are no array.
std::optional<test::NpyParts> parts_or_none(const std::string& npy) {
  std::optional<test::NpyParts> parts;
  done_or_refused([&] { parts = test::parts_of(npy); });
  return parts;
}

void overwrite(std::string& npy, std::string_view& input) {
  const std::size_t place = take_byte(input), wanted = take_byte(input);
  const std::size_t length = std::min(wanted, input.size());
  if (auto parts = parts_or_none(npy); parts && !parts->elements.empty()) {
    for (std::size_t i = 0; i < length; ++i) parts->elements[(place + i) % parts->elements.size()] = input[i];
    npy = parts->whole();
  }
  input.remove_prefix(length);
}

test::Entries changed_arrays(std::string_view input) {
  const std::size_t first = take_byte(input);
  test::Entries arrays = seed_models()[first % kOwnFingerprints % seed_models().size()].arrays;
  while (!input.empty() && !arrays.empty()) {
    const std::size_t array = take_byte(input) % arrays.size(), action = take_byte(input) % kActions;
    std::string& npy = arrays[array].second;
    if (action == kOverwrite) {
      overwrite(npy, input);
    } else if (action == kReplace) {
      npy = input;
      input = {};
    } else if (test::kArrayEdits[action].edit == test::ArrayEdit::removed || parts_or_none(npy)) {
      arrays = test::edited(std::move(arrays), array, test::kArrayEdits[action].edit);
    }
  }
  return first >= kOwnFingerprints ? with_own_fingerprints(std::move(arrays)) : arrays;
}

std::string bytes(std::initializer_list<std::size_t> numbers) {
  std::string text;
  for (std::size_t number : numbers) text += static_cast<char>(number);
  return text;
}

}  // namespace

bool feed_model(std::string_view input) {
  return use_model(test::write_zip(scratch() / "model.hf", changed_arrays(input)));
}

// Every model as it is, every array of the first in its own place, and every edit.
std::vector<std::string> model_seeds() {
  std::vector<std::string> seeds;
  for (std::size_t model = 0; model < seed_models().size(); ++model) seeds.push_back(bytes({model}));
  const test::Entries& arrays = seed_models().front().arrays;
  for (std::size_t array = 0; array < arrays.size(); ++array)
    seeds.push_back(bytes({kOwnFingerprints, array, kReplace}) + arrays[array].second);
  for (std::size_t edit = 0; edit < test::kArrayEdits.size(); ++edit)
    seeds.push_back(
        bytes({kOwnFingerprints + edit % seed_models().size(), edit, edit, edit + 7, kOverwrite, 8, 1, 3}));
  return seeds;
}

}  // namespace heatfront::fuzz
