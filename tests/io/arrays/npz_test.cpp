// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npz.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/error_text.h"
#include "support/npz_file.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::error_text;
using test::file_text;
using test::files_in;
using test::npy;
using test::TemporaryFolder;
using test::write_zip;

std::string small_zip(const TemporaryFolder& folder) {
  return file_text(write_zip(folder / "small.npz", {{"a.npy", npy<std::int32_t>({1, 2, 3})}}));
}

// What reading array 'a' of a file with these bytes says, without the folder.
std::string read_error(const TemporaryFolder& folder, std::string_view bytes) {
  remove(folder / "bad.npz");  // some file systems are slow to overwrite
  const auto path = folder.write("bad.npz", bytes);
  const std::string text = error_text([&] { NpzReader(path).read("a"); });
  return text.starts_with(folder.path().string()) ? text.substr(folder.path().string().size() + 1) : text;
}

// Sets bytes of the entry's record in the directory at the end of the zip.
std::string with_record(std::string zip, std::size_t offset, std::string_view bytes) {
  const std::size_t record = zip.find("PK\x01\x02");
  EXPECT_NE(record, std::string::npos);
  return zip.replace(record + offset, bytes.size(), bytes);
}

TEST(Npz, ComesBackAsWritten) {
  const TemporaryFolder folder;
  const std::vector<float> lent = {1, 2, 3, 4, 5, 6};
  Matrix padded(2, 2, 3);
  padded(0, 1) = 7;
  padded(1, 0) = 8;
  for (Packing packing : {Packing::deflated, Packing::stored}) {
    NpzWriter writer(folder / "a.npz", packing);
    writer.add("floats", lent, {2, 3});
    writer.add("doubles", std::vector<double>{0.1});
    writer.add("bytes", std::vector<std::uint8_t>{0, 255});
    writer.add("empty", std::vector<std::int64_t>{});
    writer.add("texts", std::vector<std::string>{"one", "", "zw\u00f6lf"});
    writer.add_reals("matrix", padded);
    writer.commit();

    const NpzReader reader(folder / "a.npz");
    EXPECT_EQ(reader.names(),
              (std::vector<std::string>{"floats", "doubles", "bytes", "empty", "texts", "matrix"}));
    EXPECT_TRUE(reader.has("texts"));
    EXPECT_FALSE(reader.has("text"));
    EXPECT_EQ(reader.header("floats").shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(to_matrix(reader.read("floats"))(1, 2), 6);
    EXPECT_EQ(to_doubles(reader.read("doubles")), std::vector<double>{0.1});
    EXPECT_EQ(to_int32(reader.read("bytes")), (std::vector<std::int32_t>{0, 255}));
    EXPECT_EQ(reader.read("empty").count(), 0);
    EXPECT_EQ(to_strings(reader.read("texts")), (std::vector<std::string>{"one", "", "zw\u00f6lf"}));
    EXPECT_EQ(reader.header("matrix").type.descr, "<f4");
    EXPECT_EQ(to_reals(reader.read("matrix")), (std::vector<Real>{0, 7, 8, 0}));
  }
}

TEST(Npz, ReadsLargeArraysThatGrowWhileUnpacked) {
  const TemporaryFolder folder;
  const std::vector<std::int64_t> zeros(200'000);
  NpzWriter writer(folder / "a.npz");
  writer.add("a", zeros);
  writer.commit();
  EXPECT_LT(file_size(folder / "a.npz"), 20'000u);
  EXPECT_EQ(to_int64(NpzReader(folder / "a.npz").read("a")), zeros);
}

TEST(NpzWriter, WritesTheSameBytesAtAnyTimeAndPlace) {
  const TemporaryFolder folder;
  const auto written = [&](const char* zone) {
    setenv("TZ", zone, 1);
    NpzWriter writer(folder / "a.npz");
    writer.add("a", std::vector<float>{1, 2, 3});
    writer.commit();
    unsetenv("TZ");
    return file_text(folder / "a.npz");
  };
  EXPECT_EQ(written("UTC"), written("Asia/Tokyo"));
  // Midnight of 1 January 1980 in the directory's record.
  EXPECT_EQ(written("UTC").substr(written("UTC").find("PK\x01\x02") + 12, 4), std::string("\0\0\x21\0", 4));
}

TEST(NpzWriter, LeavesNothingBehindUnlessCommitted) {
  const TemporaryFolder folder;
  {
    NpzWriter writer(folder / "a.npz");
    writer.add("a", std::vector<float>{1});
  }
  EXPECT_EQ(files_in(folder.path()), 0u);
  NpzWriter writer(folder / "a.npz");
  writer.add("a", std::vector<float>{1});
  writer.commit();
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_NE(error_text([&] { NpzWriter(folder / "no/a.npz"); }), "");
}

TEST(NpzWriter, RefusesTextThatIsNotUtf8) {
  const TemporaryFolder folder;
  NpzWriter writer(folder / "a.npz");
  const std::string text = error_text([&] { writer.add("names", std::vector<std::string>{"a", "\xE9"}); });
  EXPECT_NE(text.find("a.npz: cannot be written: entry 1 of 'names' is not UTF-8 text"), std::string::npos)
      << text;
}

TEST(NpzReader, TellsWhatIsNoNpzFile) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_error(folder, "garbage"),
            "bad.npz: not an npz file (a zip of arrays, as numpy.savez writes it)");
  EXPECT_EQ(read_error(folder, ""), "bad.npz: the file is empty");
  EXPECT_NE(error_text([&] { NpzReader reader(folder.path()); }), "");
  EXPECT_NE(error_text([&] { NpzReader reader(folder / "none.npz"); }), "");
  const auto other = write_zip(folder / "other.npz", {{"readme.txt", "hello"}});
  EXPECT_NE(error_text([&] { NpzReader reader(other); }).find("a zip file without arrays"),
            std::string::npos);
  const auto b_only = write_zip(folder / "b.npz", {{"b.npy", npy<float>({1})}});
  EXPECT_NE(error_text([&] { NpzReader(b_only).read("a"); }).find("there is no array 'a'; choose from: b"),
            std::string::npos);
  EXPECT_NE(error_text([] { NpzReader reader("/dev/zero"); }), "");
  const auto text = write_zip(folder / "text.npz", {{"a.npy", "hello"}});
  EXPECT_NE(error_text([&] { NpzReader(text).read("a"); }).find("not an npy array"), std::string::npos);
}

TEST(NpzReader, TellsOfEveryDamage) {
  const TemporaryFolder folder;
  const std::string whole = small_zip(folder);
  EXPECT_EQ(read_error(folder, whole), "");
  EXPECT_EQ(read_error(folder, whole.substr(0, whole.size() - 30)),
            "bad.npz: the zip file is cut off or damaged; fetch or copy the file again");
  std::string flipped = whole;
  flipped[flipped.find("PK\x01\x02") - 1] ^= 1;  // the last byte of the array
  EXPECT_EQ(read_error(folder, flipped),
            "bad.npz: array 'a' is damaged: its checksum is wrong; fetch or copy the file again");
  EXPECT_EQ(read_error(folder, with_record(whole, 8, "\x01")),
            "bad.npz: array 'a' is encrypted; save it without a password");
  EXPECT_EQ(read_error(folder, with_record(whole, 10, "\x0C")),
            "bad.npz: array 'a' is packed by method 12; stored and deflated arrays are read");
}

TEST(NpzReader, BelievesNoSizeThatTheBytesDoNotBear) {
  const TemporaryFolder folder;
  const std::string whole = small_zip(folder);
  const std::string_view huge("\0\0\0\x70", 4);
  EXPECT_EQ(read_error(folder, with_record(whole, 24, huge)).substr(0, 23), "bad.npz: array 'a': 140");
  EXPECT_NE(read_error(folder, with_record(whole, 20, huge)).find("is cut off"), std::string::npos);
  const auto path =
      write_zip(folder / "huge.npz", {{"a.npy", npy("<f4", {1LL << 40}, "abcd")}}, ZIP_CM_DEFLATE);
  EXPECT_NE(error_text([&] { NpzReader(path).read("a"); }).find("does not fit its 4 bytes"),
            std::string::npos);
}

// Every cut and every flipped byte is an error or leaves the values whole; nothing else may happen.
TEST(NpzReader, SurvivesEveryCutAndEveryFlippedByte) {
  const TemporaryFolder folder;
  const std::string whole = small_zip(folder);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_NE(read_error(folder, whole.substr(0, i)), "") << i;
    std::string flipped = whole;
    flipped[i] = static_cast<char>(~flipped[i]);
    remove(folder / "flipped.npz");
    const auto path = folder.write("flipped.npz", flipped);
    error_text([&] {
      const NpzReader reader(path);
      if (reader.has("a")) {
        EXPECT_EQ(to_int32(reader.read("a")), (std::vector<std::int32_t>{1, 2, 3})) << i;
      }
    });
  }
}

TEST(Npz, ArraysThatDoNotFitIntoMemoryAreNotUnpacked) {
  const TemporaryFolder folder;
  const auto path =
      write_zip(folder / "bomb.npz",
                {{"a.npy", npy(std::vector<double>(100'000))}, {"b.npy", npy<std::int32_t>({1, 2, 3})}},
                ZIP_CM_DEFLATE);
  const NpzReader npz(path, 500'000);
  EXPECT_EQ(
      error_text([&] { npz.read("a"); }),
      path.string() + ": array 'a': unpacks to 800128 bytes, more than 500000, half of the memory there is");
  EXPECT_EQ(npz.read("b").count(), 3);
}

}  // namespace
}  // namespace heatfront
