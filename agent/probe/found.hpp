// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/awaitable.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::probe {

/// A program of the host that said its version.
struct Found {
  std::string version;         ///< "3.11.2", "13.0.88", "12.2.0"
  std::filesystem::path path;  ///< interpreter or compiler; of a toolkit its real folder
};

/// Python interpreters named python3.N in the folders, each real file once.
boost::asio::awaitable<std::vector<Found>> find_interpreters(std::vector<std::filesystem::path> folders);

/// CUDA toolkits: CUDA_HOME, nvcc in PATH, /usr/local/cuda*, each real folder once: the one in which nvvm/bin/cicc
/// lies, wherever a wrapper of nvcc or links to its parts may be.
boost::asio::awaitable<std::vector<Found>> find_toolkits();
boost::asio::awaitable<std::vector<Found>> find_toolkits(std::vector<std::filesystem::path> folders);

/// Compilers of one family by their names with a number ("g++-12", "clang++-14") and without.
boost::asio::awaitable<std::vector<Found>> find_compilers(std::string name);

/// "13.0.88" in the text that `nvcc --version` prints.
std::optional<std::string> nvcc_version(std::string_view text);

/// The first `parts` numbers of a dotted version: "13.0" of "13.0.88" and 2.
std::string leading(std::string_view version, int parts);

}  // namespace crosswarp::probe
