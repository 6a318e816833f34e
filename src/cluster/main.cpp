// SPDX-License-Identifier: MIT
// heatfront on all processes of an mpiexec: each does its share of one command, and the first one speaks. What fails on all of them, or
// where all come together afterwards, ends with one line and exit code 1; where others would wait forever, all are ended after that line.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <thread>

#include "cli/program.h"
#include "heatfront/base/ranks.h"
#include "heatfront_petsc/petsc_cluster.h"
#include "heatfront_petsc/scotch_parts.h"

namespace heatfront::cli {
namespace {

constexpr int kClusterFailed = 1;
constexpr double kPatience = 5;  // seconds that who has failed waits for the others to fail as well

// Nobody hears the other ranks. Returns where their errors went.
int fall_silent() {
  const int heard = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  return heard;
}

int run_on_cluster(const PetscCluster& cluster, const std::vector<std::string>& words) {
  const int heard = cluster.ranks().rank() == 0 ? STDERR_FILENO : fall_silent();
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  std::string problem;
  int code = 0;
  try {
    Console console;
    console.cluster = &cluster;
#ifdef HEATFRONT_SCOTCH
    console.scotch = scotch_parts;
#endif
    const int beside = cluster.ranks().on_this_machine();
    if (std::getenv("HEATFRONT_THREADS") == nullptr) console.thread_count = std::max(1, cores / beside);
    code = run_program(words, console);
  } catch (const std::bad_alloc&) {
    problem =
        "not enough memory; more machines, or --memory with which classes are solved in turns, would help";
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!cluster.all_meet(problem.empty() ? std::numeric_limits<double>::infinity() : kPatience)) {
    dup2(heard, STDERR_FILENO);
    tell(fmt::format("heatfront: rank {}: {}\n", cluster.ranks().rank(), printable_lines(problem)));
    cluster.abort();
  }
  try {
    agree(cluster.ranks(), problem);
  } catch (const AgreedError& error) {
    tell("heatfront: " + printable_lines(error.what()) + '\n');
    return kClusterFailed;
  }
  return code;
}

}  // namespace
}  // namespace heatfront::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // as in the plain program
  try {
    const heatfront::PetscCluster cluster(&argc, &argv);
    return heatfront::cli::run_on_cluster(cluster, {argv + 1, argv + argc});
  } catch (const std::exception& error) {
    heatfront::cli::tell("heatfront: " + heatfront::printable_lines(error.what()) + '\n');
    return heatfront::cli::kClusterFailed;
  }
}
