// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace crosswarp::smoke {

/// What a caller can meet in good health: a file that is not what it claims, an unknown operation.
/// `message` names the field or argument, what was found and what would do.
struct Error {
  std::string message;
};

/// A value or the reason there is none. The C++17 twin of the project's Result: this program is compiled by the oldest
/// toolkit of the matrix and links nothing of the rest.
template <class T>
class Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return held_.index() == 0; }
  const T& operator*() const { return std::get<0>(held_); }
  T& operator*() { return std::get<0>(held_); }
  const T* operator->() const { return &std::get<0>(held_); }
  T* operator->() { return &std::get<0>(held_); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

/// `error` with `context` in front of it, as it travels outward.
inline Error within(const std::string& context, const Error& error) { return Error{context + ": " + error.message}; }

}  // namespace crosswarp::smoke
