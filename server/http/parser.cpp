// SPDX-License-Identifier: Apache-2.0
#include "server/http/parser.hpp"

#include "server/http/target.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>

namespace crosswarp::http {

namespace beast = boost::beast;

RequestParser::RequestParser(std::uint32_t header_limit) : header_limit_(header_limit) {
  basic_parser::header_limit(header_limit);
  basic_parser::body_limit(boost::none);  // ours is known only when the route is
}

std::size_t RequestParser::put(std::string_view bytes) {
  beast::error_code failure;
  const bool in_header = !is_header_done();
  const std::size_t used = basic_parser::put(boost::asio::buffer(bytes.data(), bytes.size()), failure);
  if (failure && failure != beast::http::error::need_more) {
    refuse(failure);
  } else if (used == 0 && bytes.size() > header_limit_) {
    // Chunk extensions and trailers, which nobody reads and which would otherwise be gathered without end.
    refuse(431, "a chunk's header or the trailers are larger than " + std::to_string(header_limit_) +
                    " bytes, the limit here");
  } else if (in_header && is_header_done()) {
    check_header();
  }
  return used;
}

void RequestParser::read_body(std::uint64_t limit) {
  body_limit_ = limit;
  eager(true);
  const auto length = content_length();
  if (length && *length > limit) {
    refuse(413, limit == 0 ? "this resource takes no body"
                           : "the body is larger than " + std::to_string(limit) + " bytes, the limit here");
  } else if (limit == 0 && !is_done()) {
    refuse(413, "this resource takes no body");
  }
}

void RequestParser::refuse(int status, std::string_view detail) {
  if (!refusal_) refusal_ = Refusal{status, std::string(detail)};
}

void RequestParser::refuse(const ErrorCode& failure) {
  using beast::http::error;
  if (failure == error::header_limit || failure == error::buffer_overflow) {
    return refuse(431, "the request header is larger than " + std::to_string(header_limit_) + " bytes, the limit here");
  }
  if (failure == error::body_limit) {
    return refuse(413, "the body is larger than " + std::to_string(body_limit_) + " bytes, the limit here");
  }
  if (failure == error::bad_version) return refuse(505, "expected HTTP/1.0 or HTTP/1.1");
  refuse(400, "malformed request: " + failure.message());
}

void RequestParser::check_header() {
  // What is read here in one way could be read by a proxy in another: refused, not guessed (RFC 9112, 6.1 and 11.2).
  const auto encoding = request_.headers.find("Transfer-Encoding");
  if (encoding && request_.headers.count("Content-Length") > 0) {
    return refuse(400, "both Content-Length and Transfer-Encoding");
  }
  if (encoding && (!beast::iequals(*encoding, "chunked") || request_.headers.count("Transfer-Encoding") > 1)) {
    return refuse(501, "the only transfer encoding known here is chunked");
  }
  if (encoding && version_ != 11) return refuse(400, "Transfer-Encoding needs HTTP/1.1");
  if (request_.headers.count("Content-Length") > 1) return refuse(400, "Content-Length comes twice");
  if (request_.headers.count("Host") > 1 || (version_ == 11 && request_.headers.count("Host") == 0)) {
    return refuse(400, "expected one Host header");
  }
  Result<Target> target = http::parse_target(request_.target);
  if (target.has_error()) return refuse(400, target.error().message);
  request_.path = std::move(target->path);
  request_.query = std::move(target->query);
}

void RequestParser::on_request_impl(beast::http::verb, View method, View target, int version, ErrorCode&) {
  request_.method.assign(method.data(), method.size());
  request_.target.assign(target.data(), target.size());
  version_ = version;
}

void RequestParser::on_field_impl(beast::http::field, View name, View value, ErrorCode&) {
  if (is_header_done()) return;  // a trailer must not pass for a header
  request_.headers.add({name.data(), name.size()}, {value.data(), value.size()});
}

void RequestParser::on_body_init_impl(const boost::optional<std::uint64_t>& length, ErrorCode&) {
  if (length) request_.body.reserve(std::min(*length, body_limit_));
}

std::size_t RequestParser::on_body_impl(View body, ErrorCode&) {
  request_.body.append(body.data(), body.size());
  return body.size();
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, View body, ErrorCode& failure) {
  if (request_.body.size() + body.size() > body_limit_) {
    failure = beast::http::error::body_limit;
    return 0;
  }
  request_.body.append(body.data(), body.size());
  return body.size();
}

}  // namespace crosswarp::http
