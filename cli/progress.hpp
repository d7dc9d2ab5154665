// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/terminal.hpp"
#include "matrix/base/clock.hpp"
#include "matrix/base/error.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::cli {

/// How far a run has come, as the server tells it.
struct RunProgress {
  struct Doing {
    std::string agent;
    std::string what;  ///< "build matmul triton=3.3.0 arch=sm_90"
    std::chrono::seconds since{0};
  };

  std::int64_t run = 0;
  std::string libraries;
  std::string state;
  std::int64_t total = 0;
  std::int64_t done = 0;
  std::map<std::string, std::int64_t, std::less<>> by_status;
  std::vector<Doing> doing;
  std::vector<std::string> missing;  ///< "no agent offers driver 550 (4 combinations)"
  std::chrono::seconds elapsed{0};

  bool over() const { return state != "running"; }
  std::int64_t count(std::string_view status) const;
};

/// Errors: unavailable for what is no run: the server is none of ours.
Result<RunProgress> run_progress(const boost::json::value& json);

/// "0:03:12".
std::string clock_text(std::chrono::seconds time);

/// The whole picture for a person: some lines of at most the terminal's width.
std::vector<std::string> progress_lines(const RunProgress& progress, const Terminal& terminal);

/// The same on one line, for logs.
std::string progress_line(const RunProgress& progress);

/// Shows a run's progress: drawn again in place where a person watches, else a line every ten seconds.
class ProgressView {
 public:
  ProgressView(const Terminal& terminal, const Clock& clock, std::function<void(std::string_view)> write)
      : terminal_(terminal), clock_(clock), write_(std::move(write)) {}

  void show(const RunProgress& progress);

  /// Says that the server does not answer, beside what was known last.
  void show_away(const std::string& reason, std::chrono::seconds since);

  /// Takes away what is drawn, so that other text can follow.
  void clear();

 private:
  void draw(const std::vector<std::string>& lines);
  bool line_due();

  Terminal terminal_;
  const Clock& clock_;
  std::function<void(std::string_view)> write_;
  std::vector<std::string> last_;
  std::size_t drawn_ = 0;
  std::optional<std::chrono::steady_clock::time_point> said_;
};

}  // namespace crosswarp::cli
