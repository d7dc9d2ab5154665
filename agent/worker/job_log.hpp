// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crosswarp::worker {

/// The log of one attempt in bounded memory: a head that is handed on as it comes, and a tail that is kept until the
/// end. What falls between is counted and said in its place.
class JobLog {
 public:
  JobLog(std::uint64_t head_bytes, std::uint64_t tail_bytes) : head_bytes_(head_bytes), tail_bytes_(tail_bytes) {}

  void write(std::string_view text);

  /// Bytes ready to be sent, from sent() on; finish() makes the tail ready.
  std::string_view pending() const { return ready_; }
  std::uint64_t sent() const { return sent_; }

  /// The receiver has `size` bytes. False where that is not between sent() and what was ready.
  bool acknowledge(std::uint64_t size);

  /// Bytes written so far; positions of it can be given to stored_at() after finish().
  std::uint64_t written() const { return written_; }

  /// Makes the kept tail ready, behind a line that says how much was left out. Writes after it are ignored.
  void finish();

  /// Where the byte that was written at `position` stands in what was sent, or would have stood.
  std::uint64_t stored_at(std::uint64_t position) const;

 private:
  std::uint64_t head_bytes_;
  std::uint64_t tail_bytes_;
  std::string ready_;
  std::string tail_;
  std::uint64_t sent_ = 0;
  std::uint64_t written_ = 0;
  std::uint64_t tail_begin_ = 0;   ///< position of the tail's first byte among all written
  std::uint64_t tail_stored_ = 0;  ///< where the tail begins in what is sent
  bool finished_ = false;
};

/// The beginning and the end of a text that may be endless, for diagnosis.
class Excerpt {
 public:
  explicit Excerpt(std::size_t half_bytes) : half_bytes_(half_bytes) {}

  void write(std::string_view text);

  /// Head and tail; where something is missing between them, a line says how much.
  std::string text() const;

 private:
  std::size_t half_bytes_;
  std::string head_;
  std::string tail_;
  std::uint64_t dropped_ = 0;
};

}  // namespace crosswarp::worker
