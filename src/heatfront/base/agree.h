// SPDX-License-Identifier: MIT
// Work that can fail on one rank alone, as reading its own files can: where it does, all ranks fail, with one message. Without
// that the others would wait for it forever. The work itself makes no collective call.
#pragma once

#include <new>
#include <string>

#include "heatfront/base/error.h"
#include "heatfront/base/ranks.h"

namespace heatfront {

// Thrown on all ranks alike.
class AgreedError : public Error {
 public:
  using Error::Error;
};

// Collective: AgreedError with the first problem in the order of the ranks, unless all of them are empty.
void agree(const Ranks& ranks, const std::string& problem);

template <class Work>
void agreed(const Ranks& ranks, const Work& work) {
  if (ranks.count() == 1) return work();
  std::string problem;
  try {
    work();
  } catch (const std::bad_alloc&) {
    problem = "not enough memory on rank " + std::to_string(ranks.rank());
  } catch (const std::exception& error) {
    problem = error.what();
  }
  agree(ranks, problem);
}

}  // namespace heatfront
