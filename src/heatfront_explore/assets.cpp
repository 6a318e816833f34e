// SPDX-License-Identifier: MIT
#include "heatfront_explore/assets.h"

#include <algorithm>
#include <array>

namespace heatfront::embedded {
extern const std::span<const unsigned char> explore_page, explore_style, explore_app, explore_view,
    explore_server, explore_panels, explore_film_page;
}

namespace heatfront::explore {
namespace {

std::string_view text_in(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::span<const Asset> assets() {
  constexpr std::string_view kScript = "text/javascript; charset=utf-8";
  static const std::array<Asset, 6> kTable = {
      {{"/", "text/html; charset=utf-8", text_in(embedded::explore_page)},
       {"/style.css", "text/css; charset=utf-8", text_in(embedded::explore_style)},
       {"/app.js", kScript, text_in(embedded::explore_app)},
       {"/view.js", kScript, text_in(embedded::explore_view)},
       {"/server.js", kScript, text_in(embedded::explore_server)},
       {"/panels.js", kScript, text_in(embedded::explore_panels)}}};
  return kTable;
}

std::string_view film_template() { return text_in(embedded::explore_film_page); }

const Asset* find_asset(std::string_view path) {
  const auto found = std::ranges::find(assets(), path, &Asset::path);
  return found == assets().end() ? nullptr : &*found;
}

}  // namespace heatfront::explore
