// SPDX-License-Identifier: MIT
// libcurl brings 25 more libraries along, and linking to it costs every start of the program 4 ms, whatever
// the command. So it is loaded here, at run time, by the only thing that needs it. No other file knows
// libcurl.
#include "heatfront_io/fetch/http_client.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <array>
#include <chrono>
#include <exception>
#include <utility>

#include "heatfront/base/config.h"
#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

struct Unload {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Unload>;

// RTLD_NODELETE: the code stays even then, because TLS libraries leave exit handlers behind.
Library load_libcurl() {
  Library library(dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE));
  if (!library) fail("fetching needs libcurl, but libcurl.so.4 is not installed; apt-get install libcurl4");
  return library;
}

}  // namespace

struct HttpClient::Curl {
  Curl() : library(load_libcurl()) {
    find("curl_global_init", global_init);
    find("curl_global_cleanup", global_cleanup);
    find("curl_easy_init", easy_init);
    find("curl_easy_cleanup", easy_cleanup);
    find("curl_easy_setopt", easy_setopt);
    find("curl_easy_getinfo", easy_getinfo);
    find("curl_easy_perform", easy_perform);
    find("curl_easy_strerror", easy_strerror);
    if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) fail("libcurl cannot be started");
  }
  ~Curl() { global_cleanup(); }
  Curl(const Curl&) = delete;
  Curl& operator=(const Curl&) = delete;

  template <class Function>
  void find(const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library.get(), name));
    if (!function) fail("libcurl.so.4 has no function {}; apt-get install libcurl4", name);
  }

  Library library;
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_global_cleanup) global_cleanup = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_perform) easy_perform = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
};

// One request under way.
class HttpClient::Transfer {
 public:
  Transfer(const Curl& curl, const HttpRequest& request, const OnBytes& on_bytes, const OnTick& on_tick)
      : curl_(curl),
        request_(request),
        on_bytes_(on_bytes),
        on_tick_(on_tick),
        handle_(curl.easy_init(), curl.easy_cleanup) {
    if (!handle_) fail("libcurl cannot be started");
    const char* protocols = request.plain_http ? "http,https" : "https";
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, protocols);
    set(CURLOPT_REDIR_PROTOCOLS_STR, protocols);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 10L);
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "heatfront/" HEATFRONT_VERSION);
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(request.stall_seconds));
    set(CURLOPT_ERRORBUFFER, detail_.data());
    set(CURLOPT_WRITEFUNCTION, &Transfer::take_bytes);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::tick);
    set(CURLOPT_XFERINFODATA, this);
    if (request.from > 0) set(CURLOPT_RANGE, fmt::format("{}-", request.from).c_str());
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  HttpResult run() {
    CURLcode code = curl_.easy_perform(handle_.get());
    if (thrown_) std::rethrow_exception(thrown_);
    if (code != CURLE_OK && stalled_) code = CURLE_OPERATION_TIMEDOUT;
    const long status = info<long>(CURLINFO_RESPONSE_CODE);
    if (stopped_ || code == CURLE_OK) return {.status = status};
    return {.status = status, .problem = problem(code, status), .broken_off = broken_off(code)};
  }

 private:
  using Clock = std::chrono::steady_clock;

  // libcurl reads the value by the option's kind: a long, a function or a pointer.
  template <class Value>
  void set(CURLoption option, Value value) {
    static_assert(std::is_same_v<Value, long> || std::is_pointer_v<Value>);
    if (curl_.easy_setopt(handle_.get(), option, value) == CURLE_OK) return;
    fail("libcurl.so.4 is too old; 7.85 or newer is needed; apt-get install libcurl4");
  }

  template <class Value>
  Value info(CURLINFO what) const {
    Value value = {};
    curl_.easy_getinfo(handle_.get(), what, &value);
    return value;
  }

  HttpHead head() const {
    const char* type = info<const char*>(CURLINFO_CONTENT_TYPE);
    const auto length = info<curl_off_t>(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
    return {.status = info<long>(CURLINFO_RESPONSE_CODE),
            .content_type = type ? type : "",
            .length = length > 0 ? length : 0};
  }

  // No exception may pass through C code: it waits in thrown_ until run() has the word again.
  template <class Action>
  bool goes_on(const Action& action) {
    try {
      if (!stopped_ && !thrown_) stopped_ = !action();
    } catch (...) {
      thrown_ = std::current_exception();
    }
    return !stopped_ && !thrown_;
  }

  static std::size_t take_bytes(char* bytes, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    transfer.last_byte_ = Clock::now();
    const bool on =
        transfer.goes_on([&] { return transfer.on_bytes_(transfer.head(), std::string_view(bytes, count)); });
    return on ? count : 0;
  }

  static int tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    // libcurl's own limit averages over five seconds and more; this one is what was asked for.
    transfer.stalled_ =
        Clock::now() - transfer.last_byte_ >= std::chrono::seconds(transfer.request_.stall_seconds);
    return transfer.goes_on([&] { return transfer.on_tick_(), true; }) && !transfer.stalled_ ? 0 : 1;
  }

  static bool broken_off(CURLcode code) {
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
      case CURLE_PARTIAL_FILE:
      case CURLE_GOT_NOTHING:
      case CURLE_RECV_ERROR:
      case CURLE_SEND_ERROR:
      case CURLE_HTTP2:
      case CURLE_HTTP2_STREAM: return true;
      default: return false;
    }
  }

  std::string problem(CURLcode code, long status) const {
    const char* detail = detail_[0] ? detail_.data() : curl_.easy_strerror(code);
    switch (code) {
      case CURLE_COULDNT_RESOLVE_HOST: return "no network, or no such host";
      case CURLE_COULDNT_CONNECT: return "the server cannot be reached";
      case CURLE_OPERATION_TIMEDOUT: return fmt::format("nothing came for {} s", request_.stall_seconds);
      case CURLE_HTTP_RETURNED_ERROR:
        return status == 404 ? "the file is not there (HTTP 404)"
                             : fmt::format("the server answers HTTP {}", status);
      case CURLE_PEER_FAILED_VERIFICATION:
      case CURLE_SSL_CACERT_BADFILE:
        return fmt::format(
            "its certificate cannot be verified ({}); is the package ca-certificates installed?", detail);
      default: return broken_off(code) ? "the connection ended" : detail;
    }
  }

  const Curl& curl_;
  const HttpRequest& request_;
  const OnBytes& on_bytes_;
  const OnTick& on_tick_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle_;
  std::array<char, CURL_ERROR_SIZE> detail_ = {};
  std::exception_ptr thrown_;
  bool stopped_ = false;
  bool stalled_ = false;
  Clock::time_point last_byte_ = Clock::now();
};

HttpClient::HttpClient() : curl_(std::make_unique<const Curl>()) {}
HttpClient::~HttpClient() = default;

HttpResult HttpClient::get(const HttpRequest& request, const OnBytes& on_bytes, const OnTick& on_tick) const {
  return Transfer(*curl_, request, on_bytes, on_tick).run();
}

}  // namespace heatfront
