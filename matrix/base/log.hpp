// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>

namespace crosswarp {

/// One field of a log line. Text that needs it is quoted, control characters escaped, so one event is one line.
struct LogField {
  LogField(std::string_view key, std::string_view value) : key(key), value(value) {}
  LogField(std::string_view key, const char* value) : key(key), value(value) {}
  LogField(std::string_view key, const std::string& value) : key(key), value(value) {}
  template <class T>
    requires std::integral<T> || std::floating_point<T>
  LogField(std::string_view key, T value) : key(key), value(std::to_string(value)) {}

  std::string_view key;
  std::string value;
};

enum class LogLevel { debug, info, warning, error };

/// Writes one event to stderr: `2026-11-30T12:00:00.123Z info event=job.finished run=41 job=907 status=failed`.
/// Thread-safe. Never give it a token.
void log_event(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

/// Events below `level` are dropped; `info` at start.
void set_log_level(LogLevel level);

/// The value as it stands in a log line.
std::string log_value(std::string_view text);

}  // namespace crosswarp
