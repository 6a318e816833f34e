// SPDX-License-Identifier: MIT
// PETSc's MatMatMult of a sparse matrix with a dense one: prints the least seconds of a product.
// petsc_product MATRIX CLASSES REPEATS; MATRIX: int32 rows, int32 entries, int32 offsets[rows + 1], int32 columns[], double values[]
#include <petscmat.h>
#include <petsctime.h>
#include <stdio.h>
#include <stdlib.h>

static void read_into(void* data, size_t bytes, FILE* file) {
  if (fread(data, 1, bytes, file) != bytes) exit(1);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const int classes = atoi(argv[2]), repeats = atoi(argv[3]);
  FILE* const file = fopen(argv[1], "rb");
  if (file == NULL) return 1;
  PetscInt size[2];
  read_into(size, sizeof size, file);
  PetscInt* const offsets = malloc((size_t)(size[0] + 1) * sizeof(PetscInt));
  PetscInt* const columns = malloc((size_t)size[1] * sizeof(PetscInt));
  double* const values = malloc((size_t)size[1] * sizeof(double));
  read_into(offsets, (size_t)(size[0] + 1) * sizeof(PetscInt), file);
  read_into(columns, (size_t)size[1] * sizeof(PetscInt), file);
  read_into(values, (size_t)size[1] * sizeof(double), file);
  fclose(file);
  PetscInitialize(NULL, NULL, NULL, NULL);
  Mat a, u, product;
  MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, size[0], size[0], offsets, columns, values, &a);
  MatCreateSeqDense(PETSC_COMM_SELF, size[0], classes, NULL, &u);
  MatSetRandom(u, NULL);
  MatMatMult(a, u, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &product);
  double least = 1e9;
  for (int i = 0; i < repeats; ++i) {
    PetscLogDouble begin, end;
    PetscTime(&begin);
    MatMatMult(a, u, MAT_REUSE_MATRIX, PETSC_DEFAULT, &product);
    PetscTime(&end);
    if (end - begin < least) least = end - begin;
  }
  printf("%g\n", least);
  PetscFinalize();
  return 0;
}
