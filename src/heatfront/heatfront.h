// SPDX-License-Identifier: MIT
// The public API, a line a header.
#pragma once

#include "heatfront/base/error.h"
#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/random.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/data/choose_split.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/open.h"
#include "heatfront/data/split.h"
#include "heatfront/data/writers.h"
#include "heatfront/graph/build.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/generate.h"
#include "heatfront/graph/graph.h"
#include "heatfront/graph/kernel.h"
#include "heatfront/graph/knn.h"
