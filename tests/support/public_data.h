// SPDX-License-Identifier: MIT
// The big public files, where they are: in $HEATFRONT_DATA, else beside the project. Tests that need them
// skip otherwise.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace heatfront::test {

// Empty when it is not there.
inline std::filesystem::path public_data(std::string_view relative) {
  const char* folder = std::getenv("HEATFRONT_DATA");
  const auto beside =
      std::filesystem::path(HEATFRONT_TEST_FILES).parent_path().parent_path().parent_path() / "shared/data";
  const std::filesystem::path path = (folder ? std::filesystem::path(folder) : beside) / relative;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

}  // namespace heatfront::test
