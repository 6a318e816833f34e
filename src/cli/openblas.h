// SPDX-License-Identifier: MIT
// What OpenBLAS has to be told or asked before it is used. It asks for 128 MB of addresses a thread, and where the system
// refuses them it asks again for ever: so under a limit (ulimit -v) they are asked for here first. It has a table of them
// whose size is compiled in: with more threads it complains on standard error, and with many more it writes beyond. On some
// processors its choice of kernels is a slow one: the program then starts itself again with a better one.
#pragma once

namespace heatfront::cli {

// As many of the threads wanted as OpenBLAS was built for and, under a limit, as there is room for. Throws std::bad_alloc
// where there is no room for one.
int threads_with_room(int wanted);

}  // namespace heatfront::cli
