// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"
#include "server/ui/run_table.hpp"
#include "server/ui/text.hpp"

namespace crosswarp::ui {
namespace {

std::string log_url(std::int64_t job) { return "/api/v1/jobs/" + std::to_string(job) + "/log"; }

std::string rungs_text(const std::vector<Rung>& rungs) {
  std::string text;
  for (const Rung rung : rungs) text += (text.empty() ? "" : ", ") + std::string(to_text(rung));
  return text;
}

std::string needs_text(const std::vector<std::string>& needs) {
  std::string text;
  for (const std::string& need : needs) text += (text.empty() ? "" : ", ") + need;
  return text;
}

View attempt_row(const jobs::Attempt& attempt, std::int64_t job) {
  View row;
  set_number(row, "number", attempt.number);
  set_text(row, "agent", attempt.agent);
  set_text(row, "outcome", attempt.outcome);
  set_text(row, "stage", attempt.ended ? std::string_view() : stage_text(attempt.stage));
  set_text(row, "reason", attempt.reason);
  row.set("took", duration(attempt.seconds));
  row.set("log_href", log_url(job) + "?attempt=" + std::to_string(attempt.id));
  row.set("log_size", size(attempt.log_size));
  return row;
}

void set_log(View& view, const LogTail& log, std::int64_t job) {
  const std::string attempt = "?attempt=" + std::to_string(log.attempt);
  set_text(view, "log", log.text);
  view.set("cut", log.cut);
  view.set("part", size(log.text.size()));
  view.set("size", size(log.size));
  view.set("log_href", log_url(job) + attempt);
  view.set("follows", !log.ended);
  view.set("events", log_url(job) + "/events" + attempt);
}

}  // namespace

std::string job_page(const jobs::Job& job, const std::optional<LogTail>& log) {
  View view;
  set_number(view, "id", job.id);
  set_number(view, "run", job.run);
  view.set("run_href", run_url(job.run));
  set_text(view, "name", axes_text(job.axes));
  set_text(view, "library", job.library);
  set_text(view, "rungs", rungs_text(job.rungs));
  view.set("state", std::string(jobs::to_text(job.state)));
  set_text(view, "outcome", job.outcome);
  set_text(view, "missing", job.missing);
  set_text(view, "needs", needs_text(job.needs));
  view.set("control", job.control);
  set_text(view, "parent", job.parent ? std::to_string(*job.parent) : std::string());
  view.set("parent_href", job.parent ? job_url(*job.parent) : std::string());
  View attempts = list();
  for (const jobs::Attempt& attempt : job.attempts) attempts << attempt_row(attempt, job.id);
  view.set("attempts", attempts);
  if (log) set_log(view, *log, job.id);
  view.set("has_log", log.has_value());
  return render_page("Job " + std::to_string(job.id), "job", view);
}

}  // namespace crosswarp::ui
