// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crosswarp::probe {

struct Device {
  std::string name;  ///< "NVIDIA H200"
  std::string uuid;
  std::string arch;  ///< "sm_90"
  std::uint64_t memory_bytes = 0;
};

/// What the driver says of itself and its devices.
struct Nvml {
  std::string driver;  ///< "580.126.09"; empty where there is none
  int cuda = 0;        ///< newest CUDA the driver serves, as it numbers it: 13000 for 13.0; 0 where it does not say
  std::vector<Device> devices;
  std::string problem;  ///< why there is no driver, or why a device is left out; in the system's or NVML's words
};

/// Opens the driver's management library at run time and asks it. Interface: NVIDIA's NVML API reference (nvmlInit_v2,
/// nvmlSystemGetDriverVersion, nvmlDeviceGet*).
Nvml ask_nvml(const std::string& library);

}  // namespace crosswarp::probe
