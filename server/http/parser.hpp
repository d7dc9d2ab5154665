// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/http/message.hpp"

#include <boost/beast/http/basic_parser.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace crosswarp::http {

/// Why a message cannot be read: the answer to give.
struct Refusal {
  int status = 400;
  std::string detail;
};

/// Reads one request from octets as they come (RFC 9112). First the header; when that is whole, the caller says how
/// much body it takes and goes on.
class RequestParser final : private boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(std::uint32_t header_limit);

  /// Takes from the front of `bytes` and answers how many were used: fewer than given where the header or the whole
  /// message ends before, none where the rest of a line is missing: give it again with more behind it. Refused past the
  /// limit of a header: such lines too. A message that is refused leaves the parser useless.
  std::size_t put(std::string_view bytes);

  /// Goes on with the body, of at most `limit` octets.
  void read_body(std::uint64_t limit);

  bool header_done() const { return is_header_done(); }
  bool done() const { return is_done(); }
  const std::optional<Refusal>& refusal() const { return refusal_; }
  /// Whether the connection may serve another request after this one.
  bool keeps_alive() const { return keep_alive() && version_ == 11; }
  int version() const { return version_; }

  Request& request() { return request_; }
  const Request& request() const { return request_; }

 private:
  using ErrorCode = boost::beast::error_code;
  using View = boost::beast::string_view;

  void refuse(int status, std::string_view detail);
  void refuse(const ErrorCode& failure);
  void check_header();

  void on_request_impl(boost::beast::http::verb, View method, View target, int version, ErrorCode&) override;
  void on_response_impl(int, View, int, ErrorCode&) override {}
  void on_field_impl(boost::beast::http::field, View name, View value, ErrorCode&) override;
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) override;
  std::size_t on_body_impl(View body, ErrorCode&) override;
  void on_chunk_header_impl(std::uint64_t, View, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, ErrorCode& failure) override;
  void on_finish_impl(ErrorCode&) override {}

  Request request_;
  int version_ = 11;
  std::uint32_t header_limit_;
  std::uint64_t body_limit_ = 0;
  std::optional<Refusal> refusal_;
};

}  // namespace crosswarp::http
