// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle_matrix.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace heatfront {
namespace {

using Reals = std::vector<Real>;
using Columns = std::vector<std::int32_t>;

// A numpy array as protocol 0 has it; `shape` as "I2\nI3\n", `bytes` escaped.
std::string array(const std::string& type, const std::string& shape, const std::string& bytes,
                  bool by_columns = false) {
  return "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntS'b'\ntR(I1\n(" + shape +
         "tcnumpy\ndtype\n(S'" + type + "'\nI0\nI1\ntR(I3\nS'<'\nNNNI-1\nI-1\nI0\ntb" +
         (by_columns ? "I01\n" : "I00\n") + "S'" + bytes + "'\ntb";
}

std::string csr(const std::string& shape, const std::string& indptr, const std::string& indices,
                const std::string& data) {
  return "ccopy_reg\n_reconstructor\n(cscipy.sparse._csr\ncsr_matrix\nc__builtin__\nobject\nNtR(dS'_shape'"
         "\n(" +
         shape + "tsS'indptr'\n" + indptr + "sS'indices'\n" + indices + "sS'data'\n" + data + "sb.";
}

Reals row(const Matrix& matrix, std::int64_t i) { return {matrix.row(i).begin(), matrix.row(i).end()}; }

std::string sparse_error(const std::string& bytes) {
  return test::error_text([&] { sparse_matrix(Pickle(bytes, "f")); });
}

const std::string kTwoByThree = "I2\nI3\n";

TEST(PickledArrays, AreReadByRowsAndByColumns) {
  const std::string bytes = R"(\x01\x02\x03\x04\x05\x06)";
  const Matrix by_rows = dense_matrix(Pickle(array("u1", kTwoByThree, bytes) + ".", "f"));
  EXPECT_EQ(row(by_rows, 0), (Reals{1, 2, 3}));
  EXPECT_EQ(row(by_rows, 1), (Reals{4, 5, 6}));
  const Matrix by_columns = dense_matrix(Pickle(array("u1", kTwoByThree, bytes, true) + ".", "f"));
  EXPECT_EQ(row(by_columns, 0), (Reals{1, 3, 5}));
  EXPECT_EQ(row(by_columns, 1), (Reals{2, 4, 6}));
}

TEST(PickledArrays, MustHaveTheBytesOfTheirShape) {
  const auto error = [](const std::string& shape, const std::string& bytes) {
    return test::error_text([&] { Pickle(array("u1", shape, bytes) + ".", "f"); });
  };
  EXPECT_NE(error(kTwoByThree, "12345").find("shape (2, 3) of type u1 does not fit its 5 bytes"),
            std::string::npos);
  EXPECT_NE(error("I4611686018427387904\nI8\n", ""), "");
  EXPECT_NE(error("I-2\nI-3\n", "123456"), "");
}

TEST(PickledArrays, HaveTheElementsOfTheirType) {
  const auto error = [](const std::string& type, const std::string& elements) {
    const std::string bytes = array(type, "I1\n", "1");
    return test::error_text([&] { Pickle(bytes.substr(0, bytes.rfind("S'1'")) + elements + "tb.", "f"); });
  };
  EXPECT_NE(
      error("u1", "(l").find("a list in place of the elements of a numpy array; a byte string is needed"),
      std::string::npos);
  EXPECT_NE(error("O8", "S'1'\n").find("a byte string in place of the elements of a numpy array; a list is"),
            std::string::npos);
}

TEST(PickledMatrices, ComeOutCanonical) {
  const SparseMatrix matrix =
      sparse_matrix(Pickle(csr(kTwoByThree, array("u1", "I3\n", R"(\x00\x03\x04)"),
                               array("i2", "I4\n", R"(\x02\x00\x00\x00\x02\x00\x01\x00)"),
                               array("u1", "I4\n", R"(\x05\x06\x07\x00)")),
                           "f"));
  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.cols, 3);
  EXPECT_EQ(matrix.offsets, (std::vector<std::int64_t>{0, 2, 2}));
  EXPECT_EQ(matrix.columns, (Columns{0, 2}));
  EXPECT_EQ(matrix.values, (Reals{6, 12}));
}

TEST(PickledMatrices, MayBeDense) {
  const SparseMatrix matrix =
      sparse_matrix(Pickle(array("u1", kTwoByThree, R"(\x00\x02\x00\x00\x00\x03)") + ".", "f"));
  EXPECT_EQ(matrix.offsets, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(matrix.columns, (Columns{1, 2}));
  EXPECT_EQ(matrix.values, (Reals{2, 3}));
}

TEST(PickledMatrices, SayWhatIsWrongWithThem) {
  const std::string indptr = array("u1", "I3\n", R"(\x00\x01\x02)"), two = array("i1", "I2\n", R"(\x00\x01)");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, indptr, two, two)), "");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, indptr, array("i1", "I2\n", R"(\x00\x03)"), two)),
            "f: indices: entry 1 is 3; it must be from 0 to 2");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, indptr, array("i1", "I2\n", R"(\xff\x00)"), two)),
            "f: indices: entry 0 is -1; it must be from 0 to 2");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, array("u1", "I3\n", R"(\x00\x02\x01)"), two, two)),
            "f: indptr: entry 2 is 1, after 2; entries must not decrease");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, array("u1", "I3\n", R"(\x00\x01\x03)"), two, two)),
            "f: indices has shape (2), but 3 entries are needed: indptr ends with that");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, array("u1", "I3\n", R"(\x01\x01\x02)"), two, two)),
            "f: indptr begins with 1; it must begin with 0");
  EXPECT_EQ(sparse_error(csr("I2000000000\nI3\n", indptr, two, two)),
            "f: indptr has shape (3), but 2000000001 entries are needed: one per row, and one more");
  EXPECT_EQ(sparse_error(csr("I-1\nI3\n", indptr, two, two)),
            "f: _shape: entry 0 is -1; it must be from 0 to 2147483647");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, indptr, two, array("i1", "I1\n", "1"))),
            "f: data has shape (1), but 2 entries are needed: indices has as many");
  EXPECT_EQ(
      sparse_error(csr(kTwoByThree, indptr, array("f4", "I2\n", R"(\x00\x00\x00\x3f\x00\x00\x00\x3f)"), two)),
      "f: indices: entry 0 is 0.5; it must be a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(sparse_error(csr(kTwoByThree, "N", two, two)), "f: indptr holds None; a numpy array is needed");
  EXPECT_EQ(sparse_error(csr("I2\n", indptr, two, two)),
            "f: _shape has shape (1), but 2 entries are needed: rows and columns");
  EXPECT_EQ(sparse_error("]."), "f holds a list; a numpy array is needed");
  EXPECT_EQ(sparse_error(array("u1", "I2\n", "12") + "."),
            "f has shape (2); a matrix of two dimensions is needed");
  EXPECT_EQ(sparse_error(array("u1", "I2000000000\nI0\n", "") + "."),
            "f: the array is empty; rows and columns are needed");
}

}  // namespace
}  // namespace heatfront
