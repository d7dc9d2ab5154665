// SPDX-License-Identifier: Apache-2.0
#include "server/ui/text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace crosswarp::ui {
namespace {

std::string fixed(double value, int digits) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

std::optional<std::time_t> parse_time(std::string_view text) {
  std::tm parts{};
  const std::string copy(text);
  if (strptime(copy.c_str(), "%Y-%m-%dT%H:%M:%S", &parts) == nullptr) return std::nullopt;
  return timegm(&parts);
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if ((code < 0x20 && byte != '\n' && byte != '\t') || code == 0x7f) {
      out += {'\\', 'x', kDigits[code >> 4], kDigits[code & 15]};
    } else {
      out += byte;
    }
  }
  return out;
}

std::string_view mark_of(std::optional<Status> status) {
  if (!status) return "…";
  switch (*status) {
    case Status::passed: return "✓";
    case Status::failed: return "✕";
    case Status::unsupported: return "–";
    case Status::skipped: return "○";
    case Status::untested: return "·";
    case Status::broken: break;
  }
  return "!";
}

std::string_view word_of(std::optional<Status> status) { return status ? to_text(*status) : "pending"; }

std::string_view sign_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::resolved: return "▫";
    case Evidence::installed: return "▪";
    case Evidence::compiled: return "◇";
    case Evidence::emulated: return "◐";
    case Evidence::hardware: break;
  }
  return "●";
}

std::string_view stage_text(std::string_view stage) { return stage.empty() ? "starting" : stage; }

std::string age(std::string_view time, std::chrono::system_clock::time_point now) {
  const auto then = parse_time(time);
  if (!then) return "";
  const long minutes = static_cast<long>(std::chrono::system_clock::to_time_t(now) - *then) / 60;
  if (minutes < 1) return "now";
  if (minutes < 60) return std::to_string(minutes) + " min";
  if (minutes < 48 * 60) return std::to_string(minutes / 60) + " h";
  return std::to_string(minutes / (24 * 60)) + " d";
}

std::string duration(double seconds) {
  if (seconds < 10) return fixed(seconds, 1) + " s";
  const long whole = std::lround(seconds);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string size(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{" KiB", " MiB", " GiB", " TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fixed(value, 1) + kUnits[unit];
}

}  // namespace crosswarp::ui
