// SPDX-License-Identifier: MIT
// A small HTTP server on 127.0.0.1 that answers as a test tells it to, and misbehaves as real ones do.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace heatfront::test {

struct HttpQuery {
  std::string path;
  std::optional<std::size_t> from;  // of "Range: bytes=FROM-"
};

struct HttpReply {
  std::string status = "200 OK";
  std::string headers;  // more of them, each with its line end
  std::string body;
  std::optional<std::size_t> length = {};  // declared; the body's own when left out
  bool declare_length = true;
  bool stall = false;    // after the body, until the client goes
  bool hang_up = false;  // at once, without a word
};

class HttpServer {
 public:
  using Answer = std::function<HttpReply(const HttpQuery&)>;

  explicit HttpServer(Answer answer)
      : answer_(std::move(answer)), listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    if (listener_ < 0 || pipe(stop_.data()) != 0 || bind(listener_, as_general(address), length) != 0 ||
        listen(listener_, 8) != 0 || getsockname(listener_, as_general(address), &length) != 0) {
      std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    close(stop_[1]);
    thread_.join();
    close(stop_[0]);
    close(listener_);
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  std::vector<HttpQuery> queries() const {
    const std::lock_guard lock(mutex_);
    return queries_;
  }

 private:
  static sockaddr* as_general(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

  // False when the server is to stop.
  bool wait_for(int descriptor) const {
    std::array<pollfd, 2> both = {{{.fd = descriptor, .events = POLLIN}, {.fd = stop_[0], .events = POLLIN}}};
    return poll(both.data(), both.size(), -1) > 0 && both[1].revents == 0;
  }

  void serve() {
    while (wait_for(listener_)) {
      const int client = accept(listener_, nullptr, nullptr);
      if (client < 0) continue;
      converse(client);
      close(client);
    }
  }

  void converse(int client) {
    std::string text;
    std::array<char, 4096> block;
    while (text.find("\r\n\r\n") == std::string::npos) {
      if (!wait_for(client)) return;
      const ssize_t got = recv(client, block.data(), block.size(), 0);
      if (got <= 0) return;
      text.append(block.data(), static_cast<std::size_t>(got));
    }
    const HttpQuery query = parsed(text);
    {
      const std::lock_guard lock(mutex_);
      queries_.push_back(query);
    }
    const HttpReply reply = answer_(query);
    if (reply.hang_up) return;
    send_all(client, head_of(reply) + reply.body);
    if (reply.stall) wait_for(client);
  }

  static HttpQuery parsed(const std::string& text) {
    const std::size_t begin = text.find(' ') + 1;
    HttpQuery query{.path = text.substr(begin, text.find(' ', begin) - begin)};
    constexpr std::string_view kRange = "Range: bytes=";
    if (const std::size_t range = text.find(kRange); range != std::string::npos) {
      query.from = std::stoul(text.substr(range + kRange.size()));
    }
    return query;
  }

  static std::string head_of(const HttpReply& reply) {
    std::string head = "HTTP/1.1 " + reply.status + "\r\nConnection: close\r\n" + reply.headers;
    if (reply.declare_length) {
      head += "Content-Length: " + std::to_string(reply.length.value_or(reply.body.size())) + "\r\n";
    }
    return head + "\r\n";
  }

  static void send_all(int client, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(client, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  Answer answer_;
  int listener_;
  std::array<int, 2> stop_ = {-1, -1};
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<HttpQuery> queries_;
  std::thread thread_;
};

// As a good server answers: the rest when the rest was asked for.
inline HttpReply honest(const HttpQuery& query, const std::string& content) {
  if (!query.from) return {.body = content};
  if (*query.from >= content.size()) return {.status = "416 Range Not Satisfiable"};
  const std::string range = std::to_string(*query.from) + "-" + std::to_string(content.size() - 1);
  return {.status = "206 Partial Content",
          .headers = "Content-Range: bytes " + range + "/" + std::to_string(content.size()) + "\r\n",
          .body = content.substr(*query.from)};
}

}  // namespace heatfront::test
