// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_row.hpp"

#include "cli/terminal.hpp"
#include "matrix/version/arch.hpp"
#include "matrix/version/pep440.hpp"

#include <boost/json/object.hpp>

namespace crosswarp::cli {
namespace {

std::string text_of(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value && value->is_string() ? one_line(value->get_string()) : std::string();
}

/// Which of the four kinds a value is of; values of a lower kind come first.
int kind_of(const std::string& value) {
  if (value == kNone) return 0;
  if (version::is_surely_arch(value)) return 1;
  return version::Version::parse(value) ? 2 : 3;
}

}  // namespace

Result<VerdictRow> verdict_row(const boost::json::value& json) {
  const auto* object = json.if_object();
  const auto* combination = object ? object->if_contains("combination") : nullptr;
  if (!combination || !combination->is_object()) {
    return Error{ErrorCode::unavailable, "the server answered what is no verdict"};
  }
  VerdictRow row{text_of(*object, "library"), {},
                 text_of(*object, "status"),  text_of(*object, "rung"),   text_of(*object, "proved"),
                 text_of(*object, "reason"),  text_of(*object, "remedy")};
  for (const auto& [axis, value] : combination->get_object()) {
    if (value.is_string()) row.combination[one_line(axis)] = one_line(value.get_string());
  }
  return row;
}

bool value_before(const std::string& left, const std::string& right) {
  const int kind = kind_of(left);
  if (kind != kind_of(right)) return kind < kind_of(right);
  if (kind == 1) {
    const auto a = version::Arch::parse(left);
    const auto b = version::Arch::parse(right);
    if (a && b && a->number != b->number) return a->number < b->number;
  } else if (kind == 2) {
    const auto order = version::Version::parse(left).value() <=> version::Version::parse(right).value();
    if (order != 0) return order < 0;
  }
  return left < right;
}

}  // namespace crosswarp::cli
