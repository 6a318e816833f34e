// SPDX-License-Identifier: MIT
#include "cli/console.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "heatfront/base/fail.h"

namespace heatfront::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool> interrupted = false;  // a signal handler can reach nothing else
static_assert(std::atomic<bool>::is_always_lock_free);

std::string time_left(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s left", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min left", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h left", whole / 3600, whole / 60 % 60);
}

// Of the terminal that standard error is; 80 where it does not say.
std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

constexpr std::string_view kClearLine = "\r\x1b[K";  // what a terminal takes as a command, and no text has

// At once, as it is.
bool write_to(std::FILE* stream, std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size() && std::fflush(stream) == 0;
}

bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// From the first of these signals on, progress callbacks stop the work; the second ends the program the usual way. Those
// that the program was started to ignore (nohup) it goes on to ignore.
void catch_interrupts() {
  for (const int wanted : {SIGHUP, SIGINT, SIGTERM}) {
    if (is_ignored(wanted)) continue;
    std::signal(wanted, [](int signal) {
      interrupted = true;
      std::signal(signal, SIG_DFL);
    });
  }
}

}  // namespace

void print(std::string_view text) {
  if (!write_to(stdout, printable_lines(text)))
    fail("standard output cannot be written: {}", std::strerror(errno));
}

void tell(std::string_view text) { write_to(stderr, printable_lines(text)); }

Console::~Console() { clear_line(); }

Threads& Console::threads() {
  if (!threads_) threads_ = std::make_unique<Threads>(thread_count > 0 ? thread_count : available_cores());
  return *threads_;
}

void Console::result(const Json& object, const std::string& text) const {
  clear_line();  // work need not end with a stage that is done
  const std::string line =
      (json ? printable_json(object.dump(2, ' ', false, Json::error_handler_t::replace)) : text) + '\n';
  if (captured != nullptr) {
    captured->append(line);
  } else if (!output_taken) {
    print(line);
  } else if (!quiet) {
    tell(line);
  }
}

void Console::remark(const std::vector<std::string>& notes) const {
  if (quiet) return;
  if (!notes.empty()) clear_line();
  for (const std::string& note : notes) {
    if (captured == nullptr) tell(fmt::format("note: {}\n", printable(note)));
  }
}

// Work that reports progress can be stopped by it; all other work these signals end at once.
ProgressCallback Console::progress() {
  catch_interrupts();
  const bool terminal = captured == nullptr && !quiet && isatty(STDERR_FILENO) == 1;
  return [this, terminal](const Progress& progress) {
    if (terminal) draw(progress);
    return !interrupted;
  };
}

void Console::draw(const Progress& progress) {
  const auto now = Clock::now();
  if (progress.stage != stage_) {
    stage_ = progress.stage;
    stage_begin_ = now;
  }
  const bool finished = progress.total > 0 && progress.done >= progress.total;
  if (finished) return clear_line();
  if (now - last_drawn_ < std::chrono::milliseconds(100)) return;
  last_drawn_ = now;
  const double share =
      progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
  const double spent = std::chrono::duration<double>(now - stage_begin_).count();
  std::string line = fmt::format("{}: {} {}", progress.stage, grouped(progress.done), progress.unit);
  if (progress.total > 0)
    line = fmt::format("{}: {:3.0f} % of {} {}", progress.stage, 100 * share, grouped(progress.total),
                       progress.unit);
  if (share > 0 && spent > 1) line += ", " + time_left(spent * (1 - share) / share);
  if (!progress.detail.empty()) line += "; " + progress.detail;
  // What wraps is not cleared, and some terminals wrap as soon as the last column is taken.
  write_to(stderr,
           fmt::format("{}{}", kClearLine, first_characters(printable(line), terminal_columns() - 1)));
  drawn_ = true;
}

void Console::clear_line() const {
  if (drawn_) write_to(stderr, kClearLine);
  drawn_ = false;
}

}  // namespace heatfront::cli
