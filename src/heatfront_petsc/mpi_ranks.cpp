// SPDX-License-Identifier: MIT
#include "heatfront_petsc/mpi_ranks.h"

#include <mpi.h>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

int number_of(int (*ask)(MPI_Comm, int*)) {
  int number = 0;
  ask(MPI_COMM_WORLD, &number);
  return number;
}

}  // namespace

MpiRanks::MpiRanks() : Ranks(number_of(MPI_Comm_rank), number_of(MPI_Comm_size)) {}

int MpiRanks::on_this_machine() const {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &machine);
  int count = 1;
  MPI_Comm_size(machine, &count);
  MPI_Comm_free(&machine);
  return count;
}

void MpiRanks::gather(std::span<const double> own, std::span<double> all) const {
  const int count = static_cast<int>(own.size());
  if (MPI_Allgather(own.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, MPI_COMM_WORLD) !=
      MPI_SUCCESS)
    fail("MPI: numbers of the ranks cannot be gathered");
}

}  // namespace heatfront
