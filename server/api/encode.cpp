// SPDX-License-Identifier: Apache-2.0
#include "server/api/encode.hpp"

#include "agent/protocol/protocol.hpp"

namespace crosswarp::api {
namespace {

namespace json = boost::json;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

template <class T>
json::value or_null(const std::optional<T>& value) {
  return value ? json::value(*value) : json::value(nullptr);
}

/// The word of an optional enumerator of the ladder.
template <class Enum>
json::value word(const std::optional<Enum>& value) {
  return value ? json::value(to_text(*value)) : json::value(nullptr);
}

template <class Words>
json::array words(const Words& values) {
  json::array array;
  for (const auto value : values) array.push_back(json::value(to_text(value)));
  return array;
}

json::array texts(const std::vector<std::string>& values) { return json::array(values.begin(), values.end()); }

json::object to_json(const agents::Doing& doing) {
  return {{"run", doing.run},
          {"job", doing.job},
          {"attempt", doing.attempt},
          {"library", doing.library},
          {"axes", protocol::to_json(doing.axes)},
          {"stage", doing.stage},
          {"since_seconds", doing.since_seconds}};
}

/// An attempt without what is large of it.
json::object outline(const jobs::Attempt& attempt) {
  return {{"id", attempt.id},
          {"number", attempt.number},
          {"agent", attempt.agent},
          {"started", attempt.started},
          {"ended", or_null(attempt.ended)},
          {"seconds", attempt.seconds},
          {"outcome", text_or_null(attempt.outcome)},
          {"stage", text_or_null(attempt.stage)},
          {"rung", word(attempt.rung)},
          {"proved", word(attempt.proved)},
          {"evidence", word(attempt.evidence)},
          {"code", text_or_null(attempt.code)},
          {"reason", text_or_null(attempt.reason)},
          {"remedy", text_or_null(attempt.remedy)},
          {"log_size", attempt.log_size}};
}

json::object to_json(const jobs::Attempt& attempt) {
  json::object object = outline(attempt);
  object["units"] = attempt.units;
  object["lock"] = text_or_null(attempt.lock);
  object["details"] = attempt.details;
  return object;
}

json::object jobs_of(const std::map<jobs::JobState, std::int64_t>& counts) {
  json::object object;
  for (const auto& [state, count] : counts) object[jobs::to_text(state)] = count;
  return object;
}

json::object doing_of(const runs::RunDoing& doing) {
  json::object object = to_json(doing.job);
  object["agent"] = doing.agent;
  return object;
}

json::object job_with(const jobs::Job& job, json::array attempts) {
  return {{"id", job.id},
          {"run", job.run},
          {"parent", or_null(job.parent)},
          {"library", job.library},
          {"key", job.key},
          {"rungs", words(job.rungs)},
          {"axes", protocol::to_json(job.axes)},
          {"state", jobs::to_text(job.state)},
          {"outcome", text_or_null(job.outcome)},
          {"needs", texts(job.needs)},
          {"missing", text_or_null(job.missing)},
          {"memory_bytes", job.memory_bytes},
          {"depth", job.depth},
          {"control", job.control},
          {"attempts", std::move(attempts)}};
}

}  // namespace

json::object to_json(const table::Verdict& verdict) {
  return {{"library", verdict.library},
          {"version", verdict.version},
          {"combination", protocol::to_json(verdict.combination)},
          {"id", verdict.id},
          {"status", verdict.status ? json::value(to_text(*verdict.status)) : json::value("pending")},
          {"rung", word(verdict.rung)},
          {"proved", word(verdict.proved)},
          {"evidence", word(verdict.evidence)},
          {"reason", text_or_null(verdict.reason)},
          {"code", text_or_null(verdict.code)},
          {"remedy", text_or_null(verdict.remedy)},
          {"source", text_or_null(verdict.source)},
          {"since", text_or_null(verdict.since)},
          {"checked", text_or_null(verdict.checked)},
          {"run", or_null(verdict.run)},
          {"job", or_null(verdict.job)},
          {"attempt", or_null(verdict.attempt)},
          {"control", verdict.control}};
}

json::object to_json(const runs::Run& run) {
  json::object by_status;
  for (const auto& [status, count] : run.by_status) by_status[status] = count;
  json::array doing;
  for (const runs::RunDoing& one : run.doing) doing.push_back(doing_of(one));
  json::array missing;
  for (const runs::Missing& lack : run.missing) {
    missing.push_back({{"need", lack.need}, {"text", lack.text}, {"combinations", lack.combinations}});
  }
  return {{"run", run.id},
          {"label", text_or_null(run.label)},
          {"state", runs::to_text(run.state)},
          {"created", run.created},
          {"finished", or_null(run.finished)},
          {"elapsed_seconds", run.elapsed_seconds},
          {"library", texts(run.libraries)},
          {"combinations", run.combinations},
          {"done", run.done},
          {"by_status", std::move(by_status)},
          {"jobs", jobs_of(run.jobs)},
          {"doing", std::move(doing)},
          {"missing", std::move(missing)}};
}

json::object to_json(const runs::RunCombination& combination) {
  json::object object = to_json(combination.verdict);
  object["jobs"] = json::array(combination.jobs.begin(), combination.jobs.end());
  return object;
}

json::object to_json(const jobs::Job& job) {
  json::array attempts;
  for (const jobs::Attempt& attempt : job.attempts) attempts.push_back(to_json(attempt));
  return job_with(job, std::move(attempts));
}

json::object outline(const jobs::Job& job) {
  json::array attempts;
  for (const jobs::Attempt& attempt : job.attempts) attempts.push_back(outline(attempt));
  return job_with(job, std::move(attempts));
}

json::object to_json(const agents::Agent& agent) {
  json::array doing;
  for (const agents::Doing& one : agent.doing) doing.push_back(to_json(one));
  return {{"id", agent.id},
          {"name", agent.host.name},
          {"version", agent.host.version},
          {"state", agent.live ? "live" : "lost"},
          {"offers", texts(agent.host.offers)},
          {"memory_bytes", agent.host.memory_bytes},
          {"slots", agent.host.slots},
          {"facts", agent.host.facts},
          {"registered", agent.registered},
          {"heard", agent.heard},
          {"doing", std::move(doing)}};
}

json::object to_json(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  return {{"place", place.line == 0 ? json::value(nullptr)
                                    : json::value(std::to_string(place.line) + ':' + std::to_string(place.column))},
          {"field", text_or_null(diagnostic.field)},
          {"message", diagnostic.message}};
}

}  // namespace crosswarp::api
