// SPDX-License-Identifier: MIT
// heatfront-explore: serves the explorer's page to this machine alone. `heatfront explore` becomes this program, so that a Ctrl-C ends all
// there is. Its arguments come from there: SOURCE OUTPUT BESIDE PORT THREADS open|quiet CLASS…
#include <fmt/core.h>
#include <httplib.h>
#include <spawn.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/utf8.h"
#include "heatfront_explore/explorer.h"
#include "heatfront_explore/open_source.h"

namespace heatfront::explore {
namespace {

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::size_t kConnections = 16;  // a browser keeps six open, and there may be two

struct Arguments {
  Source source;
  int port = 0;  // 0: any that is free
  int thread_count = 1;
  bool opens_browser = true;
};

Arguments arguments_of(const std::vector<std::string>& words) {
  constexpr std::size_t kFixed = 6;
  if (words.size() < kFixed) fail("heatfront-explore is a part of `heatfront explore`; start that");
  Arguments arguments;
  arguments.source = {.name = words[0],
                      .output = words[1],
                      .beside = words[2],
                      .classes = {words.begin() + kFixed, words.end()}};
  arguments.port = static_cast<int>(parse_integer(words[3]).value_or(0));
  arguments.thread_count = static_cast<int>(parse_integer(words[4]).value_or(1));
  arguments.opens_browser = words[5] == "open";
  return arguments;
}

// 256 bits that nobody can guess.
std::string new_token() {
  std::array<unsigned char, 32> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
    fail("the system gives no random numbers");
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

Request request_of(const httplib::Request& asked) {
  Request request{.method = asked.method,
                  .path = asked.path,
                  .host = asked.get_header_value("Host"),
                  .origin = asked.get_header_value("Origin"),
                  .token = asked.get_header_value(std::string(kTokenHeader)),
                  .body = asked.body};
  for (const auto& [name, value] : asked.params) request.query[name] = value;
  return request;
}

void answer(Explorer& explorer, const httplib::Request& asked, httplib::Response& response) {
  const Reply reply = explorer.handle(request_of(asked));
  response.status = reply.status;
  if (!reply.file_name.empty())
    response.set_header("Content-Disposition", fmt::format("attachment; filename=\"{}\"", reply.file_name));
  response.set_content(reply.body, reply.type);
}

// The address has the token in it, and what a program is called with everybody on the machine can see: the browser gets a file that only this
// user can read, and that leads there.
class Doorway {
 public:
  explicit Doorway(const std::string& address) : path_("/tmp/heatfront-XXXXXX.html") {
    const int file = mkstemps(path_.data(), 5);
    if (file < 0) return;
    const std::string page = fmt::format(
        "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={}\"><title>heatfront</title>\n",
        address);
    const bool written = write(file, page.data(), page.size()) == std::ssize(page);
    close(file);
    std::string program = "xdg-open";
    std::array<char*, 3> words = {program.data(), path_.data(), nullptr};
    pid_t browser = 0;
    if (written) posix_spawnp(&browser, program.c_str(), nullptr, nullptr, words.data(), environ);
  }
  ~Doorway() { unlink(path_.c_str()); }
  Doorway(const Doorway&) = delete;
  Doorway& operator=(const Doorway&) = delete;

 private:
  std::string path_;
};

void tell(const std::string& line) {
  std::fputs((printable(line) + "\n").c_str(), stdout);
  std::fflush(stdout);
}

void serve(const Arguments& arguments, const sigset_t& ends) {
  Threads threads(arguments.thread_count);
  Opened opened = open_source(arguments.source, threads);
  const std::string name = opened.model.data.name, file = opened.file.string();
  for (const std::string& note : opened.notes)
    std::fputs(("note: " + printable(note) + "\n").c_str(), stderr);
  Explorer explorer(std::move(opened.model),
                    {.file = opened.file,
                     .clock = [] { return std::int64_t{std::time(nullptr)}; },
                     .notes = opened.notes,
                     .beside = std::move(opened.beside)},
                    threads);

  httplib::Server server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
  server.set_payload_max_length(kLargestBody);
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(100000);
  server.set_keep_alive_timeout(1);
  httplib::Headers headers;
  for (const Header& header : security_headers()) headers.emplace(header.name, header.value);
  server.set_default_headers(headers);
  const auto handler = [&](const httplib::Request& asked, httplib::Response& response) {
    answer(explorer, asked, response);
  };
  server.Get(".*", handler).Post(".*", handler).Put(".*", handler).Patch(".*", handler).Delete(".*", handler);
  server.Options(".*", handler);

  int port = arguments.port;
  if (port == 0)
    port = server.bind_to_any_port(kLoopback);
  else if (!server.bind_to_port(kLoopback, port))
    fail("port {} cannot be used; leave out --port to take any that is free", port);
  const std::string host = fmt::format("{}:{}", kLoopback, port), token = new_token();
  explorer.set_gate(Gate(token, host));
  explorer.on_quit([] { kill(getpid(), SIGTERM); });

  std::atomic<bool> ended = false;
  std::thread waiting([&] {
    int signal = 0;
    sigwait(&ends, &signal);
    while (!server.is_running() && !ended) std::this_thread::yield();  // before it runs, stop() does nothing
    server.stop();
  });
  const std::string address = fmt::format("http://{}/#token={}", host, token);
  tell(address);
  tell(fmt::format(
      "{} is at that address, for this machine alone; labels are kept in {}.journal. Ctrl-C ends it.", name,
      file));
  {
    std::optional<Doorway> doorway;
    if (arguments.opens_browser) doorway.emplace(address);
    server.listen_after_bind();
  }
  ended = true;
  kill(getpid(), SIGTERM);  // where the server ended by itself
  waiting.join();
}

}  // namespace
}  // namespace heatfront::explore

int main(int argc, char** argv) {
  // All threads leave these signals to the one that waits for them.
  sigset_t ends;
  sigemptyset(&ends);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_IGN);  // of the browser's starter
  try {
    heatfront::explore::serve(heatfront::explore::arguments_of({argv + 1, argv + argc}), ends);
    return 0;
  } catch (const std::exception& error) {
    std::fputs(("heatfront: " + heatfront::printable_lines(error.what()) + "\n").c_str(), stderr);
    return 1;
  }
}
