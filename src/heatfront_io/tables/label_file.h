// SPDX-License-Identifier: MIT
// Labels of some nodes in a file of their own, by the names of a data set that is open already.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront/flow/volumes.h"
#include "heatfront/models/targets/target_model.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

struct NodeLabel {
  NodeId node;
  ClassId label;
};

struct LabelFile {
  std::vector<NodeLabel> labels;
  std::vector<std::string> notes;  // a sentence each
};

// `node,label` as in labels.csv; node and class by name, where there are none by number. Rows that say
// nothing (an empty label, ? or -1) are left out, which a note says. `advice` ends the message about a class that there is not.
LabelFile read_label_file(const std::filesystem::path& path, const Dataset& dataset,
                          std::string_view advice = {});

// `node,label,from,batch,time`: every label that a model holds, where it came from (data or review), and with which change of the log and when, where
// that is known; the time as 2026-03-01T12:00:00Z.
inline constexpr std::string_view kHeldColumns = ",from,batch,time";
inline constexpr std::string_view kHeldHeader = "node,label,from,batch,time";
void write_held_labels(const TrainedModel& model, const std::filesystem::path& path);
void write_held_labels(const TargetModel& model,
                       const std::filesystem::path& path);  // node,VALUE…,from,batch,time

// `node,model_says,confidence,label`: questions for a person, who fills the last column; read_label_file takes what was filled in.
inline constexpr std::string_view kQuestionHeader = "node,model_says,confidence,label";
struct Question {
  NodeId node;
  ClassId label;  // what the model says
  Real confidence;
};
void write_questions(const Dataset& dataset, std::span<const Question> questions,
                     const std::filesystem::path& path);

bool is_question_table(const std::filesystem::path& path);

// How many answers of such a table are not among the known labels: what would be lost with it.
std::int64_t new_answers(const std::filesystem::path& path, const Dataset& dataset, const KnownLabels& known);

// The nodes of a table, by its column `node`, else by its first: one per line will do. None of them twice.
std::vector<NodeId> read_node_file(const std::filesystem::path& path, const Dataset& dataset);

// How much heat each class is to have, or how many nodes.
struct ClassPrior {
  std::optional<std::vector<double>> shares;
  std::optional<ClassVolumes> volumes;
};

// `class,share`: one number for each class, by name, scaled to sum 1. `class,size` or `class,least,most`, by its header: nodes of each
// class, the known ones counted.
ClassPrior read_prior_file(const std::filesystem::path& path, const Dataset& dataset);

}  // namespace heatfront
