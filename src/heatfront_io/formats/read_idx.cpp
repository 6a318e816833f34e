// SPDX-License-Identifier: MIT
// IDX files, as MNIST and its relatives have them. All numbers have their high byte first:
//
//   0, 0, type, d   type 08 u8, 09 i8, 0b i16, 0c i32, 0d f32, 0e f64; d dimensions
//   d sizes         of 4 bytes each
//   the numbers     row by row
//
// Images have two dimensions or more, the first counts them; labels have one. A folder has
// train-images-idx3-ubyte and train-labels-idx1-ubyte, and the same with t10k in place of train.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/npy.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/readers.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostIdxClasses = 1 << 16;
constexpr std::int64_t kImagesAtOnce = 1024;  // that a thread takes at once

struct IdxType {
  char code;
  std::string_view descr;
};
constexpr IdxType kIdxTypes[] = {{0x08, "|u1"}, {0x09, "|i1"}, {0x0b, ">i2"},
                                 {0x0c, ">i4"}, {0x0d, ">f4"}, {0x0e, ">f8"}};

NpyArray read_idx_array(const fs::path& path) {
  std::string bytes = read_data(path);
  const auto type = std::ranges::find(kIdxTypes, bytes.size() < 4 ? '\0' : bytes[2], &IdxType::code);
  if (type == std::end(kIdxTypes) || bytes[0] != 0 || bytes[1] != 0) {
    fail("{}: not an IDX file; one begins with the bytes 0, 0, type (08 to 0e), number of dimensions",
         path.string());
  }
  const auto dimensions = static_cast<std::uint8_t>(bytes[3]);
  NpyHeader header{.type = npy_type(type->descr), .length = 4 + 4 * std::size_t{dimensions}};
  if (dimensions == 0 || bytes.size() < header.length) {
    fail("{}: {} dimensions in {} bytes; there must be one or more, each with a size of 4 bytes",
         path.string(), dimensions, bytes.size());
  }
  for (std::size_t k = 4; k < header.length; k += 4) {
    std::int64_t size = 0;
    for (const char byte : bytes.substr(k, 4)) size = size << 8 | static_cast<std::uint8_t>(byte);
    header.shape.push_back(size);
  }
  header.count = npy_count(header.type, header.shape);
  const std::size_t payload = bytes.size() - header.length;
  if (header.count <= 0 || at(header.count * header.type.size) != payload) {
    fail("{}: {} numbers of {} bytes are declared, but {} bytes follow the header; fetch or copy it again",
         path.string(), join(header.shape, " × "), header.type.size, payload);
  }
  return {std::move(header), std::move(bytes), path.string()};
}

std::int64_t numbers_each(const NpyArray& images) { return images.count() / images.shape()[0]; }

std::string file_name(const NpyArray& array) { return fs::path(array.where()).filename().string(); }

// FOLDER/STEMimages… and FOLDER/STEMlabels…: each may be called -idx or .idx, and be packed. Empty where
// there is none.
fs::path find_part(const fs::path& folder, const std::string& stem, const char* part, int dimensions) {
  for (const char separator : {'-', '.'}) {
    const std::string name = fmt::format("{}{}{}idx{}-ubyte", stem, part, separator, dimensions);
    if (fs::path found = plain_or_gz(folder / name); !found.empty()) return found;
  }
  return {};
}

struct Part {
  fs::path images;
  fs::path labels;  // empty: unknown
};

std::vector<Part> parts_of_folder(const fs::path& folder) {
  std::vector<Part> parts;
  for (const char* stem : {"train-", "t10k-"}) {
    if (const fs::path images = find_part(folder, stem, "images", 3); !images.empty()) {
      parts.push_back({images, find_part(folder, stem, "labels", 1)});
    }
  }
  return parts;
}

// "t10k-images" of "t10k-images-idx3-ubyte.gz"; nothing where the name has no "idx".
std::optional<std::string> idx_stem(const fs::path& file) {
  const std::string name = file.filename().string();
  const std::size_t end = std::min(name.rfind("-idx"), name.rfind(".idx"));
  if (end == std::string::npos || end == 0) return {};
  return name.substr(0, end);
}

Part part_of_file(const fs::path& file, std::string stem) {
  constexpr std::string_view kImages = "images";
  if (!stem.ends_with(kImages)) return {file, {}};
  stem.resize(stem.size() - kImages.size());
  return {file, find_part(file.parent_path(), stem, "labels", 1)};
}

void read_labels(const NpyArray& images, const fs::path& path, std::vector<ClassId>& labels) {
  if (path.empty()) {
    labels.insert(labels.end(), at(images.shape()[0]), kUnknown);
    return;
  }
  const NpyArray array = read_idx_array(path);
  const bool whole = array.type().kind != NpyType::Kind::real;
  if (array.dimensions() != 1 || !whole) {
    fail("{}: labels are whole numbers in one dimension; here are {} dimensions of {} numbers", path.string(),
         array.dimensions(), whole ? "whole" : "floating");
  }
  if (array.count() != images.shape()[0]) {
    fail("{}: {} labels, but {} has {} images", path.string(), array.count(), file_name(images),
         images.shape()[0]);
  }
  const std::vector<std::int64_t> numbers = to_int64(array);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < kUnknown || numbers[i] >= kMostIdxClasses) {
      fail("{}: label {} is {}; classes are 0 to {}, -1 is unknown", path.string(), i, numbers[i],
           kMostIdxClasses - 1);
    }
    labels.push_back(static_cast<ClassId>(numbers[i]));
  }
}

Matrix read_images(const std::vector<NpyArray>& files, Threads& threads) {
  std::int64_t rows = 0;
  for (const NpyArray& file : files) {
    rows += file.shape()[0];
    if (numbers_each(file) == numbers_each(files[0])) continue;
    fail("{}: {} numbers per image, but {} has {}", file.where(), numbers_each(file), file_name(files[0]),
         numbers_each(files[0]));
  }
  if (rows > kMostNodes)
    fail("{}: {} images are too many; there may be {}", files[0].where(), rows, kMostNodes);
  Matrix matrix(rows, numbers_each(files[0]));
  std::int64_t first = 0;
  for (const NpyArray& file : files) {
    threads.for_blocks(file.shape()[0], kImagesAtOnce, [&](std::int64_t begin, std::int64_t end) {
      copy_reals(file, begin * matrix.cols(),
                 std::span<Real>(&matrix(first + begin, 0), at((end - begin) * matrix.cols())));
    });
    first += file.shape()[0];
  }
  return matrix;
}

Dataset read_parts(const std::vector<Part>& parts, const std::string& where, Threads& threads) {
  Dataset dataset;
  std::vector<NpyArray> images;
  for (const Part& part : parts) {
    images.push_back(read_idx_array(part.images));
    if (images.back().dimensions() < 2) {
      fail("{}: one dimension, as labels have; images have two or more", part.images.string());
    }
    read_labels(images.back(), part.labels, dataset.labels);
    if (part.labels.empty()) {
      dataset.notes.push_back(fmt::format("{} has no labels beside it: their classes are unknown",
                                          part.images.filename().string()));
    }
  }
  dataset.features = Features(read_images(images, threads));
  dataset.graph = Graph::without_edges(static_cast<NodeId>(dataset.features.rows()));
  dataset.class_names = numbered_names(std::ranges::max(dataset.labels) + 1);
  check(dataset, where);
  return dataset;
}

}  // namespace

bool is_idx(const fs::path& path) {
  std::error_code ignored;
  if (is_folder(path)) return !parts_of_folder(path).empty();
  return fs::exists(path, ignored) && idx_stem(path);
}

Dataset read_idx(const fs::path& path, const ReadOptions&, Threads& threads) {
  const bool folder = is_folder(path);
  const std::vector<Part> parts =
      folder ? parts_of_folder(path) : std::vector{part_of_file(path, idx_stem(path).value_or(""))};
  if (parts.empty()) fail("{}: no images here; they are called train-images-idx3-ubyte", path.string());
  Dataset dataset = read_parts(parts, path.string(), threads);
  dataset.name = folder ? stem_of(path) : idx_stem(path).value_or(path.filename().string());
  return dataset;
}

}  // namespace heatfront
