// SPDX-License-Identifier: MIT
#include "cli/openblas.h"

#include <alloca.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <string_view>
#include <vector>

// OpenBLAS's own; its buffers are used again and never given back.
extern "C" void* blas_memory_alloc(int);
extern "C" void blas_memory_free(void*);
extern "C" char* openblas_get_config();  // "OpenBLAS 0.3.21 … MAX_THREADS=64"

namespace heatfront::cli {
namespace openblas {

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

constexpr char kOneThread[] = "OPENBLAS_NUM_THREADS=1";
constexpr char kKernels[] = "OPENBLAS_CORETYPE=SKYLAKEX";
constexpr std::size_t kCoreType = sizeof "OPENBLAS_CORETYPE=" - 1;

// Without the C library, which sanitizers stand in front of.
HEATFRONT_BEFORE_SANITIZERS bool is_told(char** environment, const char* what, std::size_t length) {
  for (; *environment != nullptr; ++environment) {
    std::size_t same = 0;
    while (same < length && (*environment)[same] == what[same]) ++same;
    if (same == length) return true;
  }
  return false;
}

// OpenBLAS 0.3.21 takes kernels for Sapphire Rapids that need nearly four times as long there as those of older processors.
HEATFRONT_BEFORE_SANITIZERS bool has_slow_kernels() {
  __builtin_cpu_init();
  return __builtin_cpu_is("intel") && __builtin_cpu_supports("avx512bf16");
}

// Runs before OpenBLAS is, so before main and without most of C. It can only be told by the environment: to stay on one thread,
// which is all that it is ever used for, where memory is limited; and which kernels to take.
HEATFRONT_BEFORE_SANITIZERS void prepare(int, char** arguments, char** environment) {
  const char* told[2];
  std::size_t count = 0;
  rlim_t bytes = 0;
  if (limited(bytes)) {
    if (bytes < kLeast) {
      constexpr char kTooLittle[] =
          "heatfront: not enough memory: the limit (ulimit -v) must be 320 MB or more to begin with\n";
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kTooLittle, sizeof kTooLittle - 1);
      _exit(1);
    }
    if (!is_told(environment, kOneThread, sizeof kOneThread)) told[count++] = kOneThread;
  }
  if (has_slow_kernels() && !is_told(environment, kKernels, kCoreType)) told[count++] = kKernels;
  if (count == 0) return;
  std::size_t before = 0;
  while (environment[before] != nullptr) ++before;
  char** const more = static_cast<char**>(alloca((count + before + 1) * sizeof(char*)));
  for (std::size_t i = 0; i < count; ++i) more[i] = const_cast<char*>(told[i]);
  for (std::size_t i = 0; i <= before; ++i) more[count + i] = environment[i];
  execve(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), arguments, more);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_all_libraries)(int, char**,
                                                                                 char**) = prepare;

}  // namespace openblas

int threads_with_room(int wanted) {
  wanted = std::min(wanted, openblas::most_threads());
  rlim_t bytes = 0;
  if (!openblas::limited(bytes)) return wanted;
  std::vector<void*> buffers;
  while (static_cast<int>(buffers.size()) < wanted && openblas::room_for_buffer())
    buffers.push_back(blas_memory_alloc(1));
  for (void* buffer : buffers) blas_memory_free(buffer);
  if (buffers.empty()) throw std::bad_alloc();
  return static_cast<int>(buffers.size());
}

}  // namespace heatfront::cli
