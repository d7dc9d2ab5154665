// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/protocol.hpp"

#include "agent/protocol/fields.hpp"

#include <algorithm>

namespace crosswarp::protocol {
namespace {

namespace json = boost::json;

constexpr std::size_t kNameLimit = 200;
constexpr std::size_t kLineLimit = 4096;
constexpr std::size_t kOffersLimit = 10'000;
constexpr std::size_t kLockLimit = std::size_t{1} << 20;
constexpr std::size_t kObjectLimit = std::size_t{1} << 20;
constexpr std::size_t kListLimit = 10'000;
constexpr std::int64_t kSlotsLimit = 4096;
constexpr std::int64_t kDayMilliseconds = 86'400'000;

template <class T>
Result<T> decoded(T value, const std::optional<Error>& error) {
  if (error) return *error;
  return value;
}

template <class T>
json::value word_or_null(const std::optional<T>& word) {
  return word ? json::value(to_text(*word)) : json::value(nullptr);
}

json::array texts(const std::vector<std::string>& values) {
  return json::array(values.begin(), values.end());
}

json::array rung_texts(const std::vector<Rung>& rungs) {
  json::array out;
  for (const auto rung : rungs) out.emplace_back(to_text(rung));
  return out;
}

std::vector<Rung> read_rungs(Fields& fields, std::string_view name) {
  std::vector<Rung> rungs;
  for (const auto& text : fields.optional_texts(name, kRungs.size(), kNameLimit)) {
    const auto rung = rung_from_text(text);
    if (!rung) return fields.fail(name, "unknown rung \"" + text + '"'), std::vector<Rung>{};
    rungs.push_back(*rung);
  }
  return rungs;
}

Combination read_axes(Fields& fields, std::string_view name) {
  Combination axes;
  for (const auto& [axis, value] : fields.optional_object(name, kObjectLimit)) {
    if (!value.is_string()) {
      fields.fail(std::string(name) + '.' + std::string(axis), "expected a text");
      return {};
    }
    axes.emplace(axis, value.get_string());
  }
  return axes;
}

json::object assignment_json(const Assignment& value) {
  json::array files;
  for (const auto& file : value.files) files.push_back(json::object{{"path", file.path}, {"sha256", file.sha256}});
  return {{"attempt", value.attempt},
          {"job", value.job},
          {"run", value.run},
          {"library", value.library},
          {"axes", to_json(value.axes)},
          {"rungs", rung_texts(value.rungs)},
          {"environment", value.environment},
          {"prepare", rung_texts(value.prepare)},
          {"lock", value.lock},
          {"control", value.control},
          {"memory_bytes", value.memory_bytes},
          {"files", std::move(files)}};
}

Assignment read_assignment(Fields fields) {
  Assignment value;
  value.attempt = fields.integer("attempt");
  value.job = fields.integer("job");
  value.run = fields.integer("run");
  value.library = fields.text("library", kNameLimit);
  value.axes = read_axes(fields, "axes");
  value.rungs = read_rungs(fields, "rungs");
  value.environment = fields.optional_text("environment", kNameLimit);
  value.prepare = read_rungs(fields, "prepare");
  value.lock = fields.optional_text("lock", kLockLimit);
  value.control = fields.optional_boolean("control", false);
  value.memory_bytes = static_cast<std::uint64_t>(fields.optional_integer("memory_bytes", 0));
  fields.each("files", kListLimit, [&](Fields file) {
    auto path = file.text("path", kLineLimit);
    value.files.push_back({std::move(path), file.text("sha256", 64)});
  });
  return value;
}

std::optional<std::string> outcome_from_text(std::string_view text) {
  constexpr std::array<std::string_view, 4> kOutcomes{"passed", "failed", "broken", "cancelled"};
  if (std::find(kOutcomes.begin(), kOutcomes.end(), text) == kOutcomes.end()) return std::nullopt;
  return std::string(text);
}

UnitReport read_unit(Fields fields) {
  UnitReport unit;
  unit.rung = fields.word("rung", rung_from_text);
  unit.unit = fields.text("unit", kNameLimit);
  unit.outcome = fields.word("outcome", outcome_from_text);
  unit.exit_code = static_cast<int>(fields.optional_integer("exit", 0, -1, 255));
  unit.signal = static_cast<int>(fields.optional_integer("signal", 0, 0, 255));
  unit.seconds = fields.optional_number("seconds", 0);
  unit.peak_memory_bytes = static_cast<std::uint64_t>(fields.optional_integer("peak_memory_bytes", 0));
  unit.log_begin = static_cast<std::uint64_t>(fields.optional_integer("log_begin", 0));
  unit.log_end = static_cast<std::uint64_t>(fields.optional_integer("log_end", 0));
  unit.code = fields.optional_text("code", kNameLimit);
  unit.reason = fields.optional_text("reason", kLineLimit);
  unit.remedy = fields.optional_text("remedy", kLineLimit);
  unit.proofs = fields.optional_array("proofs", kObjectLimit);
  return unit;
}

}  // namespace

json::object to_json(const Combination& combination) {
  json::object out;
  for (const auto& [axis, value] : combination) out.emplace(axis, value);
  return out;
}

json::value to_json(const Registration& value) {
  return json::object{{"name", value.name},
                      {"version", value.version},
                      {"offers", texts(value.offers)},
                      {"memory_bytes", value.memory_bytes},
                      {"slots", value.slots},
                      {"facts", value.facts}};
}

json::value to_json(const Registered& value) {
  return json::object{{"agent", value.agent},
                      {"lease_seconds", value.lease.count()},
                      {"heartbeat_milliseconds", value.heartbeat.count()}};
}

json::value to_json(const ClaimRequest& value) {
  return json::object{{"slots", value.slots}, {"memory_bytes", value.memory_bytes}};
}

json::value to_json(const Claim& value) {
  json::array assignments;
  for (const auto& assignment : value.assignments) assignments.push_back(assignment_json(assignment));
  return json::object{{"assignments", std::move(assignments)}};
}

json::value to_json(const Heartbeat& value) {
  json::array attempts;
  for (const auto& doing : value.attempts)
    attempts.push_back(json::object{{"attempt", doing.attempt}, {"stage", doing.stage}});
  return json::object{{"attempts", std::move(attempts)}};
}

json::value to_json(const HeartbeatReply& value) {
  return json::object{{"drop", json::array(value.drop.begin(), value.drop.end())}};
}

json::value to_json(const UnitReport& value) {
  return json::object{{"rung", to_text(value.rung)},
                      {"unit", value.unit},
                      {"outcome", value.outcome},
                      {"exit", value.exit_code},
                      {"signal", value.signal},
                      {"seconds", value.seconds},
                      {"peak_memory_bytes", value.peak_memory_bytes},
                      {"log_begin", value.log_begin},
                      {"log_end", value.log_end},
                      {"code", value.code},
                      {"reason", value.reason},
                      {"remedy", value.remedy},
                      {"proofs", value.proofs}};
}

json::value to_json(const Finish& value) {
  json::array units;
  for (const auto& unit : value.units) units.push_back(to_json(unit));
  return json::object{{"status", to_text(value.status)},
                      {"rung", word_or_null(value.rung)},
                      {"proved", word_or_null(value.proved)},
                      {"evidence", word_or_null(value.evidence)},
                      {"code", value.code},
                      {"reason", value.reason},
                      {"remedy", value.remedy},
                      {"units", std::move(units)},
                      {"lock", value.lock},
                      {"details", value.details}};
}

template <>
Result<Registration> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  Registration value;
  value.name = fields.text("name", kNameLimit);
  if (!error && value.name.empty()) fields.fail("name", "must not be empty");
  value.version = fields.optional_text("version", kNameLimit);
  value.offers = fields.optional_texts("offers", kOffersLimit, kNameLimit);
  value.memory_bytes = static_cast<std::uint64_t>(fields.integer("memory_bytes"));
  value.slots = static_cast<int>(fields.optional_integer("slots", 1, 1, kSlotsLimit));
  value.facts = fields.optional_object("facts", kObjectLimit);
  return decoded(std::move(value), error);
}

template <>
Result<Registered> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  Registered value;
  value.agent = fields.integer("agent");
  value.lease = std::chrono::seconds(fields.integer("lease_seconds", 1, kDayMilliseconds / 1000));
  value.heartbeat = std::chrono::milliseconds(fields.integer("heartbeat_milliseconds", 1, kDayMilliseconds));
  return decoded(value, error);
}

template <>
Result<ClaimRequest> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  ClaimRequest value;
  value.slots = static_cast<int>(fields.integer("slots", 1, kSlotsLimit));
  value.memory_bytes = static_cast<std::uint64_t>(fields.integer("memory_bytes"));
  return decoded(value, error);
}

template <>
Result<Claim> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  Claim value;
  fields.each("assignments", static_cast<std::size_t>(kSlotsLimit),
              [&](Fields item) { value.assignments.push_back(read_assignment(std::move(item))); });
  return decoded(std::move(value), error);
}

template <>
Result<Heartbeat> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  Heartbeat value;
  fields.each("attempts", static_cast<std::size_t>(kSlotsLimit), [&](Fields item) {
    const auto attempt = item.integer("attempt");
    value.attempts.push_back({attempt, item.optional_text("stage", kNameLimit)});
  });
  return decoded(std::move(value), error);
}

template <>
Result<HeartbeatReply> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  HeartbeatReply value{fields.optional_integers("drop", kListLimit)};
  return decoded(std::move(value), error);
}

template <>
Result<Finish> from_json(const json::value& json) {
  std::optional<Error> error;
  Fields fields(json, "", error);
  Finish value;
  value.status = fields.word("status", status_from_text);
  if (value.status == Status::unsupported || value.status == Status::untested)
    fields.fail("status", "expected passed, failed, broken or skipped");
  value.rung = fields.optional_word("rung", rung_from_text);
  value.proved = fields.optional_word("proved", rung_from_text);
  value.evidence = fields.optional_word("evidence", evidence_from_text);
  value.code = fields.optional_text("code", kNameLimit);
  value.reason = fields.optional_text("reason", kLineLimit);
  value.remedy = fields.optional_text("remedy", kLineLimit);
  fields.each("units", kListLimit, [&](Fields unit) { value.units.push_back(read_unit(std::move(unit))); });
  value.lock = fields.optional_text("lock", kLockLimit);
  value.details = fields.optional_object("details", kObjectLimit);
  return decoded(std::move(value), error);
}

}  // namespace crosswarp::protocol
