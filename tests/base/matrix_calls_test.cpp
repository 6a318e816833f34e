// SPDX-License-Identifier: MIT
// Wrong calls of matrices.
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace matrix_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  calls.push_back({"AMatrixOfNegativeRows", [] { Matrix(-1, -1); }});
  calls.push_back({"AMatrixWhoseRowsOverlap", [] { Matrix(4, 4, 2); }});
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Base, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace matrix_calls
}  // namespace heatfront::test
