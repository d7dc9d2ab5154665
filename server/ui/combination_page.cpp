// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"
#include "server/ui/text.hpp"
#include "server/ui/view.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace crosswarp::ui {
namespace {

namespace json = boost::json;

std::string answer(const table::Verdict& verdict) {
  const std::string rung = verdict.rung ? std::string(to_text(*verdict.rung)) : std::string();
  if (!verdict.status) return "Not decided yet";
  switch (*verdict.status) {
    case Status::passed:
      return "Passes up to " + rung + (verdict.evidence == Evidence::hardware ? "" : "; nobody ran it on a device");
    case Status::failed: return "Fails at " + rung;
    case Status::unsupported: return "Unsupported";
    case Status::skipped: return "Skipped: it could have run and did not";
    case Status::untested: return "Untested";
    case Status::broken: break;
  }
  return "Broken here: this says nothing of the library";
}

std::string text_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

double number_at(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  boost::system::error_code failure;
  const double number = value == nullptr ? 0 : value->to_number<double>(failure);
  return failure ? 0 : number;
}

/// "product matmul.ptx {"fma":0,"matrix":96}"
View proof_view(const json::object& proof) {
  const json::value* holds = proof.if_contains("holds");
  const json::value* found = proof.if_contains("found");
  std::string text = text_at(proof, "kind");
  const std::string file = text_at(proof, "file");
  if (!file.empty()) text += ' ' + file;
  if (found != nullptr) text += ' ' + json::serialize(*found);
  View view;
  view.set("mark", std::string(holds != nullptr && holds->is_bool() && holds->as_bool() ? "✓" : "✕"));
  set_text(view, "text", text);
  return view;
}

View unit_view(const json::object& unit) {
  const std::string outcome = text_at(unit, "outcome");
  const std::string name = text_at(unit, "unit");
  View proofs = list();
  const json::value* found = unit.if_contains("proofs");
  if (found != nullptr && found->is_array()) {
    for (const json::value& proof : found->as_array()) {
      if (proof.is_object()) proofs << proof_view(proof.as_object());
    }
  }
  View view;
  set_text(view, "name", name);
  set_text(view, "outcome", outcome);
  view.set("mark", std::string(mark_of(status_from_text(outcome).value_or(Status::untested))));
  view.set("seconds", duration(number_at(unit, "seconds")));
  view.set("memory", size(static_cast<std::uint64_t>(number_at(unit, "peak_memory_bytes"))));
  set_text(view, "reason", text_at(unit, "reason"));
  view.set("proofs", proofs);
  return view;
}

/// The job of the chain that has the rung, that job's last attempt, and the units of the rung in it.
struct Step {
  const jobs::Job* job = nullptr;
  const jobs::Attempt* attempt = nullptr;
  std::vector<const json::object*> units;
};

Step step_of(Rung rung, const std::vector<jobs::Job>& chain) {
  Step step;
  for (const jobs::Job& job : chain) {
    if (std::find(job.rungs.begin(), job.rungs.end(), rung) == job.rungs.end()) continue;
    step.job = &job;
    if (job.attempts.empty()) continue;
    step.attempt = &job.attempts.back();
    for (const json::value& unit : step.attempt->units) {
      if (unit.is_object() && text_at(unit.as_object(), "rung") == to_text(rung))
        step.units.push_back(&unit.as_object());
    }
  }
  return step;
}

/// What became of a rung: proved, the one it ended at, or neither.
std::optional<Status> status_at(Rung rung, const table::Verdict& verdict, const Step& step) {
  const bool proved = verdict.proved && rung <= *verdict.proved;
  if (verdict.rung == rung && verdict.status != Status::passed) return verdict.status;
  if (proved && (step.job != nullptr || rung == Rung::feasible)) return Status::passed;
  return std::nullopt;
}

/// How a rung that passed was proved. The verdict has the word for the highest, the attempt of each job for its own;
/// what comes before any install is metadata only.
std::optional<Evidence> evidence_at(Rung rung, const table::Verdict& verdict, const Step& step) {
  if (rung == verdict.proved) return verdict.evidence;
  if (rung <= Rung::resolve) return Evidence::resolved;
  return step.attempt != nullptr ? step.attempt->evidence : std::nullopt;
}

/// Why a rung has no outcome. Where no job was planned nobody knows what would have been.
std::string_view note_of(const Step& step, bool planned) {
  if (step.job != nullptr) return "not reached";
  return planned ? "not asked for" : "";
}

View rung_view(Rung rung, const table::Verdict& verdict, const Step& step, bool planned) {
  const std::optional<Status> status = status_at(rung, verdict, step);
  View units = list();
  for (const json::object* unit : step.units) units << unit_view(*unit);
  View view;
  view.set("rung", std::string(to_text(rung)));
  view.set("mark", std::string(status ? mark_of(status) : "·"));
  view.set("class", std::string(status ? word_of(status) : "untested"));
  const auto evidence = status == Status::passed ? evidence_at(rung, verdict, step) : std::nullopt;
  view.set("evidence", std::string(evidence ? to_text(*evidence) : ""));
  view.set("note", std::string(status ? "" : note_of(step, planned)));
  view.set("units", units);
  view.set("has_job", step.job != nullptr);
  view.set("job_href", step.job != nullptr ? job_url(step.job->id) : std::string());
  return view;
}

std::string last_lock(const std::vector<jobs::Job>& chain) {
  std::string lock;
  for (const jobs::Job& job : chain) {
    for (const jobs::Attempt& attempt : job.attempts) {
      if (!attempt.lock.empty()) lock = attempt.lock;
    }
  }
  return lock;
}

void set_verdict(View& view, const table::Verdict& verdict, TimePoint now) {
  view.set("word", std::string(word_of(verdict.status)));
  view.set("mark", std::string(mark_of(verdict.status)));
  set_text(view, "answer", answer(verdict));
  set_text(view, "reason", verdict.reason);
  set_text(view, "source", verdict.source);
  set_text(view, "remedy", verdict.remedy);
  set_text(view, "code", verdict.code);
  set_text(view, "since", verdict.since);
  set_text(view, "checked", verdict.checked);
  view.set("age", age(verdict.checked, now));
  set_text(view, "run", verdict.run ? std::to_string(*verdict.run) : std::string());
  view.set("run_href", verdict.run ? run_url(*verdict.run) : std::string());
}

}  // namespace

std::string combination_page(const table::Verdict& verdict, const std::vector<jobs::Job>& chain, TimePoint now) {
  View view;
  const std::string name = combination_name(verdict.combination, verdict.library);
  set_text(view, "library", verdict.library);
  view.set("library_href", library_url(verdict.library));
  set_text(view, "name", name);
  set_text(view, "id", verdict.id);
  set_verdict(view, verdict, now);
  View rungs = list();
  for (const Rung rung : kRungs) {
    rungs << rung_view(rung, verdict, step_of(rung, chain), !chain.empty());
  }
  view.set("rungs", rungs);
  View axes = list();
  for (const auto& [axis, value] : verdict.combination) {
    View row;
    set_text(row, "axis", axis);
    set_text(row, "value", value);
    axes << row;
  }
  view.set("axes", axes);
  set_text(view, "lock", last_lock(chain));
  return render_page(name, "combination", view);
}

}  // namespace crosswarp::ui
