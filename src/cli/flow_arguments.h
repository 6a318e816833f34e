// SPDX-License-Identifier: MIT
// What `solve` and `sweep` have in common: the data, which labels are known, and how heat flows.
#pragma once

#include <filesystem>
#include <string>

#include "cli/arguments.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/flow/flow_memory.h"

namespace heatfront::cli {

struct FlowArguments {
  DataArgument data;
  SplitArgument split;
  std::string known;  // empty: train where there is a split, else all
  std::string laplacian = "symmetric";
  std::string reorder = "none";
  bool no_self_loops = false;
  double self_loop = 1;
  bool free = false;
  double label_scale = 1;
  std::filesystem::path front;
  FlowOptions options;
  std::int64_t memory_megabytes = 0;

  void add_to(Flags& flags, const std::string& what_memory_does);
};

// The flags, turned into a problem that owns what it needs.
struct FlowProblem {
  Dataset dataset;
  Split split;
  KnownLabels known;
  std::string
      known_name;  // "train", "train+validation", "all" or the file: part of the protocol of every number
  Judged judged;   // the split without the nodes whose label is given away as known
  Matrix front;
  FlowOptions options;
  double label_scale = 1;
  bool free = false;

  FlowProblem(const FlowArguments& arguments, Console& console);
  DirichletProblem problem() const;

  // Says what memory the flow will take where that is much; refuses what cannot fit, with the --memory that would and what
  // that does.
  void check_memory(const MemoryEstimate& estimate, std::string_view what_less_does,
                    const Console& console) const;
};

// Test scores with validation labels among the known ones are not comparable to those without.
std::string protocol_text(const FlowProblem& flow);

}  // namespace heatfront::cli
