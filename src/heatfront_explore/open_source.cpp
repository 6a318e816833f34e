// SPDX-License-Identifier: MIT
#include "heatfront_explore/open_source.h"

#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_explore/cold_start.h"
#include "heatfront_explore/export_files.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_report/output_files.h"

namespace heatfront::explore {
namespace {

void refuse_targets(const std::filesystem::path& path) {
  if (is_target_model(path))
    fail("{}: a model of values or several labels per node; the explorer is for one class per node",
         path.string());
}

}  // namespace

Opened open_source(const Source& source, Threads& threads) {
  refuse_targets(source.name);
  Opened opened;
  if (is_model(source.name)) {
    if (!source.classes.empty()) fail("--class is for data; the page adds classes to a model");
    opened.model = open_model(source.name, threads);
    opened.file = source.output.empty() ? std::filesystem::path(source.name) : source.output;
  } else {
    ColdStart cold = cold_start(open_dataset(source.name, {}, threads), source.classes, threads);
    opened.model = std::move(cold.model);
    opened.notes = std::move(cold.notes);
    opened.notes.push_back("nothing is trained yet: heat flows from the known labels alone");
    opened.file = source.output;
    if (opened.file.empty()) {
      opened.file = file_stem(opened.model.data.name) + ".hf";
      if (std::filesystem::exists(opened.file))
        fail("{} is there already; explore that, or name another file by -o", opened.file.string());
    }
  }
  if (!source.beside.empty()) {
    refuse_targets(source.beside);
    opened.beside = beside_of(open_model(source.beside, threads), source.beside.filename().string(),
                              opened.model.data, threads);
  }
  check_outputs({{opened.file, kModelFile}});
  return opened;
}

}  // namespace heatfront::explore
