// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include "cli/status_mark.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cstdio>

namespace crosswarp::cli {

namespace json = boost::json;

namespace {

constexpr std::chrono::seconds kLineEvery{10};
constexpr std::size_t kMostAgents = 12;

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? one_line(value->get_string()) : std::string();
}

std::int64_t number_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (!value || !value->is_number()) return 0;
  return value->is_double() ? static_cast<std::int64_t>(value->get_double()) : value->to_number<std::int64_t>();
}

template <class Take>
void each_of(const json::object& object, std::string_view key, Take take) {
  const json::value* list = object.if_contains(key);
  if (!list || !list->is_array()) return;
  for (const json::value& item : list->get_array()) take(item);
}

RunProgress::Doing doing_of(const json::object& object) {
  std::string what = text_of(object, "stage");
  const json::value* axes = object.if_contains("axes");
  if (axes && axes->is_object()) {
    for (const auto& [axis, value] : axes->get_object()) {
      if (value.is_string()) what += (what.empty() ? "" : " ") + one_line(axis) + '=' + one_line(value.get_string());
    }
  }
  return {text_of(object, "agent"), std::move(what), std::chrono::seconds(number_of(object, "since_seconds"))};
}

std::string counts_text(const RunProgress& progress, const Terminal& terminal) {
  std::string text;
  for (const StatusMark& mark : kStatusMarks) {
    const std::int64_t count = progress.count(mark.status);
    if (count == 0) continue;
    text += (text.empty() ? "" : "  ") + painted(terminal, mark.color, sign_of(mark, terminal)) + ' ' +
            std::string(mark.status) + ' ' + std::to_string(count);
  }
  return text;
}

}  // namespace

std::int64_t RunProgress::count(std::string_view status) const {
  const auto found = by_status.find(status);
  return found == by_status.end() ? 0 : found->second;
}

Result<RunProgress> run_progress(const json::value& answer) {
  const json::object* object = answer.if_object();
  if (!object || !object->contains("run") || !object->contains("state")) {
    return Error{ErrorCode::unavailable, "the server answered what is no run"};
  }
  RunProgress progress;
  progress.run = number_of(*object, "run");
  progress.state = text_of(*object, "state");
  progress.total = number_of(*object, "combinations");
  progress.done = number_of(*object, "done");
  progress.elapsed = std::chrono::seconds(number_of(*object, "elapsed_seconds"));
  each_of(*object, "library", [&](const json::value& name) {
    if (name.is_string()) progress.libraries += (progress.libraries.empty() ? "" : ", ") + one_line(name.get_string());
  });
  if (const json::value* counts = object->if_contains("by_status"); counts && counts->is_object()) {
    for (const auto& [status, count] : counts->get_object()) {
      progress.by_status[std::string(status)] = number_of(counts->get_object(), status);
    }
  }
  each_of(*object, "doing", [&](const json::value& one) {
    if (one.is_object()) progress.doing.push_back(doing_of(one.get_object()));
  });
  each_of(*object, "missing", [&](const json::value& lack) {
    if (!lack.is_object()) return;
    const std::int64_t count = number_of(lack.get_object(), "combinations");
    progress.missing.push_back(text_of(lack.get_object(), "text") + " (" + std::to_string(count) +
                               (count == 1 ? " combination)" : " combinations)"));
  });
  return progress;
}

std::string clock_text(std::chrono::seconds time) {
  const std::int64_t seconds = std::max<std::int64_t>(time.count(), 0);
  char text[32];
  std::snprintf(text, sizeof text, "%lld:%02d:%02d", static_cast<long long>(seconds / 3600),
                static_cast<int>(seconds / 60 % 60), static_cast<int>(seconds % 60));
  return text;
}

std::vector<std::string> progress_lines(const RunProgress& progress, const Terminal& terminal) {
  const std::string name = "run " + std::to_string(progress.run) +
                           (progress.libraries.empty() ? "" : " (" + progress.libraries + ')');
  std::vector<std::string> lines{
      shortened(name + ": " + std::to_string(progress.done) + " of " + std::to_string(progress.total) +
                    " combinations done, " + clock_text(progress.elapsed),
                terminal.width)};
  // Colours take no columns, so a line that would not fit goes without them.
  Terminal plain = terminal;
  plain.color = false;
  const std::string counts = counts_text(progress, plain);
  lines.push_back("  " + (columns_of(counts) + 2 <= terminal.width ? counts_text(progress, terminal)
                                                                   : shortened(counts, terminal.width - 2)));
  for (const auto& doing : progress.doing) {
    if (lines.size() == kMostAgents + 2) {
      lines.push_back("  and " + std::to_string(progress.doing.size() - kMostAgents) + " more");
      break;
    }
    lines.push_back(shortened("  " + doing.agent + ": " + doing.what + ", " + clock_text(doing.since), terminal.width));
  }
  for (const std::string& lack : progress.missing) lines.push_back(shortened("  waiting: " + lack, terminal.width));
  return lines;
}

std::string progress_line(const RunProgress& progress) {
  std::string line = "run " + std::to_string(progress.run) + ": " + std::to_string(progress.done) + " of " +
                     std::to_string(progress.total) + " combinations done, " + clock_text(progress.elapsed);
  for (const StatusMark& mark : kStatusMarks) {
    const std::int64_t count = progress.count(mark.status);
    if (count > 0) line += ", " + std::string(mark.status) + ' ' + std::to_string(count);
  }
  for (const auto& doing : progress.doing) line += "; " + doing.agent + ": " + doing.what;
  return line;
}

void ProgressView::show(const RunProgress& progress) {
  last_ = progress_lines(progress, terminal_);
  if (terminal_.interactive) {
    draw(last_);
  } else if (progress.over() || line_due()) {
    write_(progress_line(progress) + '\n');
  }
}

void ProgressView::show_away(const std::string& reason, std::chrono::seconds since) {
  const std::string line = "server away for " + clock_text(since) + ", trying again: " + one_line(reason);
  if (terminal_.interactive) {
    std::vector<std::string> lines = last_;
    lines.push_back(painted(terminal_, Color::yellow, shortened("  " + line, terminal_.width)));
    draw(lines);
  } else if (line_due()) {
    write_(line + '\n');
  }
}

void ProgressView::clear() { draw({}); }

/// Line by line over the old picture, not cleared first: a cleared screen flickers.
void ProgressView::draw(const std::vector<std::string>& lines) {
  std::string out;
  if (drawn_ > 0) out += "\x1b[" + std::to_string(drawn_) + 'A';
  for (const std::string& line : lines) out += '\r' + line + "\x1b[K\n";
  if (drawn_ > lines.size()) out += "\x1b[J";
  drawn_ = lines.size();
  if (!out.empty()) write_(out);
}

bool ProgressView::line_due() {
  const auto now = clock_.now();
  if (said_ && now - *said_ < kLineEvery) return false;
  said_ = now;
  return true;
}

}  // namespace crosswarp::cli
