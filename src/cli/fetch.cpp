// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/fetch/fetch.h"

namespace heatfront::cli {
namespace fetch_command {

struct Arguments {
  std::string name;
  FetchOptions options;
};

void run(const Arguments& arguments, Console& console) {
  const KnownDataset& known = known_dataset(arguments.name);
  const FetchReport report = fetch(known, arguments.options, console.progress());
  std::int64_t downloaded = 0;
  Json files = Json::array();
  for (const FetchedFile& file : report.files) {
    downloaded += file.downloaded;
    files.push_back({{"path", file.path.string()},
                     {"bytes", file.bytes},
                     {"downloaded", file.downloaded},
                     {"url", file.url.empty() ? Json() : Json(file.url)}});
  }
  const std::string text =
      known.embedded    ? fmt::format("{}: built in, nothing to fetch", known.name)
      : downloaded == 0 ? fmt::format("{}: is there already, at {}", known.name, path_text(report.opens))
                        : fmt::format("{}: {} bytes fetched and checked, now at {}", known.name,
                                      grouped(downloaded), path_text(report.opens));
  console.result({{"dataset", known.name},
                  {"path", json_path(report.opens)},
                  {"downloaded", downloaded},
                  {"files", files}},
                 text);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument("NAME", arguments->name, "A data set of `heatfront datasets`");
  flags.option(
      "--mirror", arguments->options.mirrors,
      "Ask this base URL instead of the public homes: any data folder served over HTTP; may be repeated",
      "URL");
  flags.option("--stall", arguments->options.stall_seconds, "Give a silent server up after this long",
               "SECONDS");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace fetch_command

const Command kFetchCommand{"fetch", "Downloads a data set and checks it", "heatfront fetch cora",
                            fetch_command::define};

}  // namespace heatfront::cli
