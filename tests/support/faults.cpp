// SPDX-License-Identifier: MIT
// A library to preload (LD_PRELOAD) that lets calls on files beneath a folder fail:
//   HEATFRONT_FAULT_FOLDER  the folder; its files alone are touched
//   HEATFRONT_FAULT         nth:N   the N-th call fails, whichever it is
//                           full:N  from the N-th call on that takes room, the disk is full
//                           kill:N  the program is killed in place of the N-th call
//                           count   nothing fails, and all calls are in the log
//                           short   every other read and write is interrupted, the others do one byte or half
//                           threads no thread can be started
//   HEATFRONT_FAULT_LOG     a file elsewhere, to which the names of the calls that failed, or were counted, are appended
// glibc's own streams call its own open and write, which no library can stand before; so fopen and fread are wrapped too.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

constexpr int kStreamError = 0x20;  // glibc's _IO_ERR_SEEN

enum class Room { none, taken };

struct Plan {
  std::string folder, log;
  enum { off, nth, full, killed, counted, shortened, threadless } kind = off;
  long n = 0;
};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Plan plan_of_environment() {
  Plan plan{.folder = variable("HEATFRONT_FAULT_FOLDER"), .log = variable("HEATFRONT_FAULT_LOG")};
  const std::string fault = variable("HEATFRONT_FAULT");
  if (plan.folder.empty() || fault.empty()) return plan;
  if (fault == "short") plan.kind = Plan::shortened;
  if (fault == "threads") plan.kind = Plan::threadless;
  if (fault.starts_with("full:")) plan.kind = Plan::full;
  if (fault.starts_with("nth:")) plan.kind = Plan::nth;
  if (fault.starts_with("kill:")) plan.kind = Plan::killed;
  if (fault == "count") plan.kind = Plan::counted;
  if (fault.find(':') != fault.npos) plan.n = std::atol(fault.c_str() + fault.find(':') + 1);
  return plan;
}

const Plan& plan() {
  static const Plan kPlan = plan_of_environment();
  return kPlan;
}

std::atomic<long> calls = 0;

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool beneath(std::string_view path) { return path.starts_with(plan().folder); }

bool beneath(int descriptor) {
  char path[4096];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), path, sizeof path);
  return length > 0 && beneath(std::string_view(path, static_cast<std::size_t>(length)));
}

void note(const char* call) {
  const int log = real<int (*)(const char*, int, ...)>("open")(
      plan().log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const std::string line = std::string(call) + "\n";
  if (real<ssize_t (*)(int, const void*, std::size_t)>("write")(log, line.data(), line.size()) < 0)
    std::abort();
  real<int (*)(int)>("close")(log);
}

// Whether this call, on a file of `where`, is to fail; errno then says why.
template <class Where>
bool fails(const char* call, const Where& where, int reason, Room room) {
  const Plan& now = plan();
  if (now.kind == Plan::off || now.kind == Plan::shortened || now.kind == Plan::threadless) return false;
  if (now.kind == Plan::full && room == Room::none) return false;
  const int before = errno;
  const bool ours = beneath(where);
  errno = before;
  if (!ours) return false;
  const long call_number = ++calls;
  if (now.kind == Plan::counted) note(call);
  if (now.kind == Plan::killed && call_number == now.n) kill(getpid(), SIGKILL);
  if (now.kind == Plan::counted || now.kind == Plan::killed) return false;
  if (now.kind == Plan::nth ? call_number != now.n : call_number < now.n) return false;
  note(call);
  errno = reason;
  return true;
}

// How much of a read or write is done; -1: it is interrupted.
ssize_t part_of(std::size_t size, int descriptor) {
  const int before = errno;
  const bool ours = plan().kind == Plan::shortened && beneath(descriptor);
  errno = before;
  if (!ours) return static_cast<ssize_t>(size);
  const long call_number = ++calls;
  if (call_number % 2 == 1) {
    errno = EINTR;
    return -1;
  }
  return static_cast<ssize_t>(call_number % 4 == 0 ? (size + 1) / 2 : size > 0 ? 1 : 0);
}

bool creates(int flags) { return (flags & O_CREAT) != 0; }

template <class Call>
int open_or_fail(const char* path, int flags, const Call& call) {
  const bool made = creates(flags);
  if (fails("open", std::string_view(path), made ? ENOSPC : EIO, made ? Room::taken : Room::none)) return -1;
  return call();
}

mode_t mode_in(int flags, std::va_list arguments) {
  return creates(flags) || (flags & O_TMPFILE) == O_TMPFILE ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

std::FILE* fopen_or_fail(const char* name, const char* path, const char* mode) {
  if (fails("fopen", std::string_view(path), *mode == 'r' ? EIO : ENOSPC,
            *mode == 'r' ? Room::none : Room::taken))
    return nullptr;
  return real<decltype(&std::fopen)>(name)(path, mode);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_or_fail(path, flags,
                      [&] { return real<int (*)(const char*, int, ...)>("open")(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_in(flags, arguments);
  va_end(arguments);
  return open_or_fail(path, flags,
                      [&] { return real<int (*)(const char*, int, ...)>("open64")(path, flags, mode); });
}

std::FILE* fopen(const char* path, const char* mode) { return fopen_or_fail("fopen", path, mode); }
std::FILE* fopen64(const char* path, const char* mode) { return fopen_or_fail("fopen64", path, mode); }

std::size_t fread(void* to, std::size_t size, std::size_t count, std::FILE* stream) {
  if (fails("fread", fileno(stream), EIO, Room::none)) {
    stream->_flags |= kStreamError;
    return 0;
  }
  return real<decltype(&std::fread)>("fread")(to, size, count, stream);
}

ssize_t read(int descriptor, void* to, std::size_t size) {
  if (fails("read", descriptor, EIO, Room::none)) return -1;
  const ssize_t part = part_of(size, descriptor);
  if (part < 0) return -1;
  return real<ssize_t (*)(int, void*, std::size_t)>("read")(descriptor, to, static_cast<std::size_t>(part));
}

ssize_t write(int descriptor, const void* from, std::size_t size) {
  if (fails("write", descriptor, ENOSPC, Room::taken)) return -1;
  const ssize_t part = part_of(size, descriptor);
  if (part < 0) return -1;
  return real<ssize_t (*)(int, const void*, std::size_t)>("write")(descriptor, from,
                                                                   static_cast<std::size_t>(part));
}

ssize_t pwrite(int descriptor, const void* from, std::size_t size, off_t offset) {
  if (fails("pwrite", descriptor, ENOSPC, Room::taken)) return -1;
  const ssize_t part = part_of(size, descriptor);
  if (part < 0) return -1;
  return real<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite")(
      descriptor, from, static_cast<std::size_t>(part), offset);
}

int fsync(int descriptor) {
  if (fails("fsync", descriptor, EIO, Room::none)) return -1;
  return real<int (*)(int)>("fsync")(descriptor);
}

// As Linux does it: closed, whatever it says.
int close(int descriptor) {
  const bool failed = fails("close", descriptor, EIO, Room::none);
  const int result = real<int (*)(int)>("close")(descriptor);
  if (!failed) return result;
  errno = EIO;
  return -1;
}

int ftruncate(int descriptor, off_t length) noexcept {
  if (fails("ftruncate", descriptor, EIO, Room::none)) return -1;
  return real<int (*)(int, off_t)>("ftruncate")(descriptor, length);
}

int rename(const char* from, const char* to) noexcept {
  if (fails("rename", std::string_view(to), EIO, Room::none)) return -1;
  return real<int (*)(const char*, const char*)>("rename")(from, to);
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fails("mkdir", std::string_view(path), ENOSPC, Room::taken)) return -1;
  return real<int (*)(const char*, mode_t)>("mkdir")(path, mode);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) noexcept {
  if (plan().kind == Plan::threadless) return EAGAIN;
  return real<decltype(&pthread_create)>("pthread_create")(thread, attributes, start, argument);
}

}  // extern "C"
#pragma GCC visibility pop
