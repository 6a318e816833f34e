// SPDX-License-Identifier: MIT
// The files of the page, which are inside the library: everything works offline.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heatfront::explore {

struct Asset {
  std::string_view path;  // "/app.js"
  std::string_view type;
  std::string_view text;
};

std::span<const Asset> assets();
const Asset* find_asset(std::string_view path);  // null: there is none

// The page with all of its files inside, for a notebook: a frame shows it, and its questions come as messages (web/server.js). And the
// module that makes such a frame, as anywidget takes it.
std::string page_in_one();
std::string_view widget_module();

// A page of its own that shows a film: kFilmPlace stands where its data goes.
inline constexpr std::string_view kFilmPlace = "/*film*/null";
std::string_view film_template();

}  // namespace heatfront::explore
