// SPDX-License-Identifier: MIT
// Accuracy over confidence, panel beside panel: on the diagonal, confidence can be taken at its word; above
// it a model is too timid, below it too sure. A dot is a bin with its 95 % interval, the bars below count its
// nodes.
#pragma once

#include <span>
#include <string>

#include "heatfront/evaluate/calibration.h"

namespace heatfront {

struct ReliabilityPanel {
  std::string title;
  Calibration calibration;
};

std::string svg_of(std::span<const ReliabilityPanel> panels);

}  // namespace heatfront
