// SPDX-License-Identifier: MIT
// What labels cost the linear front: all of them at once, the first one that comes later, and the ones after that.
#pragma once

#include <string>

namespace heatfront::micro {

void print_labels(const std::string& circumstances);

}  // namespace heatfront::micro
