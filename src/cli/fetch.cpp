// SPDX-License-Identifier: MIT
// heatfront fetch NAME: downloads a data set.
#include "heatfront_io/fetch/fetch.h"

#include "cli/command.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_report/catalogue_report.h"

namespace heatfront::cli {
namespace fetch_command {

struct Arguments {
  std::string name;
  FetchOptions options;
};

void run(const Arguments& arguments, Console& console) {
  const KnownDataset& known = known_dataset(arguments.name);
  const FetchReport report = fetch(known, arguments.options, console.progress());
  console.result(json_of(known, report), text_of(known, report));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument("NAME", arguments->name, "A data set of `heatfront datasets`");
  flags.option("--mirror", arguments->options.mirrors,
               "Fetch from this base URL instead of the public sources: any data folder served over HTTP; "
               "may be repeated",
               "URL");
  flags.option("--stall", arguments->options.stall_seconds, "Give up on a silent server after this long",
               "SECONDS");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace fetch_command

const Command kFetchCommand{"fetch", "Downloads a data set and checks it", "heatfront fetch cora",
                            fetch_command::define};

}  // namespace heatfront::cli
