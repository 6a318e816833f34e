// SPDX-License-Identifier: MIT
#include "micro/contest.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace heatfront::micro {
namespace {

constexpr double kLeastSeconds = 0.03;  // of a repetition

class Minima : public benchmark::BenchmarkReporter {
 public:
  explicit Minima(Clock clock) : clock_(clock) {}

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double all = clock_ == Clock::wall ? run.real_accumulated_time : run.cpu_accumulated_time;
      const double seconds = all / static_cast<double>(run.iterations);
      const auto [entry, is_new] = seconds_.try_emplace(run.run_name.function_name, seconds);
      entry->second = std::min(entry->second, seconds);
    }
  }

  const std::map<std::string, double>& seconds() const { return seconds_; }

 private:
  Clock clock_;
  std::map<std::string, double> seconds_;
};

}  // namespace

void Contest::add(const std::string& contestant, std::function<void()> action) {
  contestants_.emplace_back(contestant, std::move(action));
}

std::map<std::string, double> Contest::run() {
  const std::string prefix = name_ + "/";
  for (const auto& [contestant, action] : contestants_) {
    benchmark::RegisterBenchmark((prefix + contestant).c_str(),
                                 [&action = action](benchmark::State& state) {
                                   for (auto _ : state) action();
                                 })
        ->UseRealTime()
        ->MeasureProcessCPUTime()
        ->MinTime(kLeastSeconds)
        ->Repetitions(repetitions_);
  }
  Minima minima(clock_);
  benchmark::RunSpecifiedBenchmarks(&minima);
  benchmark::ClearRegisteredBenchmarks();
  std::map<std::string, double> result;
  for (const auto& [name, seconds] : minima.seconds()) result[name.substr(prefix.size())] = seconds;
  return result;
}

}  // namespace heatfront::micro
