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
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/files/number_bytes.h"
#include "heatfront_io/formats/readers.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostIdxClasses = 1 << 16;
constexpr std::int64_t kImagesAtOnce = 1024;  // images a thread takes at once

std::optional<NumberType> type_of(char code) {
  switch (code) {
    case 0x08: return NumberType{'u', 1, true};
    case 0x09: return NumberType{'i', 1, true};
    case 0x0b: return NumberType{'i', 2, true};
    case 0x0c: return NumberType{'i', 4, true};
    case 0x0d: return NumberType{'f', 4, true};
    case 0x0e: return NumberType{'f', 8, true};
    default: return {};
  }
}

class IdxFile {
 public:
  explicit IdxFile(fs::path path) : path_(std::move(path)), bytes_(read_data(path_)) {
    const auto type = bytes_.size() < 4 ? std::nullopt : type_of(bytes_[2]);
    if (!type || bytes_[0] != 0 || bytes_[1] != 0) {
      fail("{}: not an IDX file; one begins with the bytes 0, 0, type (08 to 0e), number of dimensions",
           path_.string());
    }
    type_ = *type;
    read_sizes(static_cast<std::uint8_t>(bytes_[3]));
  }

  const fs::path& path() const { return path_; }
  NumberType type() const { return type_; }
  std::size_t dimensions() const { return dimensions_; }
  std::int64_t count() const { return count_; }                // of images, or of labels
  std::int64_t numbers_each() const { return numbers_each_; }  // of an image

  // The numbers of images begin … end−1, or the labels.
  std::string_view numbers(std::int64_t begin, std::int64_t end) const {
    const std::size_t stride = at(numbers_each_) * type_.size;
    return std::string_view(bytes_).substr(header_ + at(begin) * stride, at(end - begin) * stride);
  }

 private:
  void read_sizes(std::size_t dimensions) {
    dimensions_ = dimensions;
    header_ = 4 + 4 * dimensions;
    if (dimensions == 0 || bytes_.size() < header_) {
      fail("{}: {} dimensions in {} bytes; there must be one or more, each with a size of 4 bytes",
           path_.string(), dimensions, bytes_.size());
    }
    std::vector<std::int64_t> sizes(dimensions);
    read_numbers(std::string_view(bytes_).substr(4, 4 * dimensions), NumberType{'u', 4, true},
                 std::span(sizes));
    const auto room = static_cast<std::int64_t>((bytes_.size() - header_) / type_.size);
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) product = size == 0 || product > room / size ? 0 : product * size;
    if (product == 0 || at(product) * type_.size != bytes_.size() - header_) {
      fail("{}: {} numbers of {} bytes are declared, but {} bytes follow the header; fetch or copy it again",
           path_.string(), join(sizes, " × "), type_.size, bytes_.size() - header_);
    }
    count_ = sizes[0];
    numbers_each_ = product / count_;
  }

  fs::path path_;
  std::string bytes_;
  NumberType type_;
  std::size_t header_ = 0;
  std::size_t dimensions_ = 0;
  std::int64_t count_ = 0;
  std::int64_t numbers_each_ = 0;
};

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

void read_labels(const IdxFile& images, const fs::path& path, std::vector<ClassId>& labels) {
  if (path.empty()) {
    labels.insert(labels.end(), at(images.count()), kUnknown);
    return;
  }
  const IdxFile file(path);
  if (file.dimensions() != 1 || !file.type().whole()) {
    fail("{}: labels are whole numbers in one dimension; here are {} dimensions of {} numbers", path.string(),
         file.dimensions(), file.type().whole() ? "whole" : "floating");
  }
  if (file.count() != images.count()) {
    fail("{}: {} labels, but {} has {} images", path.string(), file.count(),
         images.path().filename().string(), images.count());
  }
  std::vector<std::int64_t> numbers(at(file.count()));
  read_numbers(file.numbers(0, file.count()), file.type(), std::span(numbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < kUnknown || numbers[i] >= kMostIdxClasses) {
      fail("{}: label {} is {}; classes are 0 to {}, -1 is unknown", path.string(), i, numbers[i],
           kMostIdxClasses - 1);
    }
    labels.push_back(static_cast<ClassId>(numbers[i]));
  }
}

Matrix read_images(const std::vector<IdxFile>& files, Threads& threads) {
  std::int64_t rows = 0;
  for (const IdxFile& file : files) {
    rows += file.count();
    if (file.numbers_each() == files[0].numbers_each()) continue;
    fail("{}: {} numbers an image, but {} has {}", file.path().string(), file.numbers_each(),
         files[0].path().filename().string(), files[0].numbers_each());
  }
  if (rows > kMostNodes) {
    fail("{}: {} images are too many; there may be {}", files[0].path().string(), rows, kMostNodes);
  }
  Matrix matrix(rows, files[0].numbers_each());
  std::int64_t first = 0;
  for (const IdxFile& file : files) {
    threads.for_blocks(file.count(), kImagesAtOnce, [&](std::int64_t begin, std::int64_t end) {
      const std::span<Real> out(&matrix(first + begin, 0), at((end - begin) * matrix.cols()));
      read_numbers(file.numbers(begin, end), file.type(), out);
    });
    first += file.count();
  }
  return matrix;
}

Dataset read_parts(const std::vector<Part>& parts, const std::string& where, Threads& threads) {
  Dataset dataset;
  std::vector<IdxFile> images;
  for (const Part& part : parts) {
    images.emplace_back(part.images);
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

std::string name_of_folder(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace

bool is_idx(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return !parts_of_folder(path).empty();
  return fs::exists(path, ignored) && idx_stem(path);
}

Dataset read_idx(const fs::path& path, const ReadOptions&, Threads& threads) {
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  const std::vector<Part> parts =
      folder ? parts_of_folder(path) : std::vector{part_of_file(path, idx_stem(path).value_or(""))};
  if (parts.empty()) fail("{}: no images here; they are called train-images-idx3-ubyte", path.string());
  Dataset dataset = read_parts(parts, path.string(), threads);
  dataset.name = folder ? name_of_folder(path) : idx_stem(path).value_or(path.filename().string());
  return dataset;
}

}  // namespace heatfront
