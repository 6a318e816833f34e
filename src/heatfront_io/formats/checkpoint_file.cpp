// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/checkpoint_file.h"

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/model_arrays.h"

namespace heatfront {
namespace {

constexpr std::string_view kOf = "checkpoint_of", kMacroF1History = "history_validation_macro_f1";

std::string memory_name(std::size_t i) { return fmt::format("memory{}.", i); }

void add_block(NpzWriter& npz, std::string_view prefix, std::span<const NamedMatrix> block) {
  for (const NamedMatrix& matrix : block)
    npz.add_reals(std::string(prefix) + matrix.name, matrix.values.view());
}

std::vector<NamedMatrix> take_block(const NpzReader& npz, std::string_view prefix) {
  std::vector<NamedMatrix> block;
  for (const std::string& name : npz.names()) {
    if (name.starts_with(prefix)) block.push_back({name.substr(prefix.size()), to_matrix(npz.read(name))});
  }
  return block;
}

}  // namespace

bool is_checkpoint(const std::filesystem::path& path) {
  try {
    return begins_as_zip(path) && NpzReader(path).has(kOf);
  } catch (const Error&) {
    return false;
  }
}

void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  NpzWriter npz(path, Packing::stored);
  npz.add(kOf, std::vector<std::string>{checkpoint.of});
  npz.add("epoch", std::vector<std::int64_t>{checkpoint.epoch});
  npz.add("loss", std::vector<double>{checkpoint.loss});
  add_block(npz, "parameters.", checkpoint.parameters);
  add_block(npz, "best.", checkpoint.best);
  for (std::size_t i = 0; i < checkpoint.memory.size(); ++i)
    add_block(npz, memory_name(i), checkpoint.memory[i]);
  add_history(npz, checkpoint.history);
  std::vector<double> macro_f1;
  for (const EpochReport& report : checkpoint.history) macro_f1.push_back(report.validation_macro_f1);
  npz.add(kMacroF1History, std::move(macro_f1));
  npz.commit();
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  if (!is_checkpoint(path))
    fail("{}: it is no checkpoint; `heatfront train --checkpoint` writes them", path.string());
  const NpzReader npz(path);
  Checkpoint point{.where = path.string(),
                   .of = take_text(npz, kOf),
                   .epoch = take_number(npz, "epoch"),
                   .loss = 0,
                   .parameters = take_block(npz, "parameters."),
                   .best = take_block(npz, "best."),
                   .memory = {},
                   .history = take_history(npz)};
  const std::vector<double> loss = to_doubles(npz.read("loss")),
                            macro_f1 = to_doubles(npz.read(kMacroF1History));
  if (loss.size() != 1 || macro_f1.size() != point.history.size())
    fail("{}: {} losses and {} values of macro F1; there must be 1, and one for each of {} epochs",
         path.string(), loss.size(), macro_f1.size(), point.history.size());
  point.loss = loss.front();
  for (std::size_t i = 0; i < macro_f1.size(); ++i) point.history[i].validation_macro_f1 = macro_f1[i];
  for (std::size_t i = 0;; ++i) {
    std::vector<NamedMatrix> block = take_block(npz, memory_name(i));
    if (block.empty()) break;
    point.memory.push_back(std::move(block));
  }
  return point;
}

}  // namespace heatfront
