// SPDX-License-Identifier: Apache-2.0
#include "agent/container/runner/supervisor.hpp"

#include "agent/container/runner/counters.hpp"
#include "agent/container/runner/processes.hpp"

#include <boost/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace crosswarp::runner {
namespace {

constexpr std::chrono::milliseconds kSampling{100};
constexpr std::chrono::seconds kGrace{5};
constexpr std::chrono::seconds kPatience{20};
constexpr std::size_t kLongestRequest = std::size_t{16} << 20;
constexpr std::size_t kPiece = std::size_t{64} << 10;

/// SIGCHLD wakes the loop through a file; a closed pipe is met as an error of write.
int wake_on_children() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

void make_private(int file) {
  fcntl(file, F_SETFD, FD_CLOEXEC);
  fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

}  // namespace

Supervisor::Supervisor(int in, int out, bool alone) : in_(in), out_(out), alone_(alone), signals_(wake_on_children()) {
  make_private(in_);
  make_private(out_);
}

int Supervisor::serve() {
  queue({{"event", "ready"}, {"version", 1}});
  while (!finished_ && wait_for_events()) {
    take_requests();
    reap();
    if (running_ && !running_->ended) enforce();
    if (running_ && pending_.empty()) read_output();
    if (!pending_.empty()) write_pending();
  }
  kill_descendants([this] { return reap(); }, kPatience);
  return exit_code_;
}

bool Supervisor::wait_for_events() {
  std::array<pollfd, 4> files{{{in_, POLLIN, 0}, {signals_, POLLIN, 0}, {-1, POLLIN, 0}, {out_, 0, 0}}};
  if (!pending_.empty()) {
    files[3].events = POLLOUT;
  } else if (running_) {
    files[2].fd = running_->child.output;
  }
  const bool conclude_now = running_ && running_->ended && pending_.empty();
  const int timeout = conclude_now ? 0 : running_ ? static_cast<int>(kSampling.count()) : -1;
  if (poll(files.data(), files.size(), timeout) < 0 && errno != EINTR) return false;
  std::array<signalfd_siginfo, 16> woken;
  while (read(signals_, woken.data(), sizeof woken) > 0) continue;
  return (files[3].revents & (POLLERR | POLLNVAL)) == 0;
}

void Supervisor::take_requests() {
  std::array<char, 65536> piece;
  ssize_t count = 0;
  while ((count = read(in_, piece.data(), piece.size())) > 0) {
    request_.append(piece.data(), static_cast<std::size_t>(count));
    if (request_.size() > kLongestRequest) break;
  }
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) || request_.size() > kLongestRequest) {
    finished_ = true;  // the agent is gone, or talks nonsense
    return;
  }
  for (std::size_t end = 0; (end = request_.find('\n')) != std::string::npos; request_.erase(0, end + 1)) {
    take_line(std::string_view(request_).substr(0, end));
  }
}

void Supervisor::take_line(std::string_view line) {
  const Result<Request> request = parse_request(line);
  if (!request) {
    queue({{"event", "error"}, {"message", request.error().message}});
  } else if (const auto* kill_request = std::get_if<KillRequest>(&*request)) {
    if (running_ && !running_->ended && running_->request.id == kill_request->id) {
      stop("cancelled");
      signal_descendants(SIGKILL);
    }
  } else {
    take(std::get<RunRequest>(*request));
  }
}

void Supervisor::take(const RunRequest& request) {
  if (running_) return queue({{"event", "error"}, {"message", "another command is running"}});
  Running next;
  next.request = request;
  next.memory_kills = alone_ ? counters::memory_kills().value_or(0) : 0;
  next.processes_refused = alone_ ? counters::processes_refused().value_or(0) : 0;
  next.started = Clock::now();
  const Result<Child> child = start_child(request);
  if (!child) return queue({{"event", "error"}, {"message", child.error().message}});
  next.child = *child;
  running_ = std::move(next);
}

/// Takes the dead; whether children remain.
bool Supervisor::reap() {
  while (true) {
    int status = 0;
    rusage used{};
    const pid_t pid = wait4(-1, &status, WNOHANG, &used);
    if (pid < 0 && errno == ECHILD) return false;
    if (pid <= 0) return true;
    if (!running_) continue;
    const auto most = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
    running_->peak_memory_bytes = std::max(running_->peak_memory_bytes, most);
    if (pid != running_->child.pid) continue;
    running_->ended = true;
    running_->status = status;
    running_->end = Clock::now();
  }
}

void Supervisor::stop(std::string_view reason) {
  if (running_->stopped == "no") running_->stopped = reason;
}

bool Supervisor::sampling_due() const { return Clock::now() - sampled_ >= kSampling; }

void Supervisor::enforce() {
  const auto now = Clock::now();
  if (running_->kill_at && now >= *running_->kill_at) {
    signal_descendants(SIGKILL);
  } else if (!running_->kill_at && now - running_->started >= running_->request.time) {
    stop("time_limit");
    running_->kill_at = now + kGrace;
    signal_descendants(SIGTERM);
    signal_descendants(SIGCONT);
  }
  if (sampling_due()) enforce_usage();
}

void Supervisor::enforce_usage() {
  sampled_ = Clock::now();
  const std::vector<pid_t> processes = descendants();
  const Usage usage = usage_of(processes);
  const auto counted = alone_ ? counters::memory_bytes() : std::nullopt;
  std::uint64_t memory = counted.value_or(usage.memory_bytes);
  const std::uint64_t limit = running_->request.memory_bytes;
  if (!counted && limit != 0 && memory > limit) memory = proportional_memory(processes);
  running_->peak_memory_bytes = std::max(running_->peak_memory_bytes, memory);
  const int allowed = running_->request.processes;
  if (limit != 0 && memory > limit) stop("memory_limit");
  const bool refused = alone_ && counters::processes_refused().value_or(0) > running_->processes_refused;
  if (refused || (allowed != 0 && usage.threads > allowed)) stop("process_limit");
  const std::string_view stopped = running_->stopped;
  if (stopped == "memory_limit" || stopped == "process_limit") signal_descendants(SIGKILL);
}

/// One piece of output; when the command has ended and all is read, its exit.
void Supervisor::read_output() {
  if (running_->ended && !kill_descendants([this] { return reap(); }, kPatience)) {
    exit_code_ = 3;  // something does not die: the container must go, and the agent will call it broken
    finished_ = true;
    return;
  }
  std::array<char, kPiece> piece;
  const ssize_t count = read(running_->child.output, piece.data(), piece.size());
  if (count > 0) {
    queue({{"event", "output"}, {"id", running_->request.id}, {"bytes", count}});
    pending_.append(piece.data(), static_cast<std::size_t>(count));
  } else if (running_->ended) {
    conclude();
  } else if (count == 0) {
    // All writers have closed it while the command still runs; a closed pipe would wake poll without end.
    close(running_->child.output);
    running_->child.output = -1;
  }
}

/// What the kernel's counters add to the reason: kills and refusals of the container's own limits.
void Supervisor::explain_end() {
  if (!alone_) return;
  const bool failed = running_->status != 0;
  if (counters::memory_kills().value_or(0) > running_->memory_kills) {
    stop("memory_limit");
    const std::uint64_t peak = counters::peak_memory_bytes().value_or(0);
    running_->peak_memory_bytes = std::max(running_->peak_memory_bytes, peak);
  } else if (failed && counters::processes_refused().value_or(0) > running_->processes_refused) {
    stop("process_limit");
  }
}

void Supervisor::conclude() {
  explain_end();
  const int status = running_->status;
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::chrono::duration<double> took = running_->end - running_->started;
  queue({{"event", "exit"},
         {"id", running_->request.id},
         {"code", signal != 0 ? 128 + signal : WEXITSTATUS(status)},
         {"signal", signal},
         {"seconds", took.count()},
         {"peak_memory_bytes", running_->peak_memory_bytes},
         {"stopped", running_->stopped}});
  if (running_->child.output >= 0) close(running_->child.output);
  running_.reset();
}

void Supervisor::queue(const boost::json::object& event) { pending_ += boost::json::serialize(event) + '\n'; }

void Supervisor::write_pending() {
  while (written_ < pending_.size()) {
    const ssize_t count = write(out_, pending_.data() + written_, pending_.size() - written_);
    if (count > 0) {
      written_ += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      finished_ = true;
      return;
    }
  }
  pending_.clear();
  written_ = 0;
}

}  // namespace crosswarp::runner
