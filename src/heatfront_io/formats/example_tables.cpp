// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/example_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "heatfront/base/find_named.h"
#include "heatfront/base/random.h"
#include "heatfront/base/text.h"
#include "heatfront/data/table_schema.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront {
namespace {

using Files = std::vector<ExampleFile>;

// Random numbers one after the other.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  double uniform() { return random_.uniform(next_++); }
  double normal() { return random_.part(1).normal(next_++); }
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(n), next_++));
  }
  bool chance(double share) { return uniform() < share; }
  template <std::size_t n>
  std::string pick(const std::array<std::string_view, n>& words) {
    return std::string(words[static_cast<std::size_t>(below(static_cast<std::int64_t>(n)))]);
  }
  std::string whole(std::int64_t from, std::int64_t count) { return std::to_string(from + below(count)); }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

// Cells are made in the order in which they stand: what is drawn for them must not depend on the compiler.
std::string row_of(std::initializer_list<std::string> cells, std::string_view delimiter = ",") {
  return join(cells, delimiter) + "\n";
}

std::string or_gap(bool gap, std::string_view written, const auto& otherwise) {
  return gap ? std::string(written) : otherwise();
}

// Groups of nodes, and edges most of which stay within a group.
struct Community {
  std::vector<std::int64_t> group;
  std::vector<std::pair<std::int64_t, std::int64_t>> edges;
};

Community make_community(std::int64_t nodes, std::span<const double> shares, double edges_per_node,
                         double within, Dice& dice) {
  Community made;
  for (std::int64_t u = 0; u < nodes; ++u) {
    double left = dice.uniform();
    std::int64_t group = 0;
    while (group + 1 < std::ssize(shares) && left >= shares[static_cast<std::size_t>(group)])
      left -= shares[static_cast<std::size_t>(group++)];
    made.group.push_back(group);
  }
  const auto edges = static_cast<std::int64_t>(edges_per_node * static_cast<double>(nodes));
  for (std::int64_t tries = 0; std::ssize(made.edges) < edges && tries < 1000 * edges; ++tries) {
    const std::int64_t u = dice.below(nodes), v = dice.below(nodes);
    const bool same = made.group[static_cast<std::size_t>(u)] == made.group[static_cast<std::size_t>(v)];
    if (u != v && dice.chance(same ? within : 1 - within)) made.edges.emplace_back(u, v);
  }
  return made;
}

std::string date_with_dots(std::int64_t day) {
  const std::string iso = date_text(day);
  return fmt::format("{}.{}.{}", std::stoi(iso.substr(8, 2)), std::stoi(iso.substr(5, 2)), iso.substr(0, 4));
}

// 1234.5 → "1.234,50".
std::string with_comma(double value) {
  std::string text = fmt::format("{:.2f}", value);
  std::ranges::replace(text, '.', ',');
  if (const std::size_t comma = text.find(','); comma > 3 && text[0] != '-') text.insert(comma - 3, ".");
  return text;
}

constexpr std::int64_t kDay = 19723;  // 2024-01-01

constexpr std::array<std::string_view, 6> kCountries = {"DE", "FR", "PL", "NL", "ES", "IT"};

// Fraud is rare, opens late, moves more and knows its own.
Files fraud(std::uint64_t seed) {
  constexpr std::array kShares = {0.88, 0.12};
  Dice dice(seed);
  const Community made = make_community(400, kShares, 3, 0.93, dice);
  std::string accounts = "account_id;country;type;opened;monthly turnover;e-mail confirmed;owner\n";
  std::string links = "from_account;to_account;amount;date\n", reviewed = "account_id;label;reviewed on\n";
  const auto name = [](std::int64_t u) { return fmt::format("A{:05}", 10007 * (u + 1) % 100000); };
  for (std::int64_t u = 0; u < std::ssize(made.group); ++u) {
    const bool bad = made.group[static_cast<std::size_t>(u)] == 1;
    const std::string row =
        row_of({name(u), dice.chance(0.03) ? "MT" : dice.pick(kCountries),
                dice.chance(bad ? 0.7 : 0.3) ? "business" : "private",
                or_gap(dice.chance(0.08), "",
                       [&] { return date_with_dots(kDay - (bad ? 60 : 700) + dice.below(bad ? 90 : 700)); }),
                or_gap(dice.chance(0.1), "n/a",
                       [&] { return with_comma(std::exp((bad ? 8 : 7) + 0.7 * dice.normal())); }),
                or_gap(dice.chance(0.05), "",
                       [&] { return std::string(dice.chance(bad ? 0.4 : 0.9) ? "yes" : "no"); }),
                fmt::format("owner {}", u)},
               ";");
    accounts += row;
    if (u % 97 == 5) accounts += row;  // exported twice
    if (dice.chance(0.25))
      reviewed += row_of({name(u), bad ? "fraud" : "ok", date_with_dots(kDay + dice.below(30))}, ";");
  }
  for (const auto& [u, v] : made.edges)
    links += row_of(
        {name(u), name(v), with_comma(std::exp(4 + dice.normal())), date_with_dots(kDay + dice.below(60))},
        ";");
  links += fmt::format("A99999;{};12,00;1.2.2024\n", name(3));  // closed: no row among the accounts
  return {{"accounts.csv", std::move(accounts)},
          {"links.csv", std::move(links)},
          {"reviewed.csv", std::move(reviewed)}};
}

// A document may have two topics: its own and that of what it cites most.
Files papers(std::uint64_t seed) {
  constexpr std::array kShares = {0.3, 0.25, 0.25, 0.2};
  constexpr std::array<std::string_view, 4> kTopics = {"biology", "law", "networks", "statistics"};
  constexpr std::array<std::string_view, 4> kLanguages = {"en", "en", "de", "fr"};
  Dice dice(seed);
  const Community made = make_community(300, kShares, 3, 0.9, dice);
  std::string features = "id,year,language,pages,figures\n", edges = "source,target\n", labels = "id,label\n";
  for (std::int64_t u = 0; u < std::ssize(made.group); ++u) {
    const std::int64_t topic = made.group[static_cast<std::size_t>(u)];
    features += row_of({fmt::format("doc{}", u), dice.whole(2000, 25), dice.pick(kLanguages),
                        or_gap(dice.chance(0.1), "", [&] { return dice.whole(4 + 6 * topic, 8); }),
                        or_gap(dice.chance(0.1), "NA", [&] { return dice.whole(0, 3 + 3 * (3 - topic)); })});
    if (!dice.chance(0.3)) continue;
    const std::int64_t second = (topic + 1) % 4;
    labels += fmt::format("doc{},{}{}\n", u, kTopics[static_cast<std::size_t>(topic)],
                          u % 3 == 0 ? "|" + std::string(kTopics[static_cast<std::size_t>(second)]) : "");
  }
  for (const auto& [u, v] : made.edges) edges += fmt::format("doc{},doc{}\n", u, v);
  return {{"edges.csv", std::move(edges)},
          {"features.csv", std::move(features)},
          {"labels.csv", std::move(labels)}};
}

// A price is what the house is worth, and what its neighbourhood is.
Files houses(std::uint64_t seed) {
  constexpr std::int64_t kSide = 16;
  constexpr std::array<std::string_view, 3> kHeating = {"gas", "heat pump", "district"};
  Dice dice(seed);
  std::string features = "house;rooms;built;heating;living area\n", edges = "source;target\n",
              labels = "node;price\n";
  for (std::int64_t u = 0; u < kSide * kSide; ++u) {
    const std::int64_t x = u % kSide, y = u / kSide;
    const double area = 60 + 120 * dice.uniform();
    const double place =
        2500 + 900 * std::sin(static_cast<double>(x) / 4) + 600 * std::cos(static_cast<double>(y) / 5);
    features += row_of(
        {fmt::format("H{}", u), std::to_string(2 + static_cast<std::int64_t>(area / 30)),
         or_gap(dice.chance(0.1), "unknown", [&] { return date_with_dots(kDay - 365 * dice.below(60)); }),
         dice.pick(kHeating), or_gap(dice.chance(0.07), "", [&] { return with_comma(area); })},
        ";");
    if (x + 1 < kSide) edges += fmt::format("H{};H{}\n", u, u + 1);
    if (y + 1 < kSide) edges += fmt::format("H{};H{}\n", u, u + kSide);
    if (dice.chance(0.3)) labels += fmt::format("H{};{:.0f}\n", u, area * place / 10 + 5000 * dice.normal());
  }
  return {{"edges.csv", std::move(edges)},
          {"features.csv", std::move(features)},
          {"labels.csv", std::move(labels)}};
}

// Those who are there now, and those who come next week with whom they know.
Files members(std::uint64_t seed) {
  constexpr std::array kShares = {0.4, 0.35, 0.25};
  constexpr std::array<std::string_view, 3> kSports = {"chess", "rowing", "tennis"};
  constexpr std::array<std::string_view, 4> kTowns = {"Ulm", "Bonn", "Kiel", "Jena"};
  constexpr std::int64_t kNow = 240;
  Dice dice(seed);
  const Community made = make_community(280, kShares, 4, 0.92, dice);
  std::string rows[2], edges[2], labels = "node,label\n";
  for (int part : {0, 1}) {
    rows[part] = "node,town,joined,evenings,years\n";
    edges[part] = "source,target\n";
  }
  for (std::int64_t u = 0; u < std::ssize(made.group); ++u) {
    const std::int64_t sport = made.group[static_cast<std::size_t>(u)];
    rows[u < kNow ? 0 : 1] += row_of(
        {fmt::format("m{}", u), dice.pick(kTowns), date_text(kDay - dice.below(900)),
         or_gap(
             dice.chance(0.1), "",
             [&] { return fmt::format("{:.1f}", static_cast<double>(1 + 2 * sport) + 0.8 * dice.normal()); }),
         dice.whole(0, 20)});
    if (u < kNow && dice.chance(0.25))
      labels += fmt::format("m{},{}\n", u, kSports[static_cast<std::size_t>(sport)]);
  }
  for (const auto& [u, v] : made.edges)
    edges[std::max(u, v) < kNow ? 0 : 1] += fmt::format("m{},m{}\n", u, v);
  return {{"now/edges.csv", std::move(edges[0])},
          {"now/features.csv", std::move(rows[0])},
          {"now/labels.csv", std::move(labels)},
          {"next_week/edges.csv", std::move(edges[1])},
          {"next_week/features.csv", std::move(rows[1])}};
}

// Few go bankrupt; the list is to have those first that may.
Files suppliers(std::uint64_t seed) {
  constexpr std::array kShares = {0.93, 0.07};
  constexpr std::array<std::string_view, 5> kTrades = {"metal", "wood", "textile", "food", "transport"};
  Dice dice(seed);
  const Community made = make_community(500, kShares, 3, 0.95, dice);
  std::string features = "company,trade,founded,staff,days late\n", edges = "buyer,seller,weight\n",
              labels = "company,label\n";
  for (std::int64_t u = 0; u < std::ssize(made.group); ++u) {
    const bool bad = made.group[static_cast<std::size_t>(u)] == 1;
    features += row_of({std::to_string(u), dice.pick(kTrades), date_text(kDay - 30 * dice.below(500)),
                        or_gap(dice.chance(0.1), "", [&] { return dice.whole(3, 200); }),
                        or_gap(dice.chance(0.1), "NA", [&] {
                          return fmt::format("{:.0f}", (bad ? 25 : 8) + 7 * std::abs(dice.normal()));
                        })});
    if (dice.chance(0.3)) labels += fmt::format("{},{}\n", u, bad ? "bankrupt" : "sound");
  }
  for (const auto& [u, v] : made.edges) edges += fmt::format("{},{},{}\n", u, v, 1 + dice.below(9));
  return {{"edges.csv", std::move(edges)},
          {"features.csv", std::move(features)},
          {"labels.csv", std::move(labels)}};
}

// Three answers of each kind to begin with; answers.csv has what a person would say to all.
Files letters(std::uint64_t seed) {
  constexpr std::array kShares = {0.4, 0.35, 0.25};
  constexpr std::array<std::string_view, 3> kLetters = {"complaint", "order", "question"};
  constexpr std::array<std::string_view, 3> kWays = {"mail", "form", "chat"};
  Dice dice(seed);
  const Community made = make_community(200, kShares, 4, 0.9, dice);
  std::string features = "node,came by,words,question marks\n", edges = "source,target\n",
              labels = "node,label\n", answers = "node,answer\n";
  std::array<std::int64_t, 3> given = {};
  for (std::int64_t u = 0; u < std::ssize(made.group); ++u) {
    const auto kind = static_cast<std::size_t>(made.group[static_cast<std::size_t>(u)]);
    features +=
        row_of({fmt::format("letter {}", u), dice.pick(kWays),
                or_gap(dice.chance(0.1), "",
                       [&] { return dice.whole(30 + 40 * (2 - static_cast<std::int64_t>(kind)), 60); }),
                kind == 2 ? dice.whole(1, 3) : dice.whole(0, 2)});
    if (given[kind]++ < 3) labels += fmt::format("letter {},{}\n", u, kLetters[kind]);
    answers += fmt::format("letter {},{}\n", u, kLetters[kind]);
  }
  for (const auto& [u, v] : made.edges) edges += fmt::format("letter {},letter {}\n", u, v);
  return {{"edges.csv", std::move(edges)},
          {"features.csv", std::move(features)},
          {"labels.csv", std::move(labels)},
          {"answers.csv", std::move(answers)}};
}

}  // namespace

std::span<const ExampleTables> example_tables() {
  static constexpr std::array<ExampleTables, 6> kTable = {{
      {"fraud", "accounts, payments and reviewed cases, with categories, dates, gaps and decimal commas",
       fraud},
      {"papers", "documents that cite each other, some with several topics", papers, LabelKind::many},
      {"houses", "houses beside each other, with prices instead of classes", houses, LabelKind::values},
      {"members", "members of a club, and those who come next week, in a second folder", members,
       LabelKind::classes, "now"},
      {"suppliers", "companies that buy from each other, a few of which go bankrupt: whom to look at first",
       suppliers},
      {"letters", "letters with nine labels, and the answers to all of them: a round of labelling", letters},
  }};
  return kTable;
}

const ExampleTables& find_example(std::string_view name) {
  return find_named(example_tables(), name, "example");
}

std::vector<std::string> write_example(std::string_view name, std::uint64_t seed,
                                       const std::filesystem::path& folder) {
  const ExampleTables& example = find_example(name);
  OutputFolder output(folder);
  std::vector<std::string> names;
  for (const ExampleFile& file : example.make(seed)) {
    make_folder((output.temporary() / file.name).parent_path());
    write_file(output.temporary() / file.name, file.text);
    names.push_back(file.name);
  }
  output.commit();
  return names;
}

}  // namespace heatfront
