// SPDX-License-Identifier: MIT
// Sweeps over time, and the search for settings. All of it, a header per line.
#pragma once

#include "heatfront_experiment/search/search.h"
#include "heatfront_experiment/sweep.h"
