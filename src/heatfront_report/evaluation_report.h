// SPDX-License-Identifier: MIT
// An evaluation as JSON, as text, as a table of sets, and as one page that needs nothing else: figures with what they mean,
// the confusion matrix, the reliability of the confidence, the sets, and all that by degree and by distance to the nearest label.
#pragma once

#include <string>
#include <vector>

#include "heatfront/evaluate/evaluation.h"
#include "heatfront/label/session.h"
#include "heatfront_io/tables/write_predictions.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Evaluation& evaluation, const Session& session);
std::string text_of(const Evaluation& evaluation, const Session& session);
std::string html_of(const Evaluation& evaluation, const Session& session);

// Each node's class with its confidence at the fitted softening, then the others of its set.
std::vector<Prediction> predictions_of(const Evaluation& evaluation, const Answer& answer);

}  // namespace heatfront
