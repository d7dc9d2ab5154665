// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "gpu-smoke/kernels/vector_add.cuh"
#include "gpu-smoke/kernels/vector_add_reference.hpp"
#include "gpu-smoke/suite/case_result.hpp"
#include "gpu-smoke/suite/judge.hpp"
#include "gpu-smoke/suite/run_options.hpp"
#include "gpu-smoke/suite/vector_add_cases.hpp"
#include "gpu-smoke/support/device_array.cuh"
#include "gpu-smoke/support/exit_codes.hpp"

namespace crosswarp::smoke {
namespace {

CaseResult described(const VectorAddCase& which) {
  CaseResult result;
  result.op = "vector_add";
  result.contract = "in=fp32 out=fp32 rounding=rne subnormals=kept";
  result.distribution = which.distribution;
  result.shape = {which.n};
  result.seed = which.seed;
  result.bytes = static_cast<std::uint64_t>(which.n) * 3 * sizeof(float);
  result.flops = static_cast<std::uint64_t>(which.n);
  return result;
}

void run_vector_add(const VectorAddCase& which, CaseResult& result) {
  const VectorAddInputs inputs = make_inputs(which);
  const GuardedImage a = GuardedImage::holding(inputs.a);
  const GuardedImage b = GuardedImage::holding(inputs.b);
  const DeviceArray device_a(a);
  const DeviceArray device_b(b);
  const DeviceArray device_out(GuardedImage::poisoned(inputs.a.size()));
  const TimedStream stream;
  stream.begin();
  vector_add(device_a.values(), device_b.values(), device_out.values(), which.n, stream.get());
  result.milliseconds = stream.finish();
  judge_by_bits(vector_add_reference(inputs.a, inputs.b), device_out.image(), result);
  judge_input("a", a, device_a.image(), result);
  judge_input("b", b, device_b.image(), result);
}

// What a kernel of ours can cause; anything else (memory taken by others, a driver too old) says nothing of the kernel.
bool is_fault_of_kernel(cudaError_t code) {
  return code == cudaErrorIllegalAddress || code == cudaErrorMisalignedAddress || code == cudaErrorLaunchFailure ||
         code == cudaErrorIllegalInstruction || code == cudaErrorInvalidAddressSpace || code == cudaErrorInvalidPc ||
         code == cudaErrorLaunchTimeout;
}

CaseResult judged(const VectorAddCase& which) {
  CaseResult result = described(which);
  try {
    run_vector_add(which, result);
  } catch (const CudaError& error) {
    const bool no_code = error.code() == cudaErrorNoKernelImageForDevice;
    result.verdict = is_fault_of_kernel(error.code()) ? Verdict::kernel_fault
                     : no_code                        ? Verdict::skipped
                                                      : Verdict::not_run;
    result.reason = error.what();
  }
  return result;
}

// Why nothing can be run on `device`; empty when it can.
std::string reason_not_to_run(int device) {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted != cudaSuccess) return std::string("no device: ") + cudaGetErrorString(counted);
  if (device >= count) return "no device " + std::to_string(device) + ": there are " + std::to_string(count);
  const cudaError_t chosen = cudaSetDevice(device);
  return chosen == cudaSuccess ? "" : "device " + std::to_string(device) + ": " + cudaGetErrorString(chosen);
}

void print(const CaseResult& result, bool json) {
  std::puts(json ? to_json(result).c_str() : to_text(result).c_str());
  std::fflush(stdout);
}

std::vector<CaseResult> run_operation(const std::string& op, const std::string& reason, const RunOptions& options) {
  std::vector<CaseResult> results;
  if (!reason.empty()) {
    CaseResult skipped;
    skipped.op = op;
    skipped.verdict = Verdict::skipped;
    skipped.reason = reason;
    results.push_back(skipped);
    print(skipped, options.json);
    return results;
  }
  for (const VectorAddCase& which : vector_add_cases(options.seed)) {
    results.push_back(judged(which));
    print(results.back(), options.json);
  }
  return results;
}

int run_suite(const RunOptions& options) {
  if (options.list) {
    for (const Operation& operation : operations()) std::printf("%s\t%s\n", operation.name, operation.least_hardware);
    return kExitPassed;
  }
  const std::string reason = reason_not_to_run(options.device);
  std::vector<CaseResult> results;
  for (const std::string& op : options.ops) {
    const std::vector<CaseResult> of_op = run_operation(op, reason, options);
    results.insert(results.end(), of_op.begin(), of_op.end());
  }
  return exit_code(results);
}

int run(const std::vector<std::string>& arguments) {
  const auto options = parse_run_options(arguments);
  if (options) return run_suite(*options);
  std::fprintf(stderr, "gpu-smoke run: %s\n", options.error().message.c_str());
  return kExitUsage;
}

}  // namespace
}  // namespace crosswarp::smoke

int main(int count, char** arguments) { return crosswarp::smoke::run({arguments + 1, arguments + count}); }
