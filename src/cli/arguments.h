// SPDX-License-Identifier: MIT
// Arguments that several commands share, each defined once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/console.h"
#include "heatfront/base/error.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/label/growth.h"
#include "heatfront/label/session.h"
#include "heatfront/label/target_flow.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/partitions/partition_index.h"

namespace heatfront::cli {

// DATA: a name or a path.
struct DataArgument {
  std::string data;
  ReadOptions options;                                        // but for what labels are
  bool classes = false, values = false, many_labels = false;  // what they are; none: to be seen from the data

  void add_to(Flags& flags, const std::string& name = "DATA");
  ReadOptions reading(const Console& console) const;
  Dataset read(Console& console) const;
  Dataset open(Console& console) const;  // and says how it was read
  std::string flags_text() const;        // those that were given, as they would be given again
};

// --split and --seed.
struct SplitArgument {
  std::string split;
  std::uint32_t seed = 0;

  // `without`: what becomes of data that has no split.
  void add_to(Flags& flags, const std::string& seed_of = "Seed of a random split",
              const std::string& without = "'percent 40,40'");
  Split choose(const Dataset& dataset) const;
};

// MODEL: a file.
struct ModelArgument {
  std::filesystem::path path;

  void add_to(Flags& flags);
  AnyModel read(Console& console) const;
};

// --data: what a model must have been trained on; under mpiexec, as a graph in parts.
struct ModelDataArgument {
  std::string data;

  void add_to(Flags& flags, const std::string& verb);

  // Error unless it is the model's graph. Under mpiexec each process then has its rows of the session's flow.
  void take(Session& session, Console& console) const;
};

// --add: nodes that come after training.
struct AddArgument {
  std::filesystem::path folder;

  void add_to(Flags& flags, const std::string& what_of_the_model);
  GrownSession grow(Session& session, Console& console) const;
  GrownTargets grow(TargetSession& session, Console& console) const;
};

// Seconds since 1970 by this machine's clock.
std::int64_t now();

// DATA that is a partitioned folder: its index, and what there is to do with it.
struct PartedTask {
  PartitionIndex index;
  FlowTask task;
};

// What `solve` and `sweep` have in common: the data, which labels are known, and how heat flows.
struct FlowArguments {
  DataArgument data;
  SplitArgument split;
  std::string known;      // empty: train where there is a split, else all
  bool judges = false;    // where no split is given, one is made if there are labels enough
  std::string laplacian;  // empty: symmetric, and random-walk where labels are no classes
  std::string reorder = "none";
  bool no_self_loops = false;
  double self_loop = 1;
  bool free = false;
  double label_scale = 1;
  std::filesystem::path front;
  FlowOptions options;
  std::int64_t memory_megabytes = 0;

  void add_to(Flags& flags, const std::string& what_memory_does);
  FlowTask open(Dataset dataset) const;
  PartedTask open_parts(Console& console) const;
  TargetFlowTask open_targets(Dataset dataset) const;

 private:
  FlowTask task_of(Dataset dataset) const;
  FlowOptions flow_options(const std::string& usual_laplacian) const;
  bool has_split(const Dataset& dataset) const;
};

// Which flag says something of which node. WrongUse where two of them speak of the same node.
class ToldNodes {
 public:
  explicit ToldNodes(const Dataset& data) : data_(data) {}
  void add(NodeId u, const std::string& flag);

 private:
  const Dataset& data_;
  std::map<NodeId, std::string> flags_;
};

// The name and what it is of each entry of a table, for the help of a flag: "a: what a is; b: what b is".
template <class Entries>
std::string described(const Entries& entries) {
  std::string text;
  for (const auto& entry : entries)
    text.append(text.empty() ? "" : "; ").append(entry.name).append(": ").append(entry.what);
  return text;
}

// As a shell takes it: in quotes where there are blanks.
std::string shell_word(const std::string& text);

// Does long work whose record on disk lets it go on; interrupted, it says how, if there is a record.
template <class Work>
auto resumable(const std::filesystem::path& record, const Work& work) {
  try {
    return work();
  } catch (const Interrupted&) {
    if (record.empty()) throw;
    fail("interrupted; the same command goes on with what {} has", record.string());
  }
}

}  // namespace heatfront::cli
