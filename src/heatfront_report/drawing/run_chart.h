// SPDX-License-Identifier: MIT
// The curve of a run: accuracies over the epochs of its training, or over t.
#pragma once

#include <string>

#include "heatfront_experiment/reproduce/table_record.h"
#include "heatfront_report/drawing/chart.h"

namespace heatfront {

Chart chart_of(const TableRun& run, const std::string& title);

}  // namespace heatfront
