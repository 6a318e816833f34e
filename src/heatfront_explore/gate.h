// SPDX-License-Identifier: MIT
// Who may ask: only the page that this program served, opened from the address that it printed. Any other page in the same browser has
// neither the token nor the right Origin, and a name that somebody points at this machine (DNS rebinding) is not the right Host.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heatfront_explore/request.h"

namespace heatfront::explore {

inline constexpr std::size_t kLargestBody = 1 << 20;
inline constexpr std::string_view kTokenHeader = "X-Heatfront-Token";
inline constexpr std::string_view kDataPath =
    "/api/";  // what needs the token; the page itself says nothing of anybody's data

class Gate {
 public:
  // `host` as browsers send it: "127.0.0.1:41234".
  Gate(std::string token, std::string host) : token_(std::move(token)), host_(std::move(host)) {}

  std::optional<Reply> refusal(const Request& request) const;  // none: it may

 private:
  std::string token_, host_;
};

// What every reply carries: the browser then runs our files alone and tells nobody of anything.
struct Header {
  const char* name;
  const char* value;
};
std::span<const Header> security_headers();

}  // namespace heatfront::explore
