// SPDX-License-Identifier: MIT
#include "heatfront_explore/assets.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace heatfront::embedded {
extern const std::span<const unsigned char> explore_page, explore_style, explore_app, explore_view,
    explore_look, explore_paint, explore_places, explore_beside, explore_server, explore_panels,
    explore_widget, explore_film_page;
}

namespace heatfront::explore {
namespace {

std::string_view text_in(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A module as a part of one script: what it imports stands before it, and what it exports is there for those after it.
void add_module(std::string_view text, std::string& script) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.starts_with("import ")) continue;
    constexpr std::string_view kExport = "export ";
    if (line.starts_with(kExport)) line.remove_prefix(kExport.size());
    script += line;
  }
}

void replace(std::string& text, std::string_view what, const std::string& by) {
  const std::size_t place = text.find(what);
  assert(place != text.npos);
  text.replace(place, what.size(), by);
}

}  // namespace

std::span<const Asset> assets() {
  constexpr std::string_view kScript = "text/javascript; charset=utf-8";
  static const std::array<Asset, 10> kTable = {
      {{"/", "text/html; charset=utf-8", text_in(embedded::explore_page)},
       {"/style.css", "text/css; charset=utf-8", text_in(embedded::explore_style)},
       {"/app.js", kScript, text_in(embedded::explore_app)},
       {"/view.js", kScript, text_in(embedded::explore_view)},
       {"/look.js", kScript, text_in(embedded::explore_look)},
       {"/paint.js", kScript, text_in(embedded::explore_paint)},
       {"/places.js", kScript, text_in(embedded::explore_places)},
       {"/beside.js", kScript, text_in(embedded::explore_beside)},
       {"/server.js", kScript, text_in(embedded::explore_server)},
       {"/panels.js", kScript, text_in(embedded::explore_panels)}}};
  return kTable;
}

std::string page_in_one() {
  std::string script;
  for (const auto module :
       {embedded::explore_look, embedded::explore_paint, embedded::explore_places, embedded::explore_view,
        embedded::explore_server, embedded::explore_panels, embedded::explore_beside, embedded::explore_app})
    add_module(text_in(module), script);
  std::string page(text_in(embedded::explore_page));
  replace(page, "<link rel=\"stylesheet\" href=\"/style.css\">",
          "<style>\n" + std::string(text_in(embedded::explore_style)) + "</style>");
  replace(page, "<script type=\"module\" src=\"/app.js\"></script>",
          "<script type=\"module\">\n" + script + "</script>");
  return page;
}

std::string_view widget_module() { return text_in(embedded::explore_widget); }

std::string_view film_template() { return text_in(embedded::explore_film_page); }

const Asset* find_asset(std::string_view path) {
  const auto found = std::ranges::find(assets(), path, &Asset::path);
  return found == assets().end() ? nullptr : &*found;
}

}  // namespace heatfront::explore
