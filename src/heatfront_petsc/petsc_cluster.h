// SPDX-License-Identifier: MIT
// MPI and PETSc from their start to their end, and rows of other ranks by PetscSF. A row is a run of four-byte words, whatever they
// mean, and goes by its number among the rows of its owner: PETSc's double precision and its 32-bit indices are no limit.
#pragma once

#include <memory>
#include <string>

#include "heatfront/graph/halo.h"
#include "heatfront_petsc/mpi_ranks.h"

namespace heatfront {

class PetscCluster final : public Cluster {
 public:
  PetscCluster(int* argc, char*** argv);
  ~PetscCluster() override;

  const MpiRanks& ranks() const override { return *ranks_; }
  std::unique_ptr<Halo> halo(std::int64_t own_rows, std::span<const RemoteRow> ghosts) const override;

  // Waits so long for all ranks to come here; false: some have not.
  bool all_meet(double seconds) const;

  [[noreturn]] void abort() const;  // ends the processes of all ranks

 private:
  struct Meeting;
  std::unique_ptr<MpiRanks> ranks_;
  std::unique_ptr<Meeting> meeting_;
};

}  // namespace heatfront
