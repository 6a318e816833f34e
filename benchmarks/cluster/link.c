// SPDX-License-Identifier: MIT
// Two processes that send each other messages at the same time, as in a product: prints seconds of one small message (α) and bytes per
// second of large ones, each way (β). mpicc -O2 link.c -o link; mpiexec -n 2 link
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRepeats = 15 };

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median_seconds(char* out, char* in, int bytes) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double seconds[kRepeats];
  for (int i = 0; i < kRepeats; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    MPI_Sendrecv(out, bytes, MPI_CHAR, 1 - rank, 0, in, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    seconds[i] = MPI_Wtime() - begin;
  }
  qsort(seconds, kRepeats, sizeof seconds[0], compare);
  return seconds[kRepeats / 2];
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int small = 32, half = 4 << 20, whole = 12 << 20;
  char* const out = calloc(whole, 1);
  char* const in = calloc(whole, 1);
  const double alpha = median_seconds(out, in, small);
  const double beta = (whole - half) / (median_seconds(out, in, whole) - median_seconds(out, in, half));
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%g %g\n", alpha, beta);
  MPI_Finalize();
  return 0;
}
