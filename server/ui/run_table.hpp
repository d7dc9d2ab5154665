// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/runs/runs.hpp"
#include "server/ui/view.hpp"

namespace crosswarp::ui {

/// A table of runs, as HTML to stand in a page.
std::string run_table(const std::vector<runs::Run>& runs);

/// "arch sm_90a, triton 3.3.0"
std::string axes_text(const Combination& axes);

}  // namespace crosswarp::ui
