// SPDX-License-Identifier: MIT
// Files that are zips of arrays. The feeds pack them anew, so that a changed array has the right checksum.
#include <algorithm>
#include <optional>

#include "fuzz/feeding.h"
#include "fuzz/targets.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "support/npz_file.h"
#include "support/pickle_file.h"
#include "support/small_data.h"

namespace heatfront::fuzz {
namespace fs = std::filesystem;
namespace {

Files arrays_of(const Dataset& dataset) {
  const fs::path npz = scratch() / "seed.npz";
  write_npz(dataset, npz);
  return test::entries_of(npz);
}

// The names and shapes that other programs write.
Files foreign_arrays() {
  return {{"edge_index.npy", test::npy(std::vector<std::int64_t>{0, 1, 2, 1, 2, 0}, {2, 3})},
          {"edge_weight.npy", test::npy(std::vector<double>{1, 0.5, 2})},
          {"x.npy", test::in_fortran_order(test::npy(std::vector<double>{1, 2, 3, 4, 5, 6}, {3, 2}))},
          {"y.npy", test::npy(std::vector<float>{0, 1, 0, 0, 0, 1}, {3, 2})},
          {"train_mask.npy", test::npy("|b1", {3}, std::string_view("\1\0\0", 3))},
          {"valid_mask.npy", test::npy("|b1", {1, 3}, std::string_view("\0\1\0", 3))},
          {"test_mask.npy", test::npy("|u1", {3}, std::string_view("\0\0\1", 3))},
          {"class_names.npy", test::npy("|S3", {2}, std::string_view("onetwo"))},
          {"node_names.npy", test::pickled_npy()}};
}

// As scipy.sparse.save_npz writes it.
Files bare_matrix() {
  return {{"indices.npy", test::npy(std::vector<std::int32_t>{1, 0})},
          {"indptr.npy", test::npy(std::vector<std::int32_t>{0, 1, 2})},
          {"format.npy", test::npy("|S3", {}, "csr")},
          {"shape.npy", test::npy(std::vector<std::int64_t>{2, 2})},
          {"data.npy", test::npy(std::vector<double>{1, 1})}};
}

// Pickled objects of each kind. The second set has protocol 5, in which arrays are buffers.
std::vector<Files> pickled_arrays() {
  const test::PickleWriter old{.protocol = 3, .numpy = "numpy.core", .scipy = "scipy.sparse."}, write;
  const test::PickleWriter newest{.protocol = 5};
  const auto compressed = [](const test::PickleWriter& by, const std::string& name) {
    return by.matrix(name, {{"_shape", by.shape({2, 2})},
                            {"indptr", by.array<std::int32_t>({0, 1, 2})},
                            {"indices", by.array<std::int32_t>({1, 0})},
                            {"data", by.array<float>({1, 1})}});
  };
  const std::string places =
      newest.tuple({newest.array<std::int64_t>({0, 1}), newest.array<std::int64_t>({1, 0})});
  const std::string coo = newest.matrix(
      "coo_array",
      {{"_shape", newest.shape({2, 2})}, {"coords", places}, {"data", newest.array<float>({1, 1})}});
  std::string classes = "}(K\1";  // {1: "b", 0: "a"}
  classes.append(old.text("b")).append("K\0", 2).append(old.text("a")).append("u");
  return {{{"adj_matrix.npy", old.npy(compressed(old, "csr_matrix"))},
           {"node_attr.npy", write.npy(compressed(write, "csc_array"))},
           {"node_label.npy", write.npy({2}, {write.number(0), "N"})},
           {"class_names.npy", write.npy(write.list({write.text("a"), write.text("b")}))},
           {"node_names.npy", write.npy({2}, {write.text("u"), write.text("v")})}},
          {{"adj.npy", newest.npy({1}, {coo})},
           {"x.npy", newest.npy(newest.array<double>({1, 2}, {2, 1}))},
           {"y.npy", newest.npy(compressed(newest, "csr_array"))},
           {"idx_to_class.npy", old.npy(classes)},
           {"features.npy", newest.npy("N")}}};
}

Dataset named_dataset() {
  put_files("seed", {{"edges.csv", "a,b,1\nb,c,0.5\n"},
                     {"features.csv", "a,w1,1\na,w2,2\nc,w1,3\n"},
                     {"labels.csv", "a,é\nb,f\n"}});
  Dataset dataset = read_csv(scratch() / "seed", {}, one_thread());
  dataset.split = Split{.train = {0}, .validation = {}, .test = {1, 2}};
  return dataset;
}

const FileSets& npz_sets() {
  static const FileSets sets = [] {
    std::vector<Files> all = pickled_arrays();
    all.insert(all.begin(), {arrays_of(named_dataset()), arrays_of(test::small_blocks(one_thread())),
                             foreign_arrays(), bare_matrix()});
    return FileSets(std::move(all));
  }();
  return sets;
}

const FileSets& split_sets() {
  static const FileSets sets(
      {{{"train_idx.npy", test::npy(std::vector<std::int64_t>{3, 0})},
        {"val_idx.npy", test::npy(std::vector<std::int32_t>{})},
        {"test_idx.npy", test::npy(std::vector<double>{1, 2})}},
       {{"train_mask.npy", test::npy("|b1", {2}, std::string_view("\1\0", 2))},
        {"test_masks.npy", test::npy(std::vector<std::int64_t>{0, 1, 0, 0}, {2, 2})}}});
  return sets;
}

fs::path write_changed(const FileSets& sets, std::string_view name, std::string_view input) {
  return test::write_zip(scratch() / name, sets.changed(input));
}

bool feed_npz_file(const fs::path& path) {
  std::optional<Dataset> dataset;
  if (done_or_refused([&] { dataset = read_npz(path, {}, one_thread()); })) require_whole(*dataset);
  return dataset.has_value();
}

}  // namespace

bool feed_npz(std::string_view input) { return feed_npz_file(write_changed(npz_sets(), "data.npz", input)); }
std::vector<std::string> npz_seeds() { return npz_sets().seeds(); }

bool feed_npz_raw(std::string_view input) { return feed_npz_file(scratch().write("raw.npz", input)); }
std::vector<std::string> npz_raw_seeds() {
  std::vector<std::string> seeds = {
      test::file_text(test::write_zip(scratch() / "seed.npz", foreign_arrays())),
      test::file_text(test::write_zip(scratch() / "seed.npz", bare_matrix())),
      test::file_text(test::write_zip(scratch() / "seed.npz", pickled_arrays().front()))};
  write_npz(named_dataset(), scratch() / "seed.npz");
  seeds.push_back(test::file_text(scratch() / "seed.npz"));
  return seeds;
}

bool feed_split(std::string_view input) {
  const fs::path path = write_changed(split_sets(), "split.npz", input);
  Split split;
  if (!done_or_refused([&] { split = read_split_npz(path); })) return false;
  for (const auto* part : {&split.train, &split.validation, &split.test}) {
    require(std::ranges::is_sorted(*part) && (part->empty() || part->front() >= 0),
            "a part does not ascend from 0");
  }
  write_split_npz(split, path);
  require(read_split_npz(path).hash() == split.hash(), "another split when written and read again");
  return true;
}
std::vector<std::string> split_seeds() { return split_sets().seeds(); }

}  // namespace heatfront::fuzz
