// SPDX-License-Identifier: Apache-2.0
#include "server/db/query.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <libpq-fe.h>

#include <charconv>

namespace crosswarp::db {
namespace {

/// `item` as an element of an array in PostgreSQL's text format.
void append_element(std::string& array, std::string_view item) {
  array += '"';
  for (const char c : item) {
    if (c == '"' || c == '\\') array += '\\';
    array += c;
  }
  array += '"';
}

/// The elements of a one-dimensional array without nulls, as PostgreSQL writes it: {a,"b c"}.
std::vector<std::string> elements(std::string_view array) {
  std::vector<std::string> items;
  if (array.size() < 2 || array.front() != '{') throw std::logic_error("not an array: " + std::string(array));
  std::string item;
  bool quoted = false;
  for (std::size_t i = 1; i < array.size(); ++i) {
    const char c = array[i];
    if (c == '\\') {
      item += array[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == ',' || c == '}')) {
      if (array.size() > 2) items.push_back(std::move(item));
      item.clear();
    } else {
      item += c;
    }
  }
  return items;
}

template <class T>
T number_of(std::string_view text) {
  T number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc{}) throw std::logic_error("not a number: " + std::string(text));
  return number;
}

/// "2026-11-30 12:00:00.5+00" as "2026-11-30T12:00:00.5Z"; the session's time zone is UTC.
std::string rfc3339(std::string_view text) {
  std::string out(text.substr(0, text.find('+')));
  const auto space = out.find(' ');
  if (space != std::string::npos) out[space] = 'T';
  return out + 'Z';
}

}  // namespace

Param::Param(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  text_ = std::string(buffer, end);
}

Param::Param(const boost::json::value& value) : text_(boost::json::serialize(value)) {}

Param::Param(const boost::json::object& value) : text_(boost::json::serialize(value)) {}

Param::Param(const std::vector<std::string>& values) {
  std::string array = "{";
  for (const auto& value : values) {
    if (array.size() > 1) array += ',';
    append_element(array, value);
  }
  text_ = array + '}';
}

Param::Param(const std::vector<std::int64_t>& values) {
  std::string array = "{";
  for (const auto value : values) {
    if (array.size() > 1) array += ',';
    array += std::to_string(value);
  }
  text_ = array + '}';
}

Param bytea(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text = "\\x";
  text.reserve(2 + 2 * bytes.size());
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return Param(std::move(text));
}

int Row::index(const char* column) const {
  const int found = PQfnumber(result_, column);
  if (found < 0) throw std::logic_error(std::string("no column ") + column);
  return found;
}

bool Row::is_null(const char* column) const { return PQgetisnull(result_, row_, index(column)) != 0; }

std::string_view Row::text(const char* column) const {
  const int at = index(column);
  if (PQgetisnull(result_, row_, at)) throw std::logic_error(std::string("null in column ") + column);
  return {PQgetvalue(result_, row_, at), static_cast<std::size_t>(PQgetlength(result_, row_, at))};
}

std::int64_t Row::integer(const char* column) const { return number_of<std::int64_t>(text(column)); }

double Row::number(const char* column) const { return number_of<double>(text(column)); }

bool Row::boolean(const char* column) const { return text(column) == "t"; }

boost::json::value Row::json(const char* column) const { return boost::json::parse(text(column)); }

std::vector<std::string> Row::strings(const char* column) const { return elements(text(column)); }

std::vector<std::int64_t> Row::integers(const char* column) const {
  std::vector<std::int64_t> numbers;
  for (const auto& item : elements(text(column))) numbers.push_back(number_of<std::int64_t>(item));
  return numbers;
}

std::string Row::bytes(const char* column) const {
  const auto hex = text(column).substr(2);  // bytea_output = hex: "\x" first
  std::string out(hex.size() / 2, '\0');
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<char>(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  return out;
}

std::string Row::time(const char* column) const { return rfc3339(text(column)); }

std::optional<std::string> Row::optional_string(const char* column) const {
  return is_null(column) ? std::nullopt : std::optional(string(column));
}

std::optional<std::int64_t> Row::optional_integer(const char* column) const {
  return is_null(column) ? std::nullopt : std::optional(integer(column));
}

std::optional<std::string> Row::optional_time(const char* column) const {
  return is_null(column) ? std::nullopt : std::optional(time(column));
}

Rows::Rows(pg_result* result) : result_(result), size_(result ? static_cast<std::size_t>(PQntuples(result)) : 0) {}

std::size_t Rows::affected() const {
  const std::string_view text = PQcmdTuples(result_.get());
  return text.empty() ? 0 : number_of<std::size_t>(text);
}

void Rows::Clear::operator()(pg_result* result) const noexcept { PQclear(result); }

}  // namespace crosswarp::db
