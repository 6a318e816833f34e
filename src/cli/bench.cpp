// SPDX-License-Identifier: MIT
// heatfront bench: how fast this machine is; with --signature what it computes, as hashes. Both by running commands, as a
// user would, in a folder that is removed afterwards.
#include <fmt/core.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <limits>
#include <system_error>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/program.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront_experiment/signature.h"
#include "heatfront_report/tables.h"

namespace heatfront::cli {
namespace bench_command {

namespace fs = std::filesystem;

// Words that begin with @ are files in the workplace, and ~ is a space within a word.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words = split_at(command, ' ');
  for (std::string& word : words) std::ranges::replace(word, '~', ' ');
  return words;
}

// As a user would type it; the files of the workplace by their names.
std::string as_typed(std::string_view command) {
  std::string text = "heatfront";
  for (const std::string& word : words_of(command))
    text += " " + shell_word(word.starts_with('@') ? word.substr(1) : word);
  return text;
}

class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "heatfront-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      fail("{}: {}", name, std::error_code(errno, std::generic_category()).message());
    folder_ = name;
  }
  ~Workplace() {
    std::error_code left;
    fs::remove_all(folder_, left);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  // What a command says.
  Json say(std::string_view command, const Console& console) const {
    std::vector<std::string> words = words_of(command);
    for (std::string& word : words) {
      if (word.starts_with('@')) word = file(word.substr(1));
    }
    words.insert(words.end(), {"--json", "--threads", std::to_string(console.thread_count)});
    std::string said;
    Console inner;
    inner.captured = &said;
    if (run_program(words, inner) != 0) fail("`{}` is not a command line", as_typed(command));
    for (std::size_t place; (place = said.find(file(""))) != std::string::npos;)
      said.erase(place, file("").size());
    return Json::parse(said);
  }

 private:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

// Every command that needs no other data than what is built in; later ones use files of earlier ones.
constexpr std::array kSignedCommands = {
    "info karate",
    "models",
    "convert karate @karate.npz",
    "split digits --split per-class~5,10 --seed 1 -o @digits_split.npz",
    "graph digits -k 7 --kernel self-tuning -o @digits.npz",
    "solve @digits.npz --split per-class~5,10 --time 4",
    "solve @digits.npz --split per-class~5,10 --time inf --class-prior labelled",
    "sweep @digits.npz --split per-class~5,10 --time 0.1:100:log12",
    "train @digits.npz --split per-class~5,10 --seed 3 --set epochs=4 -o @digits.hf",
    "predict @digits.hf --top 3 -o @predictions.csv",
    "label @digits.hf --set 17=3 --suggest 5 -o @told.hf",
    "explain @told.hf 18",
    "evaluate @told.hf",
    "search @digits.npz --split per-class~5,10 --trials 3 --seeds 0-1 --set epochs=3 -o @digits.preset",
    "compare @digits.npz --models heat-front,label-propagation --choose presets --split per-class~5,10 "
    "--runs 2 -o @compared",
};

Json without_times(const Json& object) {
  if (!object.is_structured()) return object;
  Json kept = object.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : object.items()) {
    if (object.is_array()) {
      kept.push_back(without_times(value));
    } else if (key.find("seconds") == std::string::npos) {
      kept[key] = without_times(value);
    }
  }
  return kept;
}

std::vector<SignaturePart> signed_commands(const Console& console) {
  const Workplace workplace;
  std::vector<SignaturePart> parts;
  for (std::string_view command : kSignedCommands) {
    const Json said = without_times(workplace.say(command, console));
    parts.push_back({as_typed(command), Fingerprint().add(said.dump()).hex()});
  }
  return parts;
}

void show_signature(Console& console) {
  std::vector<SignaturePart> parts = signature(console.threads(), console.progress());
  std::ranges::move(signed_commands(console), std::back_inserter(parts));
  Json list = Json::object();
  std::string text;
  for (const SignaturePart& part : parts) {
    list[part.name] = part.hash;
    text += fmt::format("{}  {}\n", part.hash, part.name);
  }
  const std::string whole = whole_signature(parts);
  console.result({{"signature", whole}, {"parts", list}}, fmt::format("{}{}  all of it", text, whole));
}

struct Race {
  std::string_view name, command;
  std::array<std::string_view, 2> seconds;  // where they stand in what the command says
};

constexpr std::array kRaces = {
    Race{"flow",
         "solve blocks:size=30000,inside=4e-4,across=5e-5 --split percent~1,1 --time 5",
         {"whole_seconds"}},
    Race{"steady state",
         "solve blocks:size=30000,inside=4e-4,across=5e-5 --split percent~1,1 --time inf",
         {"whole_seconds"}},
    Race{"neighbours", "graph digits -k 10", {"seconds"}},
    Race{"training", "train karate --set epochs=200 -o @karate.hf", {"seconds", "train"}},
};
constexpr int kRounds = 5;

void show_times(Console& console) {
  const Workplace workplace;
  Json list = Json::array();
  TextRows rows = {{"what", "command", "ms, the least of 5"}};
  for (const Race& race : kRaces) {
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      Json said = workplace.say(race.command, console);
      for (std::string_view key : race.seconds) {
        if (!key.empty()) said = Json(said.at(key));
      }
      least = std::min(least, said.get<double>());
    }
    list.push_back({{"what", race.name}, {"command", as_typed(race.command)}, {"seconds", least}});
    rows.push_back({std::string(race.name), as_typed(race.command), fmt::format("{:.2f}", 1000 * least)});
  }
  console.result({{"threads", console.threads().count()}, {"races", list}},
                 fmt::format("{}\n{}", text_table(rows), counted(console.threads().count(), "thread")));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto wants_signature = std::make_shared<bool>(false);
  flags.flag(
      "--signature", *wants_signature,
      "What all solvers, models and commands compute for small fixed problems, as hashes: the same for any "
      "number of threads, and unless behaviour changes");
  return [wants_signature, &console] {
    console.thread_count = console.threads().count();
    *wants_signature ? show_signature(console) : show_times(console);
  };
}

}  // namespace bench_command

const Command kBenchCommand{"bench",
                            "Measures how fast this machine is, or prints hashes of what is computed",
                            "heatfront bench --signature", bench_command::define};

}  // namespace heatfront::cli
