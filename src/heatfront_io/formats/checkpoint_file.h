// SPDX-License-Identifier: MIT
// Where a training stands, as one npz beside the model that it will be:
//
//     checkpoint_of                           <U, one text: model, settings, seed and data
//     epoch, loss                             after the last step
//     parameters.NAME, best.NAME              <f4 (rows, columns): the layers' weights and biases, and theta by arc of the whole graph
//     memory0.NAME, memory1.NAME              the optimiser's, likewise
//     history_*                               as in a model's file, and history_validation_macro_f1
#pragma once

#include <filesystem>

#include "heatfront/train/trainer.h"

namespace heatfront {

bool is_checkpoint(const std::filesystem::path& path);  // false where it cannot be read

// Whole or not at all, in place of the one before.
void write_checkpoint(const Checkpoint& checkpoint, const std::filesystem::path& path);

// Error that names the file where it is none, or not whole.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace heatfront
