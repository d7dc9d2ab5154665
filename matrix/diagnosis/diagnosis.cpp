// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/diagnosis.hpp"

#include "matrix/diagnosis/log_lines.hpp"
#include "matrix/diagnosis/scan.hpp"

#include <csignal>
#include <utility>

namespace crosswarp {
namespace {

using diagnosis::LogLines;

constexpr int kOurFaultExit = 75;  // EX_TEMPFAIL: the contract of recipes with us

std::optional<Diagnosis> of_limit(const UnitTrace& trace) {
  const std::string limit(trace.limit);
  switch (trace.stopped) {
    case Stopped::no:
      return std::nullopt;
    case Stopped::time_limit:
      return Diagnosis{.code = "time_limit", .reason = "stopped at its time limit of " + limit};
    case Stopped::memory_limit:
      return Diagnosis{.code = "memory_limit", .reason = "killed at its memory limit of " + limit};
    case Stopped::process_limit:
      return Diagnosis{.code = "process_limit", .reason = "stopped at its limit of " + limit};
    case Stopped::cancelled:
      return Diagnosis{.our_fault = true, .code = "cancelled", .reason = "cancelled before it ended"};
  }
  return std::nullopt;
}

/// The signal that ended the unit, also where a shell turned it into an exit code.
int signal_of(const UnitTrace& trace) {
  if (trace.signal != 0) return trace.signal;
  constexpr int kLast = 31;
  return trace.exit_code > 128 && trace.exit_code <= 128 + kLast ? trace.exit_code - 128 : 0;
}

std::string signal_name(int signal) {
  const std::pair<int, const char*> names[] = {
      {SIGABRT, "SIGABRT"}, {SIGSEGV, "SIGSEGV"}, {SIGKILL, "SIGKILL"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"},
      {SIGFPE, "SIGFPE"},   {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"}, {SIGPIPE, "SIGPIPE"}};
  for (const auto& [number, name] : names) {
    if (number == signal) return name;
  }
  return "signal " + std::to_string(signal);
}

std::optional<std::size_t> last_line(const LogLines& lines) {
  for (std::size_t at = lines.size(); at > 0; --at) {
    if (!diagnosis::trimmed(lines[at - 1].text).empty()) return at - 1;
  }
  return std::nullopt;
}

Diagnosis of_last_line(const LogLines& lines, bool our_fault, std::string code, const std::string& otherwise) {
  Diagnosis found{.our_fault = our_fault, .code = std::move(code), .reason = otherwise};
  if (const auto at = last_line(lines)) {
    found.reason = std::string(lines[*at].text);
    found.offset = lines[*at].offset;
  }
  return found;
}

/// Nothing of ours sent a SIGKILL or SIGTERM, or it would be among the limits: somebody else on the host did.
Diagnosis of_signal(int signal) {
  if (signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP) {
    return {.our_fault = true,
            .code = "killed",
            .reason = "ended by " + signal_name(signal) + ", sent by no limit of this job: the host's out-of-memory "
                      "killer, or a person"};
  }
  return {.code = "crash", .reason = "ended by " + signal_name(signal) + " without a message"};
}

Diagnosis of_trace(const UnitTrace& trace) {
  if (auto limit = of_limit(trace)) return *limit;
  const LogLines lines(trace.log);
  const std::string exit_text = "exit code " + std::to_string(trace.exit_code) + " and nothing in its log";
  if (trace.exit_code == kOurFaultExit) return of_last_line(lines, true, "environment", exit_text);
  const int signal = signal_of(trace);
  const auto found = diagnosis::scan(lines, trace, signal != 0);
  const bool is_named = found && found->code != "crash";
  if (signal != 0 && !is_named) return of_signal(signal);
  return found ? *found : of_last_line(lines, false, "unknown", exit_text);
}

}  // namespace

Diagnosis diagnose(const UnitTrace& trace) {
  Diagnosis found = of_trace(trace);
  found.reason = diagnosis::one_line(found.reason);
  found.remedy = diagnosis::one_line(found.remedy);
  return found;
}

}  // namespace crosswarp
