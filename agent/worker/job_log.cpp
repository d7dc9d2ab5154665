// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/job_log.hpp"

#include <algorithm>

namespace crosswarp::worker {
namespace {

std::string left_out(std::uint64_t bytes) { return "\n[... " + std::to_string(bytes) + " bytes left out ...]\n"; }

/// Appends to a tail of at most `limit` bytes; answers how many bytes fell off its front. The tail may grow to twice
/// the limit before it is cut, so that cutting costs little.
std::uint64_t append_tail(std::string& tail, std::string_view text, std::uint64_t limit) {
  tail += text;
  if (tail.size() <= 2 * limit) return 0;
  const std::uint64_t cut = tail.size() - limit;
  tail.erase(0, cut);
  return cut;
}

}  // namespace

void JobLog::write(std::string_view text) {
  if (finished_) return;
  const std::uint64_t room = head_bytes_ > written_ ? head_bytes_ - written_ : 0;
  const std::string_view head = text.substr(0, std::min<std::uint64_t>(room, text.size()));
  ready_ += head;
  written_ += text.size();
  if (head.size() == text.size()) return;
  if (tail_.empty() && tail_begin_ == 0) tail_begin_ = head_bytes_;
  tail_begin_ += append_tail(tail_, text.substr(head.size()), tail_bytes_);
}

bool JobLog::acknowledge(std::uint64_t size) {
  if (size < sent_ || size > sent_ + ready_.size()) return false;
  ready_.erase(0, size - sent_);
  sent_ = size;
  return true;
}

void JobLog::finish() {
  if (finished_) return;
  finished_ = true;
  if (tail_.size() > tail_bytes_) {
    tail_begin_ += tail_.size() - tail_bytes_;
    tail_.erase(0, tail_.size() - tail_bytes_);
  }
  if (tail_begin_ > head_bytes_) ready_ += left_out(tail_begin_ - head_bytes_);
  tail_stored_ = sent_ + ready_.size();
  ready_ += tail_;
  tail_.clear();
}

std::uint64_t JobLog::stored_at(std::uint64_t position) const {
  if (position <= head_bytes_) return position;
  return position <= tail_begin_ ? tail_stored_ : tail_stored_ + (position - tail_begin_);
}

void Excerpt::write(std::string_view text) {
  const std::string_view head = text.substr(0, std::min(half_bytes_ - head_.size(), text.size()));
  head_ += head;
  dropped_ += append_tail(tail_, text.substr(head.size()), half_bytes_);
}

std::string Excerpt::text() const { return dropped_ == 0 ? head_ + tail_ : head_ + left_out(dropped_) + tail_; }

}  // namespace crosswarp::worker
