// SPDX-License-Identifier: Apache-2.0
#include "matrix/base/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace crosswarp {
namespace {

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("crosswarp", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    return made;
  }();
  return *instance;
}

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warning: return spdlog::level::warn;
    case LogLevel::error: break;
  }
  return spdlog::level::err;
}

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (byte == '"' || byte == '\\') {
    out += {'\\', static_cast<char>(byte)};
  } else if (byte == '\n') {
    out += "\\n";
  } else if (byte < 0x20 || byte == 0x7f) {
    out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  } else {
    out += static_cast<char>(byte);
  }
}

}  // namespace

std::string log_value(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_of(" \t\n\r\"\\=") == std::string_view::npos;
  std::string out;
  if (!plain) out += '"';
  for (const unsigned char byte : text) append_escaped(out, byte);
  if (!plain) out += '"';
  return out;
}

void log_event(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  if (!logger().should_log(level_of(level))) return;
  std::string line = "event=" + std::string(event);
  for (const LogField& field : fields) line += ' ' + std::string(field.key) + '=' + log_value(field.value);
  logger().log(level_of(level), spdlog::string_view_t(line.data(), line.size()));
}

void set_log_level(LogLevel level) { logger().set_level(level_of(level)); }

}  // namespace crosswarp
