// SPDX-License-Identifier: MIT
// Models as JSON and text: those that can be trained, what training one came to, and one in use.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "heatfront/base/progress.h"
#include "heatfront/label/session.h"
#include "heatfront/models/models.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront/train/fit.h"
#include "heatfront/train/retrain.h"
#include "heatfront_report/figures.h"

namespace heatfront {

// All that can be trained.
Json json_of(std::span<const ModelEntry> entries);
std::string text_of(std::span<const ModelEntry> entries);

// One of them, with its settings.
Json json_of(const ModelEntry& entry);
std::string text_of(const ModelEntry& entry);

struct FitReport {
  const Fit& fit;
  double load_seconds = 0;  // of the data
  bool profile = false;     // where the time of an epoch goes
};

Json json_of(const FitReport& report);
std::string text_of(const FitReport& report);
std::string profile_text(const Fit& fit);

// What was tried, what came of it, and which one answers.
Json json_of(const AutoFit& result);
std::string text_of(const AutoFit& result);

// A model trained again: which way, on how many labels, and how good it is.
Json json_of(const TrainedFurther& result);
std::string text_of(const TrainedFurther& result, double seconds);

// How training stands after an epoch.
Progress progress_of(const EpochReport& report, const EpochReport& best);

// An object per epoch.
Json json_of(std::span<const EpochReport> history);

// A CSV file with a row per epoch.
void write_history(std::span<const EpochReport> history, const std::filesystem::path& path);

// Whose numbers these are: data, split, known labels and whether some of them were to judge by.
Json json_of(const Session& session);
std::string text_of(const Session& session);

// The same with what the model answers.
Json json_of(const Session& session, const Answer& answer);
std::string text_of(const Session& session, const Answer& answer);

}  // namespace heatfront
