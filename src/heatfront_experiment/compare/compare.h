// SPDX-License-Identifier: MIT
// Several models on the same data, each trained on the same splits: how good each is, and which differences are more
// than chance. Runs go side by side, each on one thread; what the record has is not run again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront_experiment/compare/paired.h"
#include "heatfront_experiment/reproduce/table_record.h"

namespace heatfront {

// How the settings of each model are chosen: by folds of the training labels of each run (train/choose_settings.h), or as its preset for
// the data has them, its defaults where there is none, and validation nodes choose the epoch.
enum class Choosing { folds, presets };

struct CompareOptions {
  // Each a model's name, or auto, and, after it, what is set whatever else is chosen: "cgnn mixing=true", and
  // "preset=FILE" for a preset of its own.
  std::vector<std::string> models;
  std::string split;  // as choose_split() takes it
  std::int64_t runs = 10;
  std::uint32_t seed = 0;        // of the first run; the next has the next one
  std::filesystem::path record;  // empty: none is kept
  Choosing choose = Choosing::folds;
};

struct ComparedModel {
  std::string name;            // as in the options
  std::vector<TableRun> runs;  // by seed
  Spread test, validation, seconds;
  std::vector<ClassScore> classes;  // of the test nodes of all runs together
};

struct ComparedPair {
  std::size_t better = 0, other = 0;  // of the models; the first has at least the mean of the second
  PairedDifference difference;        // of their test accuracies
  std::int64_t runs_needed =
      0;                  // to tell, were difference and deviation to stay; 0: more than anyone would make
  bool repeated = false;  // every run came to the same difference: nothing is known of chance

  bool tells() const { return !repeated && difference.tells(); }
};

// What changes from run to run, beside the seed of the training.
enum class Splits { one, drawn, folds };

struct Comparison {
  static constexpr double kConfidence = 0.95;  // that all intervals together hold

  std::vector<ComparedModel> models;  // the best mean first
  std::vector<ComparedPair> pairs;    // the best with each other one, then the second best, …
  Splits splits = Splits::drawn;
  Choosing choose = Choosing::folds;
  double dependence = 0;         // r of paired.h
  bool uneven = false;           // are the training labels of the first run? (evaluate/confusion.h)
  ClassId most_frequent = 0;     // class of these
  double always = 0;             // test accuracy of always naming it, of all runs together
  std::int64_t runs_before = 0;  // that the record had already
  double seconds = 0;            // of this time
};

// Stopped by `progress`, it ends with Interrupted; the record has all runs that ended.
Comparison compare(const Dataset& dataset, const CompareOptions& options, Threads& threads,
                   const ProgressCallback& progress = {});

// What follows, in a sentence or two for someone who knows no statistics.
std::string verdict(const Comparison& comparison);

}  // namespace heatfront
