// SPDX-License-Identifier: MIT
// The answer as it comes about: classes and confidences at evenly spaced times from 0 to that of the model, in one flow, and how right
// they are at each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/label/session.h"

namespace heatfront::explore {

inline constexpr std::size_t kFilmStates = 41;

struct FilmState {
  double time = 0;
  double score =
      0;  // accuracy of nodes that are judged by; where there are none, the share that agrees with the last state
  Decisions decisions;
};

struct Film {
  bool of_labels_alone = false;  // the answer is no flow: this is the heat of its known labels without it
  bool judged = false;           // scores are accuracies
  std::vector<FilmState> states;
};

Film film_of(Session& session);

}  // namespace heatfront::explore
