// SPDX-License-Identifier: MIT
// Several ways of doing the same, timed in one run of Google Benchmark: their repetitions alternate in random
// order, and the shortest counts, so that what else the machine does meets all of them alike.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heatfront::micro {

// The wall's, or the time that the process had of all its processors: what else runs hardly touches that.
enum class Clock { wall, processor };

class Contest {
 public:
  Contest(std::string name, int repetitions, Clock clock = Clock::wall)
      : name_(std::move(name)), repetitions_(repetitions), clock_(clock) {}

  void add(const std::string& contestant, std::function<void()> action);

  // Seconds of one action, by contestant. Those that --benchmark_filter leaves out are not there.
  std::map<std::string, double> run();

 private:
  std::string name_;
  int repetitions_;
  Clock clock_;
  std::vector<std::pair<std::string, std::function<void()>>> contestants_;
};

}  // namespace heatfront::micro
