// SPDX-License-Identifier: MIT
// Rows of other ranks. A rank says once which rows of others it reads (its ghosts); then they come, whatever a row is, as often as
// it asks: 4C bytes for each ghost and product.
//
// Only heatfront_petsc/ knows how rows travel between machines. Alone there are no ghosts, and nothing travels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "heatfront/base/ranks.h"

namespace heatfront {

struct RemoteRow {
  int owner;         // another rank
  std::int64_t row;  // of the owner's
};

class Halo {
 public:
  Halo() = default;
  virtual ~Halo() = default;
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  // Collective, always both. Rows of so many bytes, a multiple of four, set out at begin(); after end() the ghosts are there, in the
  // order in which they were asked for. In between neither array is touched, but own rows may be read.
  virtual void begin(std::span<const std::byte> own, std::span<std::byte> ghosts, std::int64_t bytes) = 0;
  virtual void end() = 0;
};

// The ranks of one computation, and what they can do beside adding up.
class Cluster {
 public:
  static const Cluster& alone();

  Cluster() = default;
  virtual ~Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  virtual const Ranks& ranks() const = 0;

  // Collective: every rank says how many rows it has, and which of others it wants.
  virtual std::unique_ptr<Halo> halo(std::int64_t own_rows, std::span<const RemoteRow> ghosts) const = 0;
};

// Sends the rows of the ghosts once.
template <class Row>
void fetch_rows(Halo& halo, std::span<const Row> own, std::span<Row> ghosts, std::int64_t count_a_row = 1) {
  halo.begin(std::as_bytes(own), std::as_writable_bytes(ghosts),
             count_a_row * static_cast<std::int64_t>(sizeof(Row)));
  halo.end();
}

}  // namespace heatfront
