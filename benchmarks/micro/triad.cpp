// SPDX-License-Identifier: MIT
#include "micro/triad.h"

namespace heatfront::micro {

void Triad::run(Threads& threads) {
  threads.for_blocks(kNumbers, 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    float* a = a_.data();
    const float *b = b_.data(), *c = c_.data();
    for (std::int64_t i = begin; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
  });
}

}  // namespace heatfront::micro
