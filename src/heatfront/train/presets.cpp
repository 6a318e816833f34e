// SPDX-License-Identifier: MIT
#include "heatfront/train/presets.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "heatfront/base/fail.h"

namespace heatfront::embedded {

extern const std::span<const unsigned char> heat_front_amazon_photo, heat_front_citeseer, heat_front_cora,
    heat_front_county_fb, heat_front_lastfm_asia, heat_front_pubmed;

}  // namespace heatfront::embedded

namespace heatfront {
namespace {

constexpr std::uintmax_t kLargestFile = 1 << 20;

std::string_view text_in(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile) fail("{}: {} bytes are too many for a preset", path.string(), size);
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail("{}: cannot be read", path.string());
  return text;
}

}  // namespace

std::span<const Preset> presets() {
  static const std::array<Preset, 7> kTable = {
      {{"heat-front", "cora", text_in(embedded::heat_front_cora)},
       {"heat-front", "citeseer", text_in(embedded::heat_front_citeseer)},
       {"heat-front", "pubmed", text_in(embedded::heat_front_pubmed)},
       {"heat-front", "photo", text_in(embedded::heat_front_amazon_photo)},
       {"heat-front", "amazon_photo", text_in(embedded::heat_front_amazon_photo)},  // as its file is called
       {"heat-front", "county_fb", text_in(embedded::heat_front_county_fb)},
       {"heat-front", "lastfm_asia", text_in(embedded::heat_front_lastfm_asia)}}};
  return kTable;
}

std::string apply_preset(const std::string& preset, std::string_view model, std::string_view dataset,
                         const OptionFields& fields) {
  if (preset == "none") return preset;
  const std::string_view wanted = preset.empty() ? dataset : std::string_view(preset);
  std::string names;
  for (const Preset& entry : presets()) {
    if (entry.model != model) continue;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
    if (entry.name != wanted) continue;
    set_options(fields, entry.text, fmt::format("preset {}", entry.name));
    return std::string(entry.name);
  }
  if (preset.empty()) return "none";
  if (!std::filesystem::is_regular_file(preset))
    fail("preset '{}': no such file, and no such preset for {}; there are: {}, none", preset, model, names);
  set_options(fields, read_text(preset), preset);
  return preset;
}

}  // namespace heatfront
