// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::diagnosis {

struct Line {
  std::string_view text;  ///< without colours and trailing blanks; at most kLongestLine bytes
  std::uint64_t offset;   ///< where it begins in the log as it came
};

/// A log as lines. A carriage return ends a line as a newline does, so each state of a progress bar is one; empty lines
/// are kept. Views point into the log, which must outlive this. Linear in the size of the log.
class LogLines {
 public:
  static constexpr std::size_t kLongestLine = 4096;

  explicit LogLines(std::string_view log);
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  std::size_t size() const { return lines_.size(); }
  const Line& operator[](std::size_t at) const { return lines_[at]; }

 private:
  void add(std::string_view raw, std::uint64_t offset);

  std::vector<Line> lines_;
  std::deque<std::string> cleaned_;  ///< the lines that had escape sequences; a deque keeps views valid
};

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// `text` as one line of valid UTF-8 of at most 300 bytes: control characters and runs of blanks become one blank,
/// invalid bytes U+FFFD, credentials in an address are dropped, what is too long is cut with an ellipsis.
std::string one_line(std::string_view text);

}  // namespace crosswarp::diagnosis
