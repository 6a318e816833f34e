// SPDX-License-Identifier: MIT
// Arguments that several commands share, each defined once.
#pragma once

#include <cstdint>
#include <string>

#include "cli/console.h"
#include "cli/flags.h"
#include "heatfront/data/dataset.h"

namespace heatfront::cli {

// DATA: a name or a path.
struct DataArgument {
  std::string data;
  bool refuse_one_way = false;

  void add_to(Flags& flags, const std::string& name = "DATA");
  Dataset read(Console& console) const;
  Dataset open(Console& console) const;  // and says how it was read
};

// --split and --seed.
struct SplitArgument {
  std::string split;
  std::uint32_t seed = 0;

  void add_to(Flags& flags, const std::string& seed_of = "Seed of a random split");
  Split choose(const Dataset& dataset) const;
};

Json split_json(const Split& split);
std::string split_text(const Split& split);

// ": validation labels included" and the like: such scores are not comparable to others.
std::string included_text(const Judged& judged);

// Says which classes the split leaves without a label that trains.
void tell_untrained(const Dataset& dataset, const Split& split, const Console& console);

// As a shell takes it: in quotes where there are blanks.
std::string shell_word(const std::string& text);

}  // namespace heatfront::cli
