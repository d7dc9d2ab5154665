// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/value.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct pg_result;

namespace crosswarp::db {

/// A statement kept beside the type that it serves. `name` is unique in the program; values travel as $n.
struct Query {
  std::string_view name;
  std::string_view sql;
};

/// One value of a statement, in PostgreSQL's text format; nothing is null.
class Param {
 public:
  Param(std::nullopt_t) {}
  Param(std::string value) : text_(std::move(value)) {}
  Param(std::string_view value) : text_(std::string(value)) {}
  Param(const char* value) : text_(std::string(value)) {}
  Param(bool value) : text_(value ? "t" : "f") {}
  template <class T>
    requires std::integral<T> && (!std::same_as<T, bool>)
  Param(T value) : text_(std::to_string(value)) {}
  Param(double value);
  Param(const boost::json::value& value);
  Param(const boost::json::object& value);
  Param(const std::vector<std::string>& values);   ///< text[]
  Param(const std::vector<std::int64_t>& values);  ///< bigint[]
  template <class T>
  Param(const std::optional<T>& value) {
    if (value) text_ = Param(*value).text_;
  }

  const std::optional<std::string>& text() const { return text_; }

 private:
  std::optional<std::string> text_;
};

/// `bytes` as a value of the type bytea.
Param bytea(std::string_view bytes);

/// What PostgreSQL said of a statement that it refused: a broken invariant, unless the caller expects that state.
class SqlError : public std::runtime_error {
 public:
  SqlError(std::string state, const std::string& message) : std::runtime_error(message), state_(std::move(state)) {}
  const std::string& state() const { return state_; }
  /// Whether the same transaction may succeed when tried again as a whole (serialization failure, deadlock).
  bool retryable() const { return state_ == "40001" || state_ == "40P01"; }

 private:
  std::string state_;
};

/// One row of an answer; borrowed from its Rows. Columns are named as in the statement; a name that is not there, and
/// null where a value was asked for, throw std::logic_error.
class Row {
 public:
  Row(const pg_result* result, int row) : result_(result), row_(row) {}

  bool is_null(const char* column) const;
  std::string_view text(const char* column) const;  ///< valid as long as the Rows
  std::string string(const char* column) const { return std::string(text(column)); }
  std::int64_t integer(const char* column) const;
  double number(const char* column) const;
  bool boolean(const char* column) const;
  boost::json::value json(const char* column) const;
  std::vector<std::string> strings(const char* column) const;   ///< of a text[]
  std::vector<std::int64_t> integers(const char* column) const;  ///< of a bigint[]
  std::string bytes(const char* column) const;                  ///< of a bytea
  std::string time(const char* column) const;                   ///< of a timestamptz: RFC 3339, UTC
  std::optional<std::string> optional_string(const char* column) const;
  std::optional<std::int64_t> optional_integer(const char* column) const;
  std::optional<std::string> optional_time(const char* column) const;

 private:
  int index(const char* column) const;

  const pg_result* result_;
  int row_;
};

/// The answer to a statement; owns its memory, cheap to move.
class Rows {
 public:
  Rows() = default;
  explicit Rows(pg_result* result);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t affected() const;  ///< rows that an insert, update or delete touched
  Row operator[](std::size_t row) const { return Row(result_.get(), static_cast<int>(row)); }
  Row front() const { return (*this)[0]; }

  class Iterator {
   public:
    Iterator(const pg_result* result, int row) : result_(result), row_(row) {}
    Row operator*() const { return Row(result_, row_); }
    Iterator& operator++() { return ++row_, *this; }
    bool operator!=(const Iterator& other) const { return row_ != other.row_; }

   private:
    const pg_result* result_;
    int row_;
  };
  Iterator begin() const { return {result_.get(), 0}; }
  Iterator end() const { return {result_.get(), static_cast<int>(size_)}; }

 private:
  struct Clear {
    void operator()(pg_result* result) const noexcept;
  };
  std::unique_ptr<pg_result, Clear> result_;
  std::size_t size_ = 0;
};

}  // namespace crosswarp::db
