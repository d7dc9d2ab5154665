// SPDX-License-Identifier: Apache-2.0
#include "matrix/diagnosis/rules.hpp"

namespace crosswarp::diagnosis {
namespace {

void network(const LogLines&, std::size_t, const UnitTrace& trace, Diagnosis& found) { blame_network(trace, found); }

constexpr Rule kRules[] = {
    {"No space left on device|Disk quota exceeded", "disk_full", Weight::environment, true},
    {"Read-only file system", "read_only", Weight::cause},
    {"^(?:/bin/)?(?:sh|bash|dash): (?:line )?\\d+: (\\S+): (?:command )?not found$", "command_missing"},
    {"^(?:/usr/bin/)?env: .(.+?).: No such file or directory$", "command_missing"},
    {"^(?:/bin/)?(?:sh|dash): \\d+: .*parameter not set$", "recipe_error", Weight::cause, true},
    {"^(?:/bin/)?(?:sh|dash): \\d+: Syntax error: ", "recipe_error", Weight::cause, true},
    {"fork: (?:retry: )?Resource temporarily unavailable|can't start new thread", "process_limit"},
    {"^(?:curl|wget): .*(?:Could not resolve host|Failed to connect|Connection (?:refused|timed out))", "network",
     Weight::cause, false, "", network},
    {"^Segmentation fault|^Aborted|^Bus error|^Illegal instruction|^Fatal Python error: ", "crash",
     Weight::consequence},
};

}  // namespace

std::span<const Rule> system_rules() { return kRules; }

void blame_network(const UnitTrace& trace, Diagnosis& found) {
  found.code = "network";
  found.our_fault = trace.network;
  if (!trace.network) found.reason = "fetches in a stage without network: " + found.reason;
}

}  // namespace crosswarp::diagnosis
