// SPDX-License-Identifier: MIT
// OpenBLAS asks for 128 MB of addresses a thread, and where the system refuses them it asks again for ever. So under
// a limit (ulimit -v) they are asked for here first.
#pragma once

namespace heatfront::cli {

// As many of the threads wanted as there is room for; all where there is no limit. Throws std::bad_alloc where there is
// no room for one.
int threads_with_room(int wanted);

}  // namespace heatfront::cli
