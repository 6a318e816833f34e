// SPDX-License-Identifier: MIT
//   heatfront_fuzz --list                 the targets
//   heatfront_fuzz --seeds FOLDER         writes FOLDER/TARGET/seed-N, inputs to begin with
//   heatfront_fuzz TARGET [ARGUMENT …]    libFuzzer on a target: folders to search on from, or files to feed once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "fuzz/targets.h"

namespace {

namespace fs = std::filesystem;
using heatfront::fuzz::find_target;
using heatfront::fuzz::Target;
using heatfront::fuzz::targets;

// libFuzzer starts itself again to minimise inputs, without the first argument, which it never sees.
constexpr const char* kVariable = "HEATFRONT_FUZZ_TARGET";

const Target* chosen = nullptr;

// What libFuzzer counts as coverage, besides code. The first byte of most inputs names the file that they replace, and
// seeds replace it by itself: as all of a set run the same code, only one of them would be kept and changed.
__attribute__((section("__libfuzzer_extra_counters"))) std::uint8_t first_bytes[256];

void write_seeds(const fs::path& folder) {
  for (const Target& target : targets()) {
    fs::create_directories(folder / target.name);
    int number = 0;
    for (const std::string& seed : target.seeds()) {
      const fs::path file = folder / target.name / ("seed-" + std::to_string(number++));
      std::ofstream(file, std::ios::binary) << seed;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  const std::string first = *count > 1 ? (*arguments)[1] : "";
  if (first == "--list") {
    for (const Target& target : targets()) std::puts(std::string(target.name).c_str());
    std::exit(0);
  }
  if (first == "--seeds" && *count == 3) {
    write_seeds((*arguments)[2]);
    std::exit(0);
  }
  if (find_target(first) != nullptr) {
    setenv(kVariable, first.c_str(), 1);
    (*arguments)[1] = (*arguments)[0];
    ++*arguments;
    --*count;
  }
  const char* const name = std::getenv(kVariable);
  if (name != nullptr) chosen = find_target(name);
  if (chosen == nullptr) {
    std::fputs("usage: heatfront_fuzz --list | --seeds FOLDER | TARGET [libFuzzer's arguments]\n", stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) first_bytes[data[0]] = 1;
  chosen->feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
