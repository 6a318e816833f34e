// SPDX-License-Identifier: MIT
#include "support/wrong_calls.h"

namespace heatfront::test {

TEST_P(EveryWrongCall, IsAnErrorOfOneLine) {
  try {
    GetParam().call();
    ADD_FAILURE() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
  }
}

}  // namespace heatfront::test
