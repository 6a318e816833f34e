// SPDX-License-Identifier: MIT
// An evaluation as one page that needs nothing else: figures with what they mean, the confusion matrix, the
// reliability of the confidence, the sets, and all that by degree and by distance to the nearest label.
#pragma once

#include <string>

#include "heatfront/evaluate/evaluation.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

// `about`: which model this is, a line.
std::string html_of(const Evaluation& evaluation, const TrainedModel& model, const std::string& about);

}  // namespace heatfront
