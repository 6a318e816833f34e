// SPDX-License-Identifier: MIT
// What is fuzzed: bytes of any kind → a reader. A reader may read them or refuse them with an Error of one line; anything
// else is a finding, and leaves a feed as an exception, if it does not crash.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront::fuzz {

// Each returns whether the input was read.
bool feed_npz(std::string_view input);      // an array of a good file replaced
bool feed_npz_raw(std::string_view input);  // the whole file
bool feed_model(
    std::string_view input);  // arrays of a good file removed, resized, replaced; then all that takes a model
bool feed_split(std::string_view input);  // the same
bool feed_gzip(std::string_view input);
bool feed_planetoid(std::string_view input);  // from here to feed_idx: a file of a good folder replaced
bool feed_csv(std::string_view input);
bool feed_ogb(std::string_view input);
bool feed_musae(std::string_view input);
bool feed_idx(std::string_view input);
bool feed_matrix_market(std::string_view input);
bool feed_labels(std::string_view input);  // labels or shares of the classes
bool feed_settings(std::string_view input);
bool feed_search_space(std::string_view input);
bool feed_search_record(std::string_view input);
bool feed_table_record(std::string_view input);

// Inputs that are good, to begin with.
std::vector<std::string> npz_seeds();
std::vector<std::string> npz_raw_seeds();
std::vector<std::string> model_seeds();
std::vector<std::string> split_seeds();
std::vector<std::string> gzip_seeds();
std::vector<std::string> planetoid_seeds();
std::vector<std::string> csv_seeds();
std::vector<std::string> ogb_seeds();
std::vector<std::string> musae_seeds();
std::vector<std::string> idx_seeds();
std::vector<std::string> matrix_market_seeds();
std::vector<std::string> labels_seeds();
std::vector<std::string> settings_seeds();
std::vector<std::string> search_space_seeds();
std::vector<std::string> search_record_seeds();
std::vector<std::string> table_record_seeds();

struct Target {
  std::string_view name;
  bool (*feed)(std::string_view input);
  std::vector<std::string> (*seeds)();
};

std::span<const Target> targets();
const Target* find_target(std::string_view name);  // none: nullptr

}  // namespace heatfront::fuzz
