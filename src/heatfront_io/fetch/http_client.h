// SPDX-License-Identifier: MIT
// Gets what lies at a URL, by libcurl. Certificates are always verified.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace heatfront {

struct HttpRequest {
  std::string url;
  std::int64_t from = 0;    // the first byte wanted; whether it is heeded, the status tells
  int stall_seconds = 30;   // without a byte, after which to give up
  bool plain_http = false;  // let http:// pass, here and in redirects; https:// always does
};

struct HttpHead {
  long status = 0;  // 200: the whole; 206: from the byte that was asked for
  std::string content_type;
  std::int64_t length = 0;  // of the body; 0: the server does not say
};

struct HttpResult {
  long status = 0;          // 0: it never came to an answer
  std::string problem;      // a clause; empty: the body came to its end
  bool broken_off = false;  // on the way, or nothing came: what is here is good as far as it goes
};

class HttpClient {
 public:
  using OnBytes = std::function<bool(const HttpHead&, std::string_view)>;
  using OnTick = std::function<void()>;

  HttpClient();  // loads libcurl; throws Error where it is not installed
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // `on_bytes` takes the body in pieces and returns false to stop, which is then no problem; `on_tick` is
  // called at least once a second. What they throw ends the transfer and comes out of get().
  HttpResult get(const HttpRequest& request, const OnBytes& on_bytes, const OnTick& on_tick) const;

 private:
  struct Curl;
  class Transfer;
  std::unique_ptr<const Curl> curl_;
};

}  // namespace heatfront
