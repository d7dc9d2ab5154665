// SPDX-License-Identifier: Apache-2.0
#include "agent/container/runner/request.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace crosswarp::runner {
namespace {

namespace json = boost::json;

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }

/// A whole number of at least 0; `otherwise` where the key is absent.
Result<std::int64_t> number(const json::object& object, std::string_view key, std::int64_t otherwise) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return otherwise;
  boost::system::error_code failure;
  const auto found = value->to_number<std::int64_t>(failure);
  if (failure || found < 0) return invalid(std::string(key) + ": expected a whole number");
  return found;
}

Result<std::vector<std::string>> argv_of(const json::object& object) {
  const json::value* value = object.if_contains("argv");
  if (value == nullptr || !value->is_array() || value->get_array().empty()) return invalid("argv: expected texts");
  std::vector<std::string> argv;
  for (const json::value& word : value->get_array()) {
    if (!word.is_string()) return invalid("argv: expected texts");
    argv.emplace_back(word.get_string());
  }
  return argv;
}

Result<std::vector<std::string>> environment_of(const json::object& object) {
  std::vector<std::string> environment;
  const json::value* value = object.if_contains("env");
  if (value == nullptr) return environment;
  if (!value->is_object()) return invalid("env: expected an object");
  for (const auto& [name, text] : value->get_object()) {
    if (!text.is_string()) return invalid("env: expected texts");
    environment.push_back(std::string(name) + '=' + std::string(text.get_string()));
  }
  return environment;
}

Result<Request> run_request(const json::object& object) {
  RunRequest run;
  const auto id = number(object, "id", 0);
  const auto seconds = number(object, "time_seconds", 300);
  const auto memory = number(object, "memory_bytes", 0);
  const auto processes = number(object, "processes", 0);
  auto argv = argv_of(object);
  auto environment = environment_of(object);
  for (const auto* each : {&id, &seconds, &memory, &processes}) {
    if (!*each) return each->error();
  }
  if (!argv) return argv.error();
  if (!environment) return environment.error();
  run.id = *id;
  run.argv = std::move(*argv);
  run.environment = std::move(*environment);
  run.time = std::chrono::seconds(*seconds);
  run.memory_bytes = static_cast<std::uint64_t>(*memory);
  run.processes = static_cast<int>(std::min<std::int64_t>(*processes, 1 << 22));
  if (const json::value* cwd = object.if_contains("cwd"); cwd != nullptr && cwd->is_string()) {
    run.cwd = std::string(cwd->get_string());
  }
  return Request{std::move(run)};
}

}  // namespace

Result<Request> parse_request(std::string_view line) {
  boost::system::error_code failure;
  const json::value value = json::parse(line, failure);
  if (failure || !value.is_object()) return invalid("expected a JSON object a line");
  const json::object& object = value.get_object();
  if (!object.contains("kill")) return run_request(object);
  const auto id = number(object, "kill", 0);
  if (!id) return id.error();
  return Request{KillRequest{*id}};
}

}  // namespace crosswarp::runner
