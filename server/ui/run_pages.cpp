// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"
#include "server/ui/run_table.hpp"
#include "server/ui/text.hpp"

namespace crosswarp::ui {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

template <class Counts, class Word>
std::string counts_text(const Counts& counts, Word word) {
  std::string text;
  for (const auto& [key, count] : counts) {
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + std::string(word(key));
  }
  return text;
}

View run_row(const runs::Run& run) {
  View row;
  set_number(row, "id", run.id);
  row.set("href", run_url(run.id));
  set_text(row, "label", run.label);
  row.set("state", std::string(runs::to_text(run.state)));
  set_text(row, "libraries", joined(run.libraries));
  set_number(row, "done", run.done);
  set_number(row, "total", run.combinations);
  row.set("found", counts_text(run.by_status, [](const std::string& word) { return word; }));
  row.set("created", run.created);
  row.set("took", duration(run.elapsed_seconds));
  return row;
}

View doing_of(const std::vector<runs::RunDoing>& doing) {
  View items = list();
  for (const runs::RunDoing& one : doing) {
    View item;
    set_text(item, "agent", one.agent);
    set_text(item, "stage", stage_text(one.job.stage));
    set_text(item, "library", one.job.library);
    set_text(item, "axes", axes_text(one.job.axes));
    item.set("href", job_url(one.job.job));
    item.set("since", duration(static_cast<double>(one.job.since_seconds)));
    items << item;
  }
  return items;
}

View missing_of(const std::vector<runs::Missing>& missing) {
  View items = list();
  for (const runs::Missing& one : missing) {
    View item;
    set_text(item, "text", one.text);
    set_number(item, "combinations", one.combinations);
    items << item;
  }
  return items;
}

View counts_of(const std::map<std::string, std::int64_t>& by_status) {
  View items = list();
  for (const auto& [word, count] : by_status) {
    View item;
    set_text(item, "word", word);
    item.set("mark", std::string(mark_of(status_from_text(word))));
    set_number(item, "count", count);
    if (count > 0) items << item;
  }
  return items;
}

View combination_row(const runs::RunCombination& combination) {
  const table::Verdict& verdict = combination.verdict;
  View row;
  set_text(row, "name", combination_name(verdict.combination, verdict.library));
  row.set("href", combination_url(verdict.library, verdict.id));
  row.set("word", std::string(word_of(verdict.status)));
  row.set("mark", std::string(mark_of(verdict.status)));
  row.set("rung", std::string(verdict.rung ? to_text(*verdict.rung) : ""));
  set_text(row, "reason", verdict.reason);
  View jobs = list();
  for (const std::int64_t id : combination.jobs) {
    View job;
    job.set("href", job_url(id));
    set_number(job, "id", id);
    jobs << job;
  }
  row.set("jobs", jobs);
  return row;
}

View libraries_of(const runs::Run& run) {
  View items = list();
  for (const std::string& library : run.libraries) {
    View item;
    set_text(item, "name", library);
    item.set("href", library_url(library));
    items << item;
  }
  return items;
}

}  // namespace

std::string axes_text(const Combination& axes) {
  std::string text;
  for (const auto& [axis, value] : axes) text += (text.empty() ? "" : ", ") + axis + ' ' + value;
  return text;
}

std::string run_table(const std::vector<runs::Run>& runs) {
  View rows = list();
  for (const runs::Run& run : runs) rows << run_row(run);
  View view;
  view.set("runs", rows);
  return render("runs_table", view);
}

std::string runs_page(const runs::RunPage& page) {
  View view;
  view.set("any", !page.runs.empty());
  view.set("table", run_table(page.runs));
  set_text(view, "next", page.next ? "/runs?cursor=" + std::to_string(*page.next) : std::string());
  return render_page("Runs", "runs", view);
}

std::string run_page(const runs::Run& run, const runs::CombinationPage& page) {
  View view = run_row(run);
  view.set("libraries", libraries_of(run));
  view.set("counts", counts_of(run.by_status));
  view.set("jobs", counts_text(run.jobs, [](jobs::JobState state) { return jobs::to_text(state); }));
  set_list(view, "missing", missing_of(run.missing));
  set_list(view, "doing", doing_of(run.doing));
  View rows = list();
  for (const runs::RunCombination& combination : page.combinations) rows << combination_row(combination);
  view.set("combinations", rows);
  set_text(view, "next", page.next ? run_url(run.id) + "?cursor=" + std::to_string(*page.next) : std::string());
  return render_page("Run " + std::to_string(run.id), "run", view, run.state == runs::RunState::running);
}

}  // namespace crosswarp::ui
