// SPDX-License-Identifier: MIT
// The big public data that some tests need: in $HEATFRONT_DATA, else beside the project.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace heatfront::test {

// Empty where it is not there: the test then skips itself.
inline std::filesystem::path public_data(std::string_view relative) {
  const std::filesystem::path project =
      std::filesystem::path(HEATFRONT_TEST_FILES).parent_path().parent_path();
  const char* own = std::getenv("HEATFRONT_DATA");
  const std::filesystem::path folder = own ? own : project.parent_path() / "shared" / "data";
  return exists(folder / relative) ? folder / relative : std::filesystem::path();
}

}  // namespace heatfront::test
