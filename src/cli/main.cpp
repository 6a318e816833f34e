// SPDX-License-Identifier: MIT
// Turns errors into a line (or a list of problems) and an exit code: 0: done; 1: it could not be done; 2: the command line itself is wrong.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <span>
#include <string_view>

#include "cli/program.h"
#include "heatfront/base/fail.h"
#include "heatfront_io/partitions/write_partition.h"

namespace heatfront::cli {
namespace {

// Otherwise the next file opened would take the place of standard output, and get what is meant for people. Opened the
// wrong way round, so that using them fails.
void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

// Matrices of the same sizes come and go: given back to the system each time, their pages would have to be cleared anew, which was a tenth
// of the time of some commands.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMapped = 32 << 20, kKept = 256 << 20;
  mallopt(M_MMAP_THRESHOLD, kMapped);
  mallopt(M_TRIM_THRESHOLD, kKept);
#endif
}

// As a word of its own, or behind the flag that it is for.
bool names_partition(std::string_view word) {
  const std::size_t sign = word.starts_with("--") ? word.find('=') : word.npos;
  return is_partition(sign == word.npos ? word : word.substr(sign + 1));
}

// "--method scotch" or "--method=scotch".
bool asks_for_scotch(std::span<char*> words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--method=scotch" || (word == kScotch && words[i - 1] == std::string_view("--method")))
      return true;
  }
  return false;
}

// Under mpiexec a graph in parts is for all processes together: then this becomes the program that is made with MPI. So it does for
// Scotch, which comes with it.
void become_cluster(std::span<char*> words) {
  const auto ranks = [] {
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
      if (const char* const text = std::getenv(name)) return std::atoi(text);
    }
    return 1;
  };
  const bool shared = ranks() > 1 && std::any_of(words.begin(), words.end(), names_partition);
  if (!shared && !asks_for_scotch(words)) return;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "heatfront-cluster";
  execv(program.c_str(), words.data());
  fail("{}: cannot be started: {}; it is built where PETSc and MPI are: tools/setup cluster, make cluster",
       program.string(), std::strerror(errno));
}

}  // namespace
}  // namespace heatfront::cli

int main(int argc, char** argv) {
  constexpr int kFailed = 1;
  heatfront::cli::open_closed_streams();
  heatfront::cli::keep_freed_memory();
  std::signal(SIGXFSZ,
              SIG_IGN);  // a file that grows beyond ulimit -f is an error of write(), as a full disk is
  try {
    heatfront::cli::become_cluster({argv, argv + argc});
    heatfront::cli::Console console;
    return heatfront::cli::run_program({argv + 1, argv + argc}, console);
  } catch (const std::bad_alloc&) {
    heatfront::cli::tell(
        "heatfront: not enough memory; a smaller graph, fewer --threads or a higher limit (ulimit -v) would "
        "help\n");
  } catch (const std::exception& error) {
    heatfront::cli::tell("heatfront: " + heatfront::printable_lines(error.what()) + '\n');
  }
  return kFailed;
}
