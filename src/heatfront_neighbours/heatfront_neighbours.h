// SPDX-License-Identifier: MIT
// Points → a graph of nearest neighbours. All of it, a header per line.
#pragma once

#include "heatfront_neighbours/join_points.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"
