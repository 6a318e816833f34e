// SPDX-License-Identifier: MIT
// heatfront_micro [--benchmark_…] [GRAPH… | session | labels]: the sparse product of the flow beside Eigen's and beside what the
// memory gives, a label set in a session beside the flow alone, and what labels cost the linear front, as Markdown on standard output.
// Without names: every graph that is not large, and the session.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/reorder.h"
#include "micro/contest.h"
#include "micro/eigen_contestant.h"
#include "micro/flow_contestant.h"
#include "micro/graphs.h"
#include "micro/label_contest.h"
#include "micro/session_contest.h"
#include "micro/triad.h"

namespace heatfront::micro {
namespace {

constexpr std::array kWidths = {2, 3, 7, 8, 18, 40};
constexpr int kReorderedWidth = 8;
constexpr std::string_view kSession = "session", kLabels = "labels";

int repetitions(const GraphEntry& entry) { return entry.large ? 3 : 7; }

struct Machine {
  Threads one{1};
  Threads two{2};
  Triad triad;
};

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "an unknown processor";
}

std::string circumstances() {
  const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
  std::string caches;
  for (const auto& cache : cpu.caches) {
    if (cache.type != "Instruction") caches += fmt::format(", L{} {} KB", cache.level, cache.size >> 10);
  }
  return fmt::format("Made by `make bench` on {}, {} cores{}; GCC {}.\n", processor(), cpu.num_cpus, caches,
                     __VERSION__);
}

void print_columns() {
  fmt::print(
      "# The sparse product\n\n{}"
      "Each line is one run: contestants alternate in random order, and the shortest repetition counts.\n\n"
      "- *product*: y ← Δ x. *step*, a term of the Chebyshev series: y ← 2 X x − y, sum ← sum + c y in one "
      "pass.\n"
      "- *GB/s*: what must be moved if every number moves once, over the time. 4 bytes per arc (8 with "
      "weights),\n"
      "  16 per node for offset and factors, and rows of C numbers padded to a multiple of 4: x and y for "
      "the\n"
      "  product, x, y twice and sum twice for the step. A row of x that several nodes read counts once.\n"
      "- *Eigen* {}: `SparseMatrix<float, RowMajor>` times a row-major matrix, one thread, -O3 "
      "-march=native.\n"
      "  In brackets its GB/s, counted as ours; *× Eigen*: its time over ours.\n"
      "- *triad*: STREAM's a ← b + s c on 3 × 128 MB in the same run, 12 bytes a number; *of triad*: our "
      "GB/s\n"
      "  over its, threads alike. That a line is read before it is written counts neither there nor in the\n"
      "  product; the step reads what it writes anyway, so it can come out above 100 %.\n",
      circumstances(), EigenContestant::version());
}

void print_products(const GraphEntry& entry, const WeightedGraph& graph, Machine& machine) {
  fmt::print("\n## {}: {} nodes, {} arcs{}\n\n", entry.what, graph.graph.nodes(), graph.graph.arcs(),
             graph.weights.empty() ? "" : ", weighted");
  fmt::print(
      "| C | product GB/s | of triad | × Eigen | step GB/s | of triad | × Eigen "
      "| step, 2 threads, GB/s | of triad | × Eigen | triad GB/s, 1 and 2 threads |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int width : kWidths) {
    FlowContestant one(graph, width, machine.one), two(graph, width, machine.two);
    EigenContestant eigen(graph, width);
    Contest contest(fmt::format("{}/C={}", entry.name, width), repetitions(entry));
    contest.add("product", [&] { one.product(); });
    contest.add("product, Eigen", [&] { eigen.product(); });
    contest.add("step", [&] { one.step(); });
    contest.add("step, Eigen", [&] { eigen.step(); });
    contest.add("step, 2 threads", [&] { two.step(); });
    contest.add("triad", [&] { machine.triad.run(machine.one); });
    contest.add("triad, 2 threads", [&] { machine.triad.run(machine.two); });
    auto seconds = contest.run();
    const auto rate = [&](const std::string& name, double bytes) { return bytes / seconds[name] / 1e9; };
    const double triad = rate("triad", Triad::bytes()), triad2 = rate("triad, 2 threads", Triad::bytes());
    const auto columns = [&](const std::string& name, double bytes, double memory, const std::string& other) {
      const double ours = rate(name, bytes);
      return fmt::format("{:.1f} ({:.1f}) | {:.0f} % | {:.1f}", ours, rate(other, bytes), 100 * ours / memory,
                         seconds[other] / seconds[name]);
    };
    fmt::print("| {} | {} | {} | {} | {:.1f}, {:.1f} |\n", width,
               columns("product", one.product_bytes(), triad, "product, Eigen"),
               columns("step", one.step_bytes(), triad, "step, Eigen"),
               columns("step, 2 threads", two.step_bytes(), triad2, "step, Eigen"), triad, triad2);
    std::fflush(stdout);
  }
}

// The gain of `--reorder`: a step in every order, and what finding the order takes.
void print_orders(const GraphEntry& entry, const WeightedGraph& graph, Machine& machine) {
  std::vector<WeightedGraph> ordered;
  std::vector<double> finding;
  for (const ReorderingEntry& reordering : reorderings()) {
    const Stopwatch watch;
    ordered.push_back(permuted(graph.graph, graph.weights, node_order(graph.graph, reordering.reordering)));
    finding.push_back(watch.seconds());
  }
  std::vector<std::unique_ptr<FlowContestant>> one, two;
  Contest contest(fmt::format("{}/reorder", entry.name), repetitions(entry));
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    one.push_back(std::make_unique<FlowContestant>(ordered[i], kReorderedWidth, machine.one));
    two.push_back(std::make_unique<FlowContestant>(ordered[i], kReorderedWidth, machine.two));
    contest.add(fmt::format("{}", i), [&, i] { one[i]->step(); });
    contest.add(fmt::format("{}, 2 threads", i), [&, i] { two[i]->step(); });
  }
  auto seconds = contest.run();
  fmt::print(
      "\n| `--reorder`, C = {} | step ms | gain | 2 threads ms | gain | finding it ms "
      "|\n|---|---|---|---|---|---|\n",
      kReorderedWidth);
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const double alone = seconds[fmt::format("{}", i)], both = seconds[fmt::format("{}, 2 threads", i)];
    fmt::print("| {} | {:.4g} | {:.2f} | {:.4g} | {:.2f} | {:.4g} |\n", reorderings()[i].name, 1e3 * alone,
               seconds["0"] / alone, 1e3 * both, seconds["0, 2 threads"] / both,
               i == 0 ? 0.0 : 1e3 * finding[i]);
  }
  std::fflush(stdout);
}

bool asks_for(std::span<char*> names, std::string_view wanted) {
  return std::ranges::find(names, wanted, [](char* name) { return std::string_view(name); }) != names.end();
}

// Exit code 2 for names that are not in the table.
int run(std::span<char*> names) {
  for (std::string_view name : names) {
    if (name == kSession || name == kLabels ||
        std::ranges::find(graphs(), name, &GraphEntry::name) != graphs().end())
      continue;
    fmt::print(stderr, "unknown graph '{}'; there are: {} {}", name, kSession, kLabels);
    for (const GraphEntry& entry : graphs()) fmt::print(stderr, " {}", entry.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  if (names.empty() || asks_for(names, kSession)) print_session(circumstances());
  if (asks_for(names, kLabels)) print_labels(circumstances());
  if (!names.empty() &&
      std::ranges::all_of(names, [](std::string_view name) { return name == kSession || name == kLabels; }))
    return 0;
  Machine machine;
  print_columns();
  for (const GraphEntry& entry : graphs()) {
    if (!asks_for(names, entry.name) && (entry.large || !names.empty())) continue;
    const auto graph = entry.make(machine.two);
    if (!graph) {
      fmt::print("\n## {}\n\nSKIPPED: needs the data set {} in $HEATFRONT_DATA.\n", entry.what, entry.name);
      continue;
    }
    fmt::print(stderr, "measuring {}\n", entry.name);
    print_products(entry, *graph, machine);
    print_orders(entry, *graph, machine);
  }
  return 0;
}

}  // namespace
}  // namespace heatfront::micro

int main(int argc, char** argv) {
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, interleave);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  return heatfront::micro::run(std::span(arguments).subspan(1, static_cast<std::size_t>(count) - 1));
}
