// SPDX-License-Identifier: Apache-2.0
#include "gpu-smoke/inspect/lz4.hpp"

namespace crosswarp::smoke {
namespace {

constexpr std::size_t kLongRun = 15;
constexpr std::size_t kLeastMatch = 4;

class Lz4Decoder {
 public:
  Lz4Decoder(Bytes block, std::size_t size) : block_(block), size_(size) { out_.reserve(size); }

  Result<std::string> decode() {
    while (at_ < block_.size()) {
      const unsigned char token = block_.data()[at_++];
      if (!copy_literals(token >> 4)) return Error{"lz4 literals: past the end"};
      if (at_ == block_.size()) break;  // the last sequence is literals alone
      if (!copy_match(token & 15)) return Error{"lz4 match: outside the data"};
    }
    if (out_.size() != size_) return Error{"lz4 block: holds " + std::to_string(out_.size()) + " bytes, not " +
                                           std::to_string(size_)};
    return std::move(out_);
  }

 private:
  // A length of 15 goes on in the bytes that follow, up to the first that is not 255.
  bool extend(std::size_t& length) {
    if (length != kLongRun) return true;
    while (at_ < block_.size()) {
      const unsigned char more = block_.data()[at_++];
      length += more;
      if (more != 255) return true;
    }
    return false;
  }

  bool copy_literals(std::size_t length) {
    if (!extend(length) || length > block_.size() - at_ || length > size_ - out_.size()) return false;
    out_.append(block_.text().substr(at_, length));
    at_ += length;
    return true;
  }

  bool copy_match(std::size_t length) {
    if (block_.size() - at_ < 2) return false;
    const std::size_t distance = block_.get<std::uint16_t>(at_);
    at_ += 2;
    if (!extend(length)) return false;
    length += kLeastMatch;
    if (distance == 0 || distance > out_.size() || length > size_ - out_.size()) return false;
    const std::size_t from = out_.size() - distance;
    for (std::size_t i = 0; i < length; ++i) out_ += out_[from + i];  // may overlap: a match repeats its own start
    return true;
  }

  Bytes block_;
  std::size_t size_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

Result<std::string> decode_lz4_block(Bytes block, std::size_t size) { return Lz4Decoder(block, size).decode(); }

}  // namespace crosswarp::smoke
