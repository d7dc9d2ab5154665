// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/container/container.hpp"

#include <filesystem>
#include <vector>

namespace crosswarp::container {

/// What of this machine's root a job of the image kind `host` must not see, and what must be put back. A job runs as
/// user 0 without capabilities, who may still read every file of user 0, so rights on files do not protect them.
struct HostView {
  std::vector<std::filesystem::path> hidden_folders;  ///< none lies below another
  std::vector<std::filesystem::path> hidden_files;    ///< none lies below a hidden folder
  std::vector<Mount> shown;                           ///< read-only
};

/// The view: /usr without /usr/local, /etc, the libraries, and the package database (/var/lib/dpkg). Every other folder
/// of the root is hidden, and in /etc whatever an ordinary user may not read (password files, private keys). `more` are
/// hidden too. File systems mounted below /usr and /etc, which a view of the root leaves out, are shown.
HostView view_of_host(const std::vector<std::filesystem::path>& more);

/// Whether a job of the kind `host` sees this file or folder without a mount of its own.
bool visible_to_jobs(const std::filesystem::path& path);

}  // namespace crosswarp::container
