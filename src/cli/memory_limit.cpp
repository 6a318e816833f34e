// SPDX-License-Identifier: MIT
#include "cli/memory_limit.h"

#include <alloca.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

// OpenBLAS's own; its buffers are used again and never given back.
extern "C" void* blas_memory_alloc(int);
extern "C" void blas_memory_free(void*);
extern "C" char* openblas_get_config();  // "OpenBLAS 0.3.21 … MAX_THREADS=64"

namespace heatfront::cli {
namespace memory_limit {

constexpr std::size_t kBuffer = (std::size_t{128} + 8)
                                << 20;        // of a thread, and what the thread itself takes
constexpr rlim_t kLeast = rlim_t{320} << 20;  // to load the libraries and OpenBLAS's first buffer

// Sanitizers are not ready yet when prepare() runs.
#define HEATFRONT_BEFORE_SANITIZERS [[gnu::no_sanitize_address, gnu::no_sanitize_thread]]

HEATFRONT_BEFORE_SANITIZERS bool limited(rlim_t& bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  bytes = limit.rlim_cur;
  return true;
}

// Its table has twice as many places: the other half is for threads of its own.
int most_threads() {
  constexpr std::string_view kName = "MAX_THREADS=";
  constexpr int kWhereNotSaid = 16;
  const std::string_view config = openblas_get_config();
  const std::size_t place = config.find(kName);
  int most = kWhereNotSaid;
  if (place != config.npos)
    std::from_chars(config.data() + place + kName.size(), config.data() + config.size(), most);
  return std::max(most, 1);
}

bool room_for_buffer() {
  void* const place = mmap(nullptr, kBuffer, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  munmap(place, kBuffer);
  return true;
}

// Runs before OpenBLAS is, so before main and without most of C: it can only be told by the environment to stay
// on one thread, which is all that it is ever used for.
HEATFRONT_BEFORE_SANITIZERS void prepare(int, char** arguments, char** environment) {
  rlim_t bytes = 0;
  if (!limited(bytes)) return;
  if (bytes < kLeast) {
    constexpr char kTold[] =
        "heatfront: not enough memory: the limit (ulimit -v) must be 320 MB or more to begin with\n";
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, kTold, sizeof kTold - 1);
    _exit(1);
  }
  constexpr char kOneThread[] = "OPENBLAS_NUM_THREADS=1";
  std::size_t count = 0;
  for (; environment[count] != nullptr; ++count) {
    if (std::strcmp(environment[count], kOneThread) == 0) return;
  }
  char** const more = static_cast<char**>(alloca((count + 2) * sizeof(char*)));
  more[0] = const_cast<char*>(kOneThread);
  std::memcpy(more + 1, environment, (count + 1) * sizeof(char*));
  execve(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), arguments, more);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_libraries)(int, char**,
                                                                                 char**) = prepare;

}  // namespace memory_limit

int threads_with_room(int wanted) {
  wanted = std::min(wanted, memory_limit::most_threads());
  rlim_t bytes = 0;
  if (!memory_limit::limited(bytes)) return wanted;
  std::vector<void*> buffers;
  while (static_cast<int>(buffers.size()) < wanted && memory_limit::room_for_buffer())
    buffers.push_back(blas_memory_alloc(1));
  for (void* buffer : buffers) blas_memory_free(buffer);
  if (buffers.empty()) throw std::bad_alloc();
  return static_cast<int>(buffers.size());
}

}  // namespace heatfront::cli
