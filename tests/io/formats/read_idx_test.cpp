// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using Reals = std::vector<Real>;
using ClassIds = std::vector<ClassId>;

const std::string kTwoImages = "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x01\x01\x02\x03\xff"s;  // 2 × 2 × 1
const std::string kOneImage = "\0\0\x08\x03\0\0\0\x01\0\0\0\x02\0\0\0\x01\x05\x06"s;
const std::string kTwoLabels = "\0\0\x08\x01\0\0\0\x02\x03\x01"s;
const std::string kOneLabel = "\0\0\x08\x01\0\0\0\x01\x04"s;

Dataset idx_in(const fs::path& path) {
  Threads threads(2);
  return read_idx(path, {}, threads);
}

std::string idx_error(const fs::path& path) {
  return test::error_text([&] { idx_in(path); });
}

Reals row(const Dataset& data, std::int64_t i) {
  const auto values = data.features.dense()->row(i);
  return {values.begin(), values.end()};
}

TEST(Idx, JoinsTrainAndTestImagesOfAFolder) {
  const test::TemporaryFolder folder;
  folder.write("digits/t10k-images-idx3-ubyte", kOneImage);
  folder.write("digits/t10k-labels-idx1-ubyte", kOneLabel);
  folder.write("digits/train-images.idx3-ubyte", kTwoImages);
  folder.write("digits/train-labels-idx1-ubyte", kTwoLabels);
  ASSERT_TRUE(is_idx(folder / "digits"));
  const Dataset data = idx_in(folder / "digits/");
  EXPECT_EQ(data.name, "digits");
  EXPECT_EQ(data.graph, Graph::without_edges(3));
  EXPECT_EQ(data.features.cols(), 2);
  EXPECT_EQ(row(data, 0), (Reals{1, 2}));
  EXPECT_EQ(row(data, 1), (Reals{3, 255}));
  EXPECT_EQ(row(data, 2), (Reals{5, 6}));
  EXPECT_EQ(data.labels, (ClassIds{3, 1, 4}));
  EXPECT_EQ(data.classes(), 5);
  EXPECT_FALSE(data.split);
}

TEST(Idx, ReadsOneFileWithTheLabelsBesideIt) {
  const test::TemporaryFolder folder;
  const fs::path images = folder.write("some-images-idx3-ubyte", kTwoImages);
  ASSERT_TRUE(is_idx(images));
  EXPECT_EQ(idx_in(images).labels, (ClassIds{kUnknown, kUnknown}));
  EXPECT_EQ(idx_in(images).classes(), 0);
  EXPECT_EQ(
      idx_in(images).notes,
      std::vector<std::string>{"some-images-idx3-ubyte has no labels beside it: their classes are unknown"});
  folder.write("some-labels.idx1-ubyte.gz", kTwoLabels);
  EXPECT_EQ(idx_in(images).labels, (ClassIds{3, 1}));
  EXPECT_EQ(idx_in(images).name, "some-images");
  EXPECT_TRUE(idx_in(images).notes.empty());
}

TEST(Idx, ReadsEveryTypeOfNumber) {
  const test::TemporaryFolder folder;
  const std::string shape = "\x02\0\0\0\x01\0\0\0\x01"s;
  const auto value = [&](const std::string& type, const std::string& number) {
    return row(idx_in(folder.write("a.idx", "\0\0"s + type + shape + number)), 0);
  };
  EXPECT_EQ(value("\x08", "\xfe"), Reals{254});
  EXPECT_EQ(value("\x09", "\xfe"), Reals{-2});
  EXPECT_EQ(value("\x0b", "\x01\x02"), Reals{258});
  EXPECT_EQ(value("\x0c", "\xff\xff\xff\xfe"), Reals{-2});
  EXPECT_EQ(value("\x0d", "\x3f\xc0\0\0"s), Reals{1.5});
  EXPECT_EQ(value("\x0e", "\x3f\xf8\0\0\0\0\0\0"s), Reals{1.5});
}

TEST(Idx, LeavesOtherPathsAlone) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(is_idx(folder.path()));
  EXPECT_FALSE(is_idx(folder.write("edges.csv", "0,1\n")));
  EXPECT_FALSE(is_idx(folder / "absent-images-idx3-ubyte"));
  EXPECT_EQ(idx_error(folder.path()),
            folder.path().string() + ": no images here; they are called train-images-idx3-ubyte");
}

TEST(Idx, SaysWhatIsWrongWithAFile) {
  const test::TemporaryFolder folder;
  const auto error = [&](const std::string& bytes) {
    const fs::path file = folder.write("a-images-idx3-ubyte", bytes);
    std::string text = idx_error(file);
    EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
    return text.substr(std::min(text.size(), file.string().size() + 2));
  };
  EXPECT_EQ(error("image"),
            "not an IDX file; one begins with the bytes 0, 0, type (08 to 0e), number of dimensions");
  EXPECT_NE(error("\0\0"s), "");
  EXPECT_NE(error("\0\0\x0a\x01"s), "");
  EXPECT_EQ(error("\0\0\x08\x03\0\0\0\x01"s),
            "3 dimensions in 8 bytes; there must be one or more, each with a size of 4 bytes");
  EXPECT_EQ(
      error(kTwoImages.substr(0, kTwoImages.size() - 1)),
      "2 × 2 × 1 numbers of 1 bytes are declared, but 3 bytes follow the header; fetch or copy it again");
  EXPECT_NE(error(kTwoImages + "more"), "");
  EXPECT_NE(error("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                  "1234"s),
            "");
  EXPECT_NE(error("\0\0\x08\x02\xff\xff\xff\xff\0\0\0\0"s), "");
  EXPECT_EQ(error(kTwoLabels), "one dimension, as labels have; images have two or more");
}

TEST(Idx, SaysWhatIsWrongWithLabels) {
  const test::TemporaryFolder folder;
  const fs::path images = folder.write("a-images-idx3-ubyte", kTwoImages);
  const auto error = [&](const std::string& bytes) {
    const std::string place = folder.write("a-labels-idx1-ubyte", bytes).string() + ": ";
    std::string text = idx_error(images);
    EXPECT_TRUE(text.starts_with(place)) << text;
    return text.substr(std::min(text.size(), place.size()));
  };
  EXPECT_EQ(error(kOneLabel), "1 labels, but a-images-idx3-ubyte has 2 images");
  EXPECT_EQ(error(kTwoImages),
            "labels are whole numbers in one dimension; here are 3 dimensions of whole numbers");
  EXPECT_EQ(error("\0\0\x0c\x01\0\0\0\x02\0\0\0\x01\x7f\0\0\0"s),
            "label 1 is 2130706432; classes are 0 to 65535, -1 is unknown");
}

TEST(Idx, RefusesImagesOfDifferentSizes) {
  const test::TemporaryFolder folder;
  folder.write("train-images-idx3-ubyte", kTwoImages);
  folder.write("t10k-images-idx3-ubyte", "\0\0\x08\x03\0\0\0\x01\0\0\0\x01\0\0\0\x01\x05"s);
  EXPECT_EQ(idx_error(folder.path()), (folder / "t10k-images-idx3-ubyte").string() +
                                          ": 1 numbers per image, but train-images-idx3-ubyte has 2");
}

TEST(Idx, ReadsThePublicTestImages) {
  const fs::path file = test::public_data("mnist/t10k-images-idx3-ubyte.gz");
  if (file.empty()) GTEST_SKIP() << "SKIPPED: needs mnist/ of the public data";
  const Dataset data = idx_in(file);
  EXPECT_EQ(data.nodes(), 10000);
  EXPECT_EQ(data.features.cols(), 784);
  EXPECT_EQ(data.classes(), 10);
  EXPECT_EQ(ClassIds(data.labels.begin(), data.labels.begin() + 5), (ClassIds{7, 2, 1, 0, 4}));
  EXPECT_EQ(std::ranges::max(data.features.dense()->row(0)), Real(255));
}

}  // namespace
}  // namespace heatfront
