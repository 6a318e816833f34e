// SPDX-License-Identifier: MIT
#include "heatfront_explore/gate.h"

#include <array>

namespace heatfront::explore {
namespace {

// Takes as long whatever is equal.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differ == 0;
}

Reply refused(int status, std::string why) {
  return {.status = status, .type = "text/plain; charset=utf-8", .body = std::move(why) + "\n"};
}

}  // namespace

std::optional<Reply> Gate::refusal(const Request& request) const {
  if (request.host != host_) return refused(421, "this is " + host_ + ", and nothing else");
  if (request.body.size() > kLargestBody) return refused(413, "a request can have at most 1 MB");
  const bool changes = request.method != "GET";
  if (changes && request.method != "POST") return refused(405, "there are GET and POST");
  if ((changes || !request.origin.empty()) && request.origin != "http://" + host_)
    return refused(403, "only the page that this program serves may ask");
  if (request.path.starts_with(kDataPath) && !same(request.token, token_))
    return refused(401, "the token is missing or wrong: open the address that `heatfront explore` printed");
  return std::nullopt;
}

std::span<const Header> security_headers() {
  static constexpr std::array<Header, 6> kHeaders = {
      {{"Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "
        "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
       {"X-Content-Type-Options", "nosniff"},
       {"Referrer-Policy", "no-referrer"},
       {"Cross-Origin-Opener-Policy", "same-origin"},
       {"Cross-Origin-Resource-Policy", "same-origin"},
       {"Cache-Control", "no-store"}}};
  return kHeaders;
}

}  // namespace heatfront::explore
