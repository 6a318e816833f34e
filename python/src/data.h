// SPDX-License-Identifier: MIT
// A data set, shared by all who hold it and never changed.
#pragma once

#include <memory>

#include "heatfront/data/dataset.h"

namespace heatfront::python {

struct PythonData {
  std::shared_ptr<const Dataset> data;
};

}  // namespace heatfront::python
