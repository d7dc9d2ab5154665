// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu-smoke/support/check.cuh"
#include "gpu-smoke/support/guarded.hpp"

namespace crosswarp::smoke {

/// Device memory that holds a guarded image, copied there whole at construction. Owned; freed at the end of its life.
class DeviceArray {
 public:
  explicit DeviceArray(const GuardedImage& image) : words_(image.words().size()) {
    check(cudaMalloc(&memory_, words_ * sizeof(std::uint32_t)));
    const cudaError_t copied = cudaMemcpy(memory_, image.words().data(), words_ * sizeof(std::uint32_t),
                                          cudaMemcpyHostToDevice);
    if (copied != cudaSuccess) cudaFree(memory_);
    check(copied);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(memory_); }

  /// The first element behind the leading guard band.
  float* values() const { return static_cast<float*>(memory_) + kGuardWords; }

  /// Guards and elements as they are now; waits for the copy.
  GuardedImage image() const {
    std::vector<std::uint32_t> words(words_);
    check(cudaMemcpy(words.data(), memory_, words_ * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    return GuardedImage(std::move(words));
  }

 private:
  void* memory_ = nullptr;
  std::size_t words_;
};

/// A stream of its own, and a pair of events that time what runs on it.
class TimedStream {
 public:
  TimedStream() {
    check(cudaStreamCreate(&stream_));
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  TimedStream(const TimedStream&) = delete;
  TimedStream& operator=(const TimedStream&) = delete;
  ~TimedStream() {
    cudaEventDestroy(end_);
    cudaEventDestroy(begin_);
    cudaStreamDestroy(stream_);
  }

  cudaStream_t get() const { return stream_; }
  void begin() const { check(cudaEventRecord(begin_, stream_)); }

  /// Waits for all that was put on the stream; milliseconds since `begin`.
  double finish() const {
    check(cudaEventRecord(end_, stream_));
    check(cudaStreamSynchronize(stream_));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_, end_));
    return static_cast<double>(milliseconds);
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace crosswarp::smoke
