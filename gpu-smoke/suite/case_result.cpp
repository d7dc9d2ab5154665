// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/case_result.hpp"

#include <algorithm>

#include "gpu-smoke/support/exit_codes.hpp"
#include "gpu-smoke/support/json.hpp"

namespace crosswarp::smoke {
namespace {

void write_optional(JsonWriter& json, const char* name, const std::optional<double>& number) {
  json.key(name);
  number ? json.value(*number) : json.null();
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::within_bound: return "within-bound";
    case Verdict::kernel_fault: return "kernel-fault";
    case Verdict::skipped: return "skipped";
    case Verdict::not_run: break;
  }
  return "not-run";
}

std::string to_json(const CaseResult& result) {
  JsonWriter json;
  json.begin_object().key("op").value(result.op).key("contract").value(result.contract);
  json.key("distribution").value(result.distribution).key("shape").begin_array();
  for (const std::int64_t extent : result.shape) json.value(static_cast<std::uint64_t>(extent));
  json.end_array().key("seed").value(result.seed).key("verdict").value(name_of(result.verdict));
  if (!result.reason.empty()) json.key("reason").value(result.reason);
  write_optional(json, "a", result.a);
  write_optional(json, "h", result.h);
  json.key("z").null();  // bias is judged where rounding leaves a choice; here bits are compared
  json.key("worst_index");
  result.worst_index ? json.value(static_cast<std::uint64_t>(*result.worst_index)) : json.null();
  write_optional(json, "time_ms", result.milliseconds);
  json.key("bytes").value(result.bytes).key("flops").value(result.flops).end_object();
  return json.text();
}

std::string to_text(const CaseResult& result) {
  std::string line = result.op + " " + result.distribution;
  for (const std::int64_t extent : result.shape) line += " " + std::to_string(extent);
  line += std::string(": ") + name_of(result.verdict);
  return result.reason.empty() ? line : line + ": " + result.reason;
}

int exit_code(const std::vector<CaseResult>& results) {
  const auto has = [&results](Verdict verdict) {
    return std::any_of(results.begin(), results.end(), [verdict](const CaseResult& r) { return r.verdict == verdict; });
  };
  if (has(Verdict::kernel_fault)) return kExitFault;
  return results.empty() || has(Verdict::skipped) || has(Verdict::not_run) ? kExitNotRun : kExitPassed;
}

}  // namespace crosswarp::smoke
