// SPDX-License-Identifier: MIT
// Files: data sets and models, in and out. All of it, a header per line.
#pragma once

#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/flow_inputs.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/open_model.h"
#include "heatfront_io/formats/writers.h"
