// SPDX-License-Identifier: MIT
// The processes that mpiexec has started.
#pragma once

#include "heatfront/base/ranks.h"

namespace heatfront {

class MpiRanks final : public Ranks {
 public:
  MpiRanks();  // MPI is there already

  int on_this_machine() const;  // how many of them share its cores; collective

 private:
  void gather(std::span<const double> own, std::span<double> all) const override;
};

}  // namespace heatfront
