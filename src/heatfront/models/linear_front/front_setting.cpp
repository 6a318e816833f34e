// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_setting.h"

#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/options.h"
#include "heatfront/base/text.h"
#include "heatfront/models/models.h"

namespace heatfront {

std::string text_of(std::span<const FrontSetting> settings) {
  std::vector<std::string> parts;
  for (const auto& [kernel, ridge] : settings)
    parts.push_back(fmt::format("{} {} {} {}", kernel.features, kernel.time, kernel.self_loop, ridge));
  return join(parts, ", ");
}

std::vector<FrontSetting> front_settings(std::string_view text) {
  std::vector<FrontSetting> settings;
  for (const std::string& part : split_at(text, ',')) {
    const std::vector<std::string> words = split_at(part, ' ');
    if (words.size() != 4)
      fail("fronts '{}': each has features, time, self_loop and ridge, like 'l2 5 1 0.3'", part);
    FrontSetting setting{.kernel = {.features = words[0]}};
    const OptionFields numbers = {{"time", &setting.kernel.time, "", from_to(0, kLongestTime)},
                                  {"self_loop", &setting.kernel.self_loop, "", from_to(0, kLargestLoop)},
                                  {"ridge", &setting.ridge, "", from_to(kLeastRidge, kLargestRidge)}};
    for (std::size_t i = 0; i < numbers.size(); ++i)
      set_option(numbers, numbers[i].name, words[i + 1], fmt::format("fronts '{}'", part));
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace heatfront
