// SPDX-License-Identifier: MIT
#include "cli/arguments.h"

#include <fmt/core.h>

#include "heatfront/base/text.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::cli {

void DataArgument::add_to(Flags& flags, const std::string& name) {
  flags.argument(
      name, data,
      "A file or folder (npz, CSV, Matrix Market, Planetoid, OGB, MUSAE, IDX), the name of a data set "
      "(see `heatfront datasets`), or edges=FILE,features=FILE,labels=FILE");
  flags.flag("--refuse-one-way", refuse_one_way,
             "Refuse edges given in one direction only, instead of adding the other");
}

Dataset DataArgument::read(Console& console) const {
  return open_dataset(data, {.refuse_one_way = refuse_one_way}, console.threads());
}

Dataset DataArgument::open(Console& console) const {
  Dataset dataset = read(console);
  console.remark(dataset.notes);
  if (dataset.classes() == 1)
    console.remark({fmt::format("all labels are of one class, {}: there is nothing to tell apart",
                                dataset.class_names[0])});
  return dataset;
}

void SplitArgument::add_to(Flags& flags, const std::string& seed_of) {
  flags.option(
      "--split", split,
      "'file' (came with the data), 'percent A,B', 'per-class A,B', 'folds K', or an npz written by "
      "`heatfront split`; "
      "without it: the data's own, else 'percent 40,40' (`solve` then holds every label fixed instead)",
      "SPLIT");
  flags.option("--seed", seed, seed_of, "N");
}

Split SplitArgument::choose(const Dataset& dataset) const { return choose_split(dataset, split, seed); }

void tell_untrained(const Dataset& dataset, const Split& split, const Console& console) {
  std::vector<std::string> names;
  for (ClassId c : untrained_classes(dataset, split)) names.push_back(dataset.class_names[at(c)]);
  if (!names.empty() && !split.train.empty())
    console.remark(
        {fmt::format("no label of {} is among those that train ({}), so no node can get {}; --split "
                     "\"per-class 1,1\" trains on one of each class, and `heatfront solve` holds all labels",
                     join(names, ", "), split.name, names.size() == 1 ? "it" : "them")});
}

std::string shell_word(const std::string& text) {
  return text.find(' ') == text.npos ? text : "\"" + text + "\"";
}

Json split_json(const Split& split) {
  return {{"name", split.name},
          {"train", split.train.size()},
          {"validation", split.validation.size()},
          {"test", split.test.size()},
          {"hash", split.hash()}};
}

std::string split_text(const Split& split) {
  return fmt::format("{}: {} train, {} validation, {} test (hash {})", printable(split.name),
                     grouped(std::ssize(split.train)), grouped(std::ssize(split.validation)),
                     grouped(std::ssize(split.test)), split.hash());
}

std::string included_text(const Judged& judged) {
  std::string text = judged.validation_included ? ": validation labels included" : "";
  if (judged.test_included) text += text.empty() ? ": test labels included" : ", test labels included";
  return text;
}

}  // namespace heatfront::cli
