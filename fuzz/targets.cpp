// SPDX-License-Identifier: MIT
#include "fuzz/targets.h"

#include <algorithm>
#include <array>

namespace heatfront::fuzz {

std::span<const Target> targets() {
  static constexpr std::array<Target, 16> kTable = {{
      {"npz", feed_npz, npz_seeds},
      {"npz_raw", feed_npz_raw, npz_raw_seeds},
      {"model", feed_model, model_seeds},
      {"split", feed_split, split_seeds},
      {"gzip", feed_gzip, gzip_seeds},
      {"planetoid", feed_planetoid, planetoid_seeds},
      {"csv", feed_csv, csv_seeds},
      {"ogb", feed_ogb, ogb_seeds},
      {"musae", feed_musae, musae_seeds},
      {"idx", feed_idx, idx_seeds},
      {"matrix_market", feed_matrix_market, matrix_market_seeds},
      {"labels", feed_labels, labels_seeds},
      {"settings", feed_settings, settings_seeds},
      {"search_space", feed_search_space, search_space_seeds},
      {"search_record", feed_search_record, search_record_seeds},
      {"table_record", feed_table_record, table_record_seeds},
  }};
  return kTable;
}

const Target* find_target(std::string_view name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

}  // namespace heatfront::fuzz
