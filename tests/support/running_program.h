// SPDX-License-Identifier: MIT
// The program while it runs: what it has done so far is waited for, not how long that took, so that a test is the same on the
// busiest machine.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "support/program.h"

namespace heatfront::test {

class RunningProgram {
 public:
  // `arguments` as a shell takes them; `before` is what that shell does first (`trap '' HUP`).
  explicit RunningProgram(const std::string& arguments, const std::string& before = ":") {
    const std::string command = before + "\nexec '" + HEATFRONT_PROGRAM + "' " + arguments + " >'" +
                                (folder_ / "out").string() + "' 2>'" + (folder_ / "err").string() +
                                "' </dev/null";
    std::string words[] = {"sh", "-c", command};
    char* const argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    posix_spawnattr_t attributes;
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &signals);  // whatever the tests were started to ignore
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (posix_spawn(&process_, "/bin/sh", nullptr, &attributes, argv, environ) != 0) std::abort();
    posix_spawnattr_destroy(&attributes);
  }
  ~RunningProgram() {
    if (process_ == 0) return;
    signal(SIGKILL);
    end();
  }
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  // Until it holds; false where the program ended before.
  template <class Condition>
  bool wait_until(const Condition& condition) const {
    while (!condition()) {
      if (has_ended()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  // Until it handles this signal itself: from then on it can be asked to end.
  bool wait_until_it_catches(int wanted) const {
    return wait_until([&] {
      std::ifstream status("/proc/" + std::to_string(process_) + "/status");
      for (std::string line; std::getline(status, line);) {
        if (line.starts_with("SigCgt:"))
          return (std::strtoull(line.c_str() + 7, nullptr, 16) >> (wanted - 1) & 1) != 0;
      }
      return false;
    });
  }

  void signal(int which) const { ::kill(process_, which); }

  Outcome end() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
    process_ = 0;
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .output = file_text(folder_ / "out"),
            .errors = file_text(folder_ / "err")};
  }

 private:
  bool has_ended() const {
    siginfo_t info = {};
    return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid != 0;
  }

  TemporaryFolder folder_;
  pid_t process_ = 0;
};

// What it says when it is asked to end as soon as it can be.
inline Outcome interrupted(const std::string& arguments, int signal = SIGINT) {
  RunningProgram program(arguments);
  program.wait_until_it_catches(SIGTERM);  // the last of those that it catches
  program.signal(signal);
  return program.end();
}

}  // namespace heatfront::test
