// SPDX-License-Identifier: MIT
// Why a node has its class, as JSON and as text with a plot.
#pragma once

#include <string>

#include "heatfront/label/explain.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Explanation& explanation, const Session& session);
std::string text_of(const Explanation& explanation, const Session& session);

}  // namespace heatfront
