// SPDX-License-Identifier: MIT
// Whether shares can be taken at their word: of the nodes with confidence 0.8, are 80 % right?
//
//     ECE   = Σ_b n_b/n |accuracy_b − confidence_b|    b: bins of the confidence, equally wide (Guo et al. 2017)
//     Brier = mean Σ_c (p_c − [c = label])²            0: sure and right, 2: sure and wrong
//
// The ECE of few nodes is above 0 by chance. If every node of a bin were right with the probability that it
// says, then E|accuracy_b − confidence_b| ≈ √(2/π Σ p(1−p)) / n_b: how much of the ECE that explains stands
// beside it.
//
// The remedy is a softening T, p_c ← p_c^{1/T} / Σ p^{1/T}, which is softmax(z/T) where shares are a
// softmax. T is where the labels of other nodes are likeliest: the root of the derivative, which is monotone
// in 1/T.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/evaluate/judged_shares.h"

namespace heatfront {

inline constexpr int kReliabilityBins = 15;

struct ReliabilityBin {
  double low = 0, high = 0;  // confidences above low, up to high
  std::int64_t nodes = 0;
  double confidence = 0, accuracy = 0;  // means; NaN where there are no nodes
};

struct Calibration {
  double confidence = 0;  // mean
  double ece = 0, ece_by_chance = 0;
  double brier = 0;
  std::vector<ReliabilityBin> bins;
};

// All NaN where there are no nodes.
Calibration calibration(const JudgedShares& judged, int bins = kReliabilityBins);

// Between kLeastSoftening and kMostSoftening (flow/decide.h); at an end where nothing bounds it: all nodes right, say. NaN where there are no nodes. One whose label has share 0 has it at every softening, and does not count.
double fitted_softening(const JudgedShares& judged);

// The same to be relied on: 1, as it was, by fewer nodes than these, where they do not bound it, and where the logarithm of their
// likelihood gains no more than 1 by it, which fitting a number to them gains by itself (Akaike).
inline constexpr std::int64_t kLeastToSoften = 10;
double usable_softening(const JudgedShares& judged);

}  // namespace heatfront
