// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace crosswarp::smoke {

/// A call of the CUDA runtime that failed: there is no going on with the case it belonged to.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& place)
      : std::runtime_error(place + ": " + cudaGetErrorName(code) + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// Throws CudaError, with the caller's file and line, unless `code` is success.
inline void check(cudaError_t code, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (code == cudaSuccess) return;
  std::string place = file;
  place = place.substr(place.rfind('/') + 1) + ":" + std::to_string(line);
  throw CudaError(code, place);
}

}  // namespace crosswarp::smoke
