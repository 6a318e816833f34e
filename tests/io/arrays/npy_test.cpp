// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_text.h"
#include "support/npz_file.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::bytes_of;
using test::error_text;
using test::in_fortran_order;
using test::npy;
using Integers = std::vector<std::int32_t>;
using Reals = std::vector<Real>;
using Texts = std::vector<std::string>;

NpyArray parsed(std::string bytes) { return npy_array(std::move(bytes), "a.npy"); }

NpyArray array(std::string_view descr, std::vector<std::int64_t> shape, std::string_view elements) {
  return parsed(npy(descr, shape, elements));
}

std::string header_error(std::string_view dict) {
  std::string bytes = "\x93NUMPY\x01";
  bytes += {'\0', static_cast<char>(dict.size()), '\0'};
  return error_text([&] { parsed(bytes + std::string(dict)); });
}

TEST(Npy, ReadsIntegersOfEveryWidthAndOrder) {
  EXPECT_EQ(to_int32(array("|i1", {2}, "\xFF\x02")), (Integers{-1, 2}));
  EXPECT_EQ(to_int32(array("|u1", {2}, "\xFF\x02")), (Integers{255, 2}));
  EXPECT_EQ(to_int32(array("|b1", {2}, {"\x00\x01", 2})), (Integers{0, 1}));
  EXPECT_EQ(to_int32(array("<i2", {1}, "\xFE\xFF")), Integers{-2});
  EXPECT_EQ(to_int32(array(">i2", {1}, "\x01\x02")), Integers{258});
  EXPECT_EQ(to_int32(array(">u4", {1}, {"\x00\x00\x01\x00", 4})), Integers{256});
  EXPECT_EQ(to_int32(array("<u8", {1}, {"\x05\0\0\0\0\0\0\0", 8})), Integers{5});
  EXPECT_EQ(to_int64(array(">i8", {1}, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFD")), std::vector<std::int64_t>{-3});
  EXPECT_EQ(to_int32(array("<f8", {2}, bytes_of<double>({-7, 3}))), (Integers{-7, 3}));
}

TEST(Npy, RefusesIntegersThatDoNotFit) {
  EXPECT_EQ(error_text([] {
              to_int32(array("<i8", {2}, bytes_of<std::int64_t>({1, 1LL << 31})));
            }),
            "a.npy: entry 1 is 2147483648; it must be a whole number from -2147483648 to 2147483647");
  EXPECT_NE(error_text([] { to_int64(array("<u8", {1}, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF")); }), "");
  for (double value : {0.5, 1e300, -1e300, 9223372036854775808.0, std::nan(""), -HUGE_VAL}) {
    EXPECT_NE(error_text([&] { to_int64(array("<f8", {1}, bytes_of<double>({value}))); }), "") << value;
  }
}

TEST(Npy, ReadsFloatsOfEveryWidthAndOrder) {
  EXPECT_EQ(to_reals(array("<f4", {1}, bytes_of<float>({1.5f}))), Reals{1.5});
  EXPECT_EQ(to_reals(array(">f4", {1}, {"\x3F\xC0\x00\x00", 4})), Reals{1.5});
  EXPECT_EQ(to_reals(array("<f8", {1}, bytes_of<double>({-0.25}))), Reals{-0.25});
  EXPECT_EQ(to_reals(array("<i8", {1}, bytes_of<std::int64_t>({3}))), Reals{3});
  // Halves: 1.5, −2, the largest, the smallest.
  const auto halves = to_reals(array("<f2", {6}, {"\x00\x3E\x00\xC0\xFF\x7B\x01\x00\x00\xFC\x01\x7C", 12}));
  EXPECT_EQ(Reals(halves.begin(), halves.begin() + 4), (Reals{1.5, -2, 65504, Real(std::ldexp(1.0, -24))}));
  EXPECT_EQ(halves[4], -std::numeric_limits<Real>::infinity());
  EXPECT_TRUE(std::isnan(halves[5]));
}

TEST(Npy, ReadsMatricesInEitherOrder) {
  const std::string rows_first = npy<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const std::string columns_first = in_fortran_order(npy<float>({1, 4, 2, 5, 3, 6}, {2, 3}));
  for (const std::string& bytes : {rows_first, columns_first}) {
    const Matrix matrix = to_matrix(parsed(bytes));
    ASSERT_EQ(matrix.rows(), 2);
    ASSERT_EQ(matrix.cols(), 3);
    EXPECT_EQ(matrix(0, 2), 3);
    EXPECT_EQ(matrix(1, 0), 4);
    EXPECT_EQ(to_int32(parsed(bytes)), (Integers{1, 2, 3, 4, 5, 6}));
  }
  EXPECT_EQ(error_text([] { to_matrix(array("<f4", {1}, "abcd")); }),
            "a.npy has shape (1); a matrix of two dimensions is needed");
}

TEST(Npy, ReadsTextOfEveryKindAsUtf8) {
  EXPECT_EQ(to_strings(array("<U2", {2}, bytes_of<char32_t>({U'a', U'\u00e9', U'b', 0}))),
            (Texts{"a\u00e9", "b"}));
  EXPECT_EQ(to_strings(array(">U1", {1}, {"\x00\x00\x20\xAC", 4})), Texts{"\u20ac"});
  EXPECT_EQ(to_strings(array("|S3", {2}, {"abc\xC3\xA9\x00", 6})), (Texts{"abc", "\u00e9"}));
  EXPECT_NE(error_text([] { to_strings(array("|S1", {1}, "\xE9")); }), "");
  EXPECT_NE(error_text([] { to_strings(array("<U1", {1}, "\xFF\xFF\xFF\xFF")); }), "");
  EXPECT_EQ(error_text([] { to_strings(array("<i4", {1}, "abcd")); }), "a.npy holds numbers; text is needed");
  EXPECT_EQ(error_text([] { to_int32(array("|S1", {1}, "1")); }), "a.npy holds text; numbers are needed");
}

TEST(Npy, ReadsSingleValuesAndNone) {
  EXPECT_EQ(to_int32(array("<i4", {}, bytes_of<std::int32_t>({7}))), Integers{7});
  EXPECT_EQ(to_strings(array("|S3", {}, "csr")), Texts{"csr"});
  EXPECT_TRUE(to_reals(array("<f4", {0}, "")).empty());
  EXPECT_EQ(to_matrix(array("<f4", {3, 0}, "")).rows(), 3);
}

TEST(Npy, ReadsHeadersOfVersionsTwoAndThreeAndOfPython2) {
  const std::string dict = "{\"shape\": (1L,), 'fortran_order': False, 'descr': '<i4'}\n";
  for (char version : {'\x02', '\x03'}) {
    std::string bytes = "\x93NUMPY";
    bytes += {version, '\0', static_cast<char>(dict.size()), '\0', '\0', '\0'};
    EXPECT_EQ(to_int32(parsed(bytes + dict + bytes_of<std::int32_t>({9}))), Integers{9});
  }
}

TEST(Npy, RefusesPicklesAndStructures) {
  EXPECT_EQ(error_text([] { parsed(test::pickled_npy()); }),
            "a.npy holds pickled Python objects, which are not read; save it as plain numbers or text");
  EXPECT_EQ(header_error("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (0,)}"),
            "a.npy has elements of type [...], which are not read; save it as integers, floats or text");
  for (const char* descr :
       {"<c8", "<M8[s]", "|V4", "<f16", "<i3", "", "<", "<U-1", "<U99999999999", "<i4x", "f"}) {
    EXPECT_NE(error_text([&] { array(descr, {0}, ""); }), "") << descr;
  }
}

TEST(Npy, RefusesHeadersOfAnotherForm) {
  EXPECT_EQ(header_error("{'descr': '<f4', 'fortran_order': False}"),
            "a.npy: damaged npy header at byte 50: expected 'descr', 'fortran_order' and 'shape'");
  for (const char* dict : {"", "{", "[]", "{'descr'", "{'descr': '<f4", "{'descr': __import__('os')}",
                           "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
                           "{'descr': '<f4', 'fortran_order': 0, 'shape': ()}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (0,), 'more': 1}",
                           "{'descr': '<f4', 'fortran_order': False, 'shape': (0,)} 1"}) {
    EXPECT_NE(header_error(dict).find("damaged npy header"), std::string::npos) << dict;
  }
  EXPECT_NE(error_text([] { parsed(""); }), "");
  EXPECT_NE(error_text([] { parsed("\x93NUMPY\x01"); }), "");
  EXPECT_NE(error_text([] { parsed(std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12)); }), "");
  EXPECT_NE(error_text([] { parsed(std::string("\x93NUMPY\x04\0\x02\0{}", 12)); }), "");
}

TEST(Npy, BelievesNoShapeThatTheBytesDoNotBear) {
  EXPECT_EQ(error_text([] { array("<f4", {1000000000000}, "abcd"); }),
            "a.npy: shape (1000000000000) of type <f4 does not fit its 4 bytes");
  EXPECT_NE(error_text([] { array("<f8", {1LL << 61, 1LL << 61}, ""); }), "");
  EXPECT_NE(error_text([] { array("<f8", {1LL << 61}, ""); }), "");  // 2^64 bytes
  EXPECT_NE(error_text([] { array("<U0", {1LL << 40}, ""); }), "");
  EXPECT_NE(error_text([] { array("<f4", {1}, "abcde"); }), "");
}

TEST(Npy, ReadsALoneFile) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("front.npy", npy<double>({1, 2}, {1, 2}));
  EXPECT_EQ(to_matrix(read_npy(path))(0, 1), 2);
  EXPECT_NE(error_text([&] { read_npy(folder / "no.npy"); }), "");
}

TEST(NpyHeader, IsPaddedSoThatElementsAreAligned) {
  for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {5}, {100000000, 7}}) {
    const std::string header = npy_header("<f4", shape);
    EXPECT_EQ(header.size() % 64, 0u);
    EXPECT_EQ(parse_npy_header(header, "").shape, shape);
  }
}

}  // namespace
}  // namespace heatfront
