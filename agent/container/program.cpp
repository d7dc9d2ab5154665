// SPDX-License-Identifier: Apache-2.0
#include "agent/container/program.hpp"

#include "agent/container/deadline.hpp"

#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {  // glibc 2.36 declares these without saying that they are C
#include <sys/pidfd.h>
}

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace crosswarp::container {
namespace asio = boost::asio;
namespace {

using Actions = std::unique_ptr<posix_spawn_file_actions_t, int (*)(posix_spawn_file_actions_t*)>;
using Attributes = std::unique_ptr<posix_spawnattr_t, int (*)(posix_spawnattr_t*)>;

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> found;
  for (const std::string& text : texts) found.push_back(const_cast<char*>(text.c_str()));
  found.push_back(nullptr);
  return found;
}

/// Our ends are first copied above every wanted number, so that no copy overwrites another that is still needed.
void add_files(posix_spawn_file_actions_t* actions, const std::vector<std::pair<int, int>>& files) {
  int above = 100;
  for (const auto& [ours, theirs] : files) above = std::max({above, ours + 1, theirs + 1});
  for (int number = 0; number < 3; ++number) {
    posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0);
  }
  for (std::size_t at = 0; at < files.size(); ++at) {
    posix_spawn_file_actions_adddup2(actions, files[at].first, above + static_cast<int>(at));
  }
  int last = 2;
  for (std::size_t at = 0; at < files.size(); ++at) {
    posix_spawn_file_actions_adddup2(actions, above + static_cast<int>(at), files[at].second);
    last = std::max(last, files[at].second);
  }
  posix_spawn_file_actions_addclosefrom_np(actions, last + 1);
}

void set_attributes(posix_spawnattr_t* attributes) {
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

[[noreturn]] void fail(const char* what) {
  throw boost::system::system_error(errno, boost::system::system_category(), what);
}

int code_of(const siginfo_t& info) { return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status; }

}  // namespace

Result<Program> Program::start(asio::any_io_executor executor, const ProgramSpec& spec) {
  posix_spawn_file_actions_t actions_storage;
  posix_spawn_file_actions_init(&actions_storage);
  const Actions actions(&actions_storage, posix_spawn_file_actions_destroy);
  posix_spawnattr_t attributes_storage;
  posix_spawnattr_init(&attributes_storage);
  const Attributes attributes(&attributes_storage, posix_spawnattr_destroy);
  add_files(actions.get(), spec.files);
  if (!spec.folder.empty()) posix_spawn_file_actions_addchdir_np(actions.get(), spec.folder.c_str());
  set_attributes(attributes.get());
  const std::vector<char*> argv = pointers(spec.argv);
  const std::vector<char*> environment = pointers(spec.environment);
  pid_t pid = -1;
  const int failure = posix_spawnp(&pid, argv[0], actions.get(), attributes.get(), argv.data(), environment.data());
  if (failure != 0) return Error{ErrorCode::not_found, spec.argv[0] + ": " + std::strerror(failure)};
  const int handle = pidfd_open(pid, 0);
  if (handle < 0) fail("pidfd_open");
  return Program(pid, asio::posix::stream_descriptor(executor, handle));
}

Program::Program(Program&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      handle_(std::move(other.handle_)),
      ended_(other.ended_),
      code_(other.code_) {}

Program::~Program() {
  if (pid_ < 0 || ended_) return;
  signal(SIGKILL);
  reap();
}

asio::awaitable<int> Program::wait() {
  while (!ended_) {
    co_await handle_.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
    reap();
  }
  co_return code_;
}

bool Program::wait_blocking(std::chrono::milliseconds limit) {
  pollfd file{handle_.native_handle(), POLLIN, 0};
  if (!ended_ && poll(&file, 1, static_cast<int>(limit.count())) > 0) reap();
  return ended_;
}

void Program::signal(int number) {
  if (!ended_) pidfd_send_signal(handle_.native_handle(), number, nullptr, 0);
}

void Program::reap() {
  siginfo_t info{};
  if (ended_ || waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0) return;
  ended_ = true;
  code_ = code_of(info);
}

Pipe make_pipe(const asio::any_io_executor& executor) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  return {asio::posix::stream_descriptor(executor, ends[0]), asio::posix::stream_descriptor(executor, ends[1])};
}

std::vector<std::string> tool_environment() {
  constexpr std::array kPassed{"PATH",        "HOME",           "USER",        "LOGNAME",     "XDG_RUNTIME_DIR",
                               "TMPDIR",      "XDG_CONFIG_HOME", "DOCKER_HOST", "XDG_DATA_HOME", "CONTAINERS_CONF",
                               "http_proxy",  "https_proxy",    "no_proxy",    "HTTP_PROXY",  "HTTPS_PROXY",
                               "NO_PROXY",    "SSL_CERT_FILE",  "CUDA_HOME",   "DBUS_SESSION_BUS_ADDRESS"};
  std::vector<std::string> found{"LC_ALL=C.UTF-8"};
  for (const char* name : kPassed) {
    if (const char* value = std::getenv(name)) found.push_back(std::string(name) + '=' + value);
  }
  return found;
}

namespace {

asio::awaitable<Result<Captured>> capture_unbounded(std::vector<std::string> argv, std::size_t most_bytes) {
  const auto executor = co_await asio::this_coro::executor;
  Pipe pipe = make_pipe(executor);
  const int end = pipe.write.native_handle();
  auto program = Program::start(executor, {std::move(argv), tool_environment(), {{end, 1}, {end, 2}}});
  if (!program) co_return program.error();
  pipe.write.close();
  Captured captured;
  std::array<char, 16384> piece;
  while (true) {
    boost::system::error_code failure;
    const std::size_t count = co_await pipe.read.async_read_some(
        asio::buffer(piece), asio::redirect_error(asio::use_awaitable, failure));
    if (failure == asio::error::operation_aborted) throw boost::system::system_error(failure);
    if (failure) break;
    captured.output.append(piece.data(), std::min(count, most_bytes - captured.output.size()));
  }
  captured.code = co_await program->wait();
  co_return captured;
}

}  // namespace

asio::awaitable<Result<Captured>> capture(std::vector<std::string> argv, std::chrono::milliseconds limit,
                                          std::size_t most_bytes) {
  const std::string name = argv.empty() ? std::string() : argv.front();
  auto captured = co_await within<Captured>(limit, capture_unbounded(std::move(argv), most_bytes));
  if (!captured && captured.error().code == ErrorCode::unavailable) co_return in_context(name, captured.error());
  co_return captured;
}

}  // namespace crosswarp::container
