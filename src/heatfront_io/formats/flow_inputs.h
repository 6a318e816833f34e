// SPDX-License-Identifier: MIT
// What a flow takes by name or from files: known labels, a front, and how much heat each class is to have.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront {

// `which`: a KnownSource by its name, or a CSV file of node,label.
KnownLabels read_known_labels(const std::string& which, const Dataset& dataset, const Split& split);

// The same of labels that are values, or several per node.
Targets read_known_targets(const std::string& which, const Dataset& dataset, const Split& split);

// An npy file with a row per node and a column per class.
Matrix read_front(const std::filesystem::path& path, const Dataset& dataset);

// `which`: "none", "labelled" (the shares of the known labels), or a CSV file of class,share, class,size or class,least,most.
ClassPrior read_class_prior(const std::string& which, const KnownLabels& known, const Dataset& dataset);

}  // namespace heatfront
