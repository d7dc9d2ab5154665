// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/suite/run_options.hpp"

#include <algorithm>

namespace crosswarp::smoke {
namespace {

Result<std::uint64_t> number(const std::string& option, const std::string& text, std::uint64_t most) {
  const bool digits = !text.empty() && text.size() <= 18 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && std::stoull(text) <= most) return std::uint64_t{std::stoull(text)};
  return Error{option + ": \"" + text + "\" is no number from 0 to " + std::to_string(most)};
}

std::string known_operations() {
  std::string names;
  for (const Operation& operation : operations()) names += (names.empty() ? "" : ", ") + std::string(operation.name);
  return names;
}

Result<std::vector<std::string>> split_operations(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    names.push_back(list.substr(at, end - at));
    const auto is_named = [&names](const Operation& operation) { return names.back() == operation.name; };
    if (std::none_of(operations().begin(), operations().end(), is_named)) {
      return Error{"--ops: unknown operation \"" + names.back() + "\"; known: " + known_operations()};
    }
    at = end + 1;
  }
  return names;
}

Result<bool> take(const std::string& option, const std::string& value, RunOptions& options) {
  if (option == "--ops") {
    auto names = split_operations(value);
    if (!names) return names.error();
    options.ops = std::move(*names);
    return true;
  }
  const bool is_device = option == "--device";
  const std::uint64_t most = is_device ? 1023 : std::uint64_t{1} << 53;
  const auto parsed = number(option, value, most);
  if (!parsed) return parsed.error();
  if (is_device) options.device = static_cast<int>(*parsed);
  if (!is_device) options.seed = *parsed;
  return true;
}

}  // namespace

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = {{"vector_add", "sm_75"}};
  return all;
}

Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments) {
  RunOptions options;
  for (const Operation& operation : operations()) options.ops.emplace_back(operation.name);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--list") {
      options.list = true;
    } else if (argument == "--ops" || argument == "--device" || argument == "--seed") {
      if (++i == arguments.size()) return Error{argument + ": value missing"};
      const auto taken = take(argument, arguments[i], options);
      if (!taken) return taken.error();
    } else {
      return Error{"unknown option \"" + argument + "\"; known: --ops, --device, --seed, --json, --list"};
    }
  }
  return options;
}

}  // namespace crosswarp::smoke
