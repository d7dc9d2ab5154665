// SPDX-License-Identifier: Apache-2.0
#include "agent/protocol/fields.hpp"

#include <boost/json/kind.hpp>
#include <boost/json/serialize.hpp>

namespace crosswarp::protocol {
namespace {

namespace json = boost::json;

constexpr std::string_view kZeroByte = "a text must not hold a zero byte";

std::string found(const json::value& value) { return std::string(json::to_string(value.kind())); }

std::string too_long(std::size_t limit, std::size_t size) {
  return "at most " + std::to_string(limit) + " bytes, found " + std::to_string(size);
}

std::string expected(std::string_view what, const json::value& value) {
  return "expected " + std::string(what) + ", found " + found(value);
}

/// Whether text of JSON holds an escaped zero byte, which no database takes. A backslash may itself be escaped.
bool holds_zero(std::string_view text) {
  for (auto at = text.find("\\u0000"); at != text.npos; at = text.find("\\u0000", at + 1)) {
    std::size_t slashes = 1;
    while (slashes <= at && text[at - slashes] == '\\') ++slashes;
    if (slashes % 2 == 1) return true;
  }
  return false;
}

std::optional<std::int64_t> integer_of(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64() && value.get_uint64() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()})
    return static_cast<std::int64_t>(value.get_uint64());
  return std::nullopt;
}

}  // namespace

Fields::Fields(const json::value& value, std::string path, std::optional<Error>& error)
    : path_(std::move(path)), error_(error) {
  if (value.is_object()) {
    object_ = &value.get_object();
  } else if (!error_) {
    const auto place = path_.empty() ? std::string{} : path_ + ": ";
    error_ = Error{ErrorCode::invalid_argument, place + expected("an object", value)};
  }
}

void Fields::fail(std::string_view name, const std::string& message) {
  if (!error_) error_ = Error{ErrorCode::invalid_argument, path_of(name) + ": " + message};
}

std::string Fields::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : path_ + '.' + std::string(name);
}

const json::value* Fields::find(std::string_view name) const {
  if (error_ || !object_) return nullptr;
  const auto* value = object_->if_contains(name);
  return value && !value->is_null() ? value : nullptr;
}

const json::value* Fields::required(std::string_view name) {
  const auto* value = find(name);
  if (!value) fail(name, "missing");
  return value;
}

std::string Fields::text(std::string_view name, std::size_t limit) {
  return required(name) ? optional_text(name, limit) : std::string{};
}

std::string Fields::optional_text(std::string_view name, std::size_t limit) {
  const auto* value = find(name);
  if (!value) return {};
  if (!value->is_string()) return fail(name, expected("a text", *value)), std::string{};
  const auto& given = value->get_string();
  if (given.size() > limit) return fail(name, too_long(limit, given.size())), std::string{};
  if (given.find('\0') != json::string::npos) return fail(name, std::string(kZeroByte)), std::string{};
  return std::string(given);
}

std::int64_t Fields::integer(std::string_view name, std::int64_t least, std::int64_t most) {
  return required(name) ? optional_integer(name, 0, least, most) : 0;
}

std::int64_t Fields::optional_integer(std::string_view name, std::int64_t otherwise, std::int64_t least,
                                      std::int64_t most) {
  const auto* value = find(name);
  if (!value) return otherwise;
  const auto number = integer_of(*value);
  if (!number) return fail(name, expected("an integer", *value)), otherwise;
  if (*number < least || *number > most) {
    fail(name, "expected " + std::to_string(least) + " to " + std::to_string(most) + ", found " +
                   std::to_string(*number));
    return otherwise;
  }
  return *number;
}

double Fields::optional_number(std::string_view name, double otherwise) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (!value->is_number()) return fail(name, expected("a number", *value)), otherwise;
  return value->to_number<double>();
}

bool Fields::optional_boolean(std::string_view name, bool otherwise) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (!value->is_bool()) return fail(name, expected("true or false", *value)), otherwise;
  return value->get_bool();
}

const json::array* Fields::optional_list(std::string_view name, std::size_t count) {
  const auto* value = find(name);
  if (!value) return nullptr;
  if (!value->is_array()) return fail(name, expected("an array", *value)), nullptr;
  const auto& items = value->get_array();
  if (items.size() > count) {
    fail(name, "at most " + std::to_string(count) + " items, found " + std::to_string(items.size()));
    return nullptr;
  }
  return &items;
}

std::vector<std::string> Fields::optional_texts(std::string_view name, std::size_t count, std::size_t limit) {
  std::vector<std::string> texts;
  const auto* items = optional_list(name, count);
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const auto at = std::string(name) + '[' + std::to_string(i) + ']';
    const auto& item = (*items)[i];
    if (!item.is_string()) return fail(at, expected("a text", item)), std::vector<std::string>{};
    if (item.get_string().size() > limit)
      return fail(at, too_long(limit, item.get_string().size())), std::vector<std::string>{};
    if (item.get_string().find('\0') != json::string::npos)
      return fail(at, std::string(kZeroByte)), std::vector<std::string>{};
    texts.emplace_back(item.get_string());
  }
  return texts;
}

std::vector<std::int64_t> Fields::optional_integers(std::string_view name, std::size_t count) {
  std::vector<std::int64_t> numbers;
  const auto* items = optional_list(name, count);
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const auto number = integer_of((*items)[i]);
    if (!number) {
      fail(std::string(name) + '[' + std::to_string(i) + ']', expected("an integer", (*items)[i]));
      return {};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

bool Fields::storable(std::string_view name, const json::value& value, std::size_t limit) {
  const auto text = json::serialize(value);
  if (text.size() > limit) fail(name, too_long(limit, text.size()));
  if (holds_zero(text)) fail(name, std::string(kZeroByte));
  return !error_;
}

json::object Fields::optional_object(std::string_view name, std::size_t limit) {
  const auto* value = find(name);
  if (!value) return {};
  if (!value->is_object()) return fail(name, expected("an object", *value)), json::object{};
  return storable(name, *value, limit) ? value->get_object() : json::object{};
}

json::array Fields::optional_array(std::string_view name, std::size_t limit) {
  const auto* value = find(name);
  if (!value) return {};
  if (!value->is_array()) return fail(name, expected("an array", *value)), json::array{};
  return storable(name, *value, limit) ? value->get_array() : json::array{};
}

}  // namespace crosswarp::protocol
