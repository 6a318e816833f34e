// SPDX-License-Identifier: MIT
// Data → a model of which nothing is trained: heat from the labels that are there, if any, so that one can begin to label at once.
#pragma once

#include <string>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/trained_model.h"

namespace heatfront::explore {

// How long heat flows while nothing has been trained that could choose it.
inline constexpr double kColdTime = 20;

struct ColdStart {
  TrainedModel model;
  std::vector<std::string> notes;  // what a user should know, a sentence each
};

// Points are joined to their nearest neighbours. `classes` are added to those of the data; where there is none at all, there are "1"
// and "2". Labels of the training part are held where the data has a split, else all. Error where labels are no classes.
ColdStart cold_start(Dataset dataset, const std::vector<std::string>& classes, Threads& threads);

}  // namespace heatfront::explore
