// SPDX-License-Identifier: MIT
// The best answer that can be given without being asked for a model: each candidate is judged by labels that it was not told, and trained on
// all of them. How good it is of one label is 1 if it is right, and the logarithm of the share that it gives the label's class once its confidence is
// fitted. The linear front answers unless another is right of more labels and better, the flow by one standard deviation or the network by three: it has no seed and no epochs, takes labels up exactly and
// names its reasons. With one label per class there is nothing to judge by, and the flow answers where it reaches most nodes.
#pragma once

#include <string>
#include <vector>

#include "heatfront/evaluate/metrics.h"
#include "heatfront/train/fit.h"

namespace heatfront {

inline constexpr std::string_view kAuto = "auto";

struct AutoOptions {
  bool quick = false;  // without the network, which takes most of the time
  std::uint64_t seed = 0;
};

struct Candidate {
  std::string model;
  double accuracy = 0;  // of labels left out; NaN where there was no such label
  double macro_f1 = 0;  // likewise
  ShareInterval interval;
  std::int64_t labels = 0;  // judged by
  double seconds = 0;
};

struct AutoFit {
  Fit fit;                            // of the one chosen, on all labels
  std::vector<Candidate> candidates;  // in the order in which they were tried
  std::size_t chosen = 0;
  double most_frequent = 0;  // accuracy of always naming the class that most labels have
  ClassId most_frequent_class = 0;
  ClassReport by_class;  // of the one chosen, by labels left out
};

// Of the training labels of the data set's split.
AutoFit fit_auto(const Dataset& dataset, const AutoOptions& options, Threads& threads,
                 const ProgressCallback& progress = {});

// All labelled nodes train.
Split all_labels(const Dataset& dataset);

}  // namespace heatfront
