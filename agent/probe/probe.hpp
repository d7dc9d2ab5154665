// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// What this host is and has. The probe only looks; what follows from it is judged elsewhere.
namespace crosswarp::probe {

namespace asio = boost::asio;

struct ProbeOptions {
  std::string nvml = "libnvidia-ml.so.1";  ///< name or path for dlopen
  std::filesystem::path disk = "/";        ///< whose free space counts: the state folder
  std::string engine;                      ///< name of the container runtime, for people
  bool sandboxed = true;                   ///< jobs see a view of this host (see container::view_of_host), else all
};

struct Probe {
  /// Sorted, each once, `axis=value` as jobs need them: "python=3.11", "toolkit=13.0", "toolkit=13.0.88",
  /// "compiler=gcc-12", "os=debian-12", "kernel=6.1", "driver=580", "driver=580.126", "driver=580.126.09",
  /// "device=sm_90".
  std::vector<std::string> offers;
  std::map<std::string, std::filesystem::path> interpreters;  ///< "3.11" to /usr/bin/python3.11
  std::map<std::string, std::filesystem::path> toolkits;      ///< "13.0" and "13.0.88" to the real folder
  int cores = 1;
  std::uint64_t memory_bytes = 0;
  boost::json::object facts;  ///< everything found, for people; also what was found and is not offered, and why
};

/// Looks around: runs every interpreter, compiler and nvcc it finds (each at most ten seconds) and believes only what
/// they say themselves. Interpreters that jobs cannot see are in the facts and not among the offers. Where there is no
/// driver (NVML), the facts say so; that is no error.
asio::awaitable<Probe> probe_host(ProbeOptions options);

}  // namespace crosswarp::probe
