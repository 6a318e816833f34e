// SPDX-License-Identifier: MIT
#include "cli/result_files.h"

#include <fmt/core.h>

#include "cli/output_kind.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront::cli {

ResultFiles::ResultFiles(const std::filesystem::path& folder, std::string_view markdown, std::string_view csv,
                         std::string_view page)
    : markdown_(folder / markdown), csv_(folder / csv), page_(folder / page), record_(folder / "runs.jsonl") {
  check_outputs(
      {{markdown_, kResultTable}, {csv_, kResultTable}, {page_, kReportPage}, {record_, kRunRecord}});
}

void ResultFiles::write(const std::string& markdown, const std::string& csv, const std::string& page) const {
  write_file(markdown_, markdown);
  write_file(csv_, csv);
  write_file(page_, page);
}

std::string ResultFiles::names() const {
  return fmt::format("{}, {}, {}", markdown_.filename().string(), csv_.filename().string(),
                     page_.filename().string());
}

}  // namespace heatfront::cli
