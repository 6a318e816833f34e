// SPDX-License-Identifier: MIT
#include "micro/label_contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/label/session.h"
#include "heatfront/models/linear_front/linear_front.h"
#include "heatfront/train/fit.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::micro {
namespace {

constexpr int kFits = 3;            // the shortest counts
constexpr std::size_t kLater = 20;  // labels, of which the one in the middle counts

struct LabelCase {
  std::string_view data, split;
};
constexpr std::array kLabelCases = {LabelCase{"cora", "per-class 20,0"}, LabelCase{"cora", "per-class 91,0"},
                                    LabelCase{"photo", "percent 40,40"}};

// Seconds by the wall, and of all processors.
struct Spent {
  double wall = 0, processor = 0;
};

template <class Action>
Spent spent_on(const Action& action) {
  const Stopwatch watch;
  const std::clock_t begin = std::clock();
  action();
  return {watch.seconds(), static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
}

Spent middle_of(std::vector<Spent> all) {
  Spent result;
  for (double Spent::*clock : {&Spent::wall, &Spent::processor}) {
    std::ranges::nth_element(all, all.begin() + std::ssize(all) / 2, {}, clock);
    result.*clock = all[all.size() / 2].*clock;
  }
  return result;
}

std::string text_of(const Spent& spent) {
  return fmt::format("{:.1f} ({:.1f})", 1e3 * spent.wall, 1e3 * spent.processor);
}

void print_case(const LabelCase& about, int count) {
  Threads threads(count);
  Dataset data = open_dataset(std::string(about.data), {}, threads);
  data.split = choose_split(data, std::string(about.split), 0);
  const auto fitted = [&] { return fit(data, LinearFrontOptions(), {}, 0, threads).model; };
  TrainedModel model;
  Spent fitting{1e9, 1e9};
  for (int i = 0; i < kFits; ++i) {
    const Spent spent = spent_on([&] { model = fitted(); });
    fitting = {std::min(fitting.wall, spent.wall), std::min(fitting.processor, spent.processor)};
  }
  std::vector<NodeId> nodes;  // that are told later
  for (NodeId u = 0; nodes.size() <= kLater; u += 7)
    if (!std::ranges::binary_search(data.split->train, u)) nodes.push_back(u);

  const std::vector<std::byte> bytes = model_bytes(model);
  const Spent command = spent_on([&] {
    Session session(read_model(bytes, threads), threads);
    session.set(nodes.front(), data.labels[at(nodes.front())]);
    session.solve();
    model_bytes(session.model());
  });
  Session session(model, threads);
  session.set(nodes.front(), data.labels[at(nodes.front())]);
  session.solve();
  std::vector<Spent> added, removed;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    added.push_back(spent_on([&] {
      session.set(nodes[i], data.labels[at(nodes[i])]);
      session.solve();
    }));
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    removed.push_back(spent_on([&] {
      session.unset(nodes[i]);
      session.solve();
    }));
  }
  fmt::print("| {}, {} labels | {} | {} | {} | {} | {} |\n", about.data, data.split->train.size(), count,
             text_of(fitting), text_of(command), text_of(middle_of(added)), text_of(middle_of(removed)));
  std::fflush(stdout);
}

}  // namespace

void print_labels(const std::string& circumstances) {
  fmt::print(
      "# Labels of the linear front\n\n{}"
      "Milliseconds by the wall, in brackets those of all processors. *fit*: all settings, the shortest of "
      "{}. *first*: the model read from its "
      "bytes, a label\nset, solved, and written again, as `heatfront label MODEL --set NODE=CLASS -o MODEL` "
      "does. *later*: "
      "one more label in the same session, and\n*taken away*: one less; the middle one of {}.\n\n"
      "| data | threads | fit | first | later | taken away |\n|---|---|---|---|---|---|\n",
      circumstances, kFits, kLater);
  for (const LabelCase& about : kLabelCases) {
    for (int threads : {1, 2}) {
      try {
        print_case(about, threads);
      } catch (const Error& error) {
        fmt::print("| {} | {} | SKIPPED: {} | | | |\n", about.data, threads, error.what());
      }
    }
  }
  fmt::print("\n");
}

}  // namespace heatfront::micro
