// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/agents/agents.hpp"
#include "server/http/message.hpp"
#include "server/jobs/job.hpp"
#include "server/runs/runs.hpp"
#include "server/table/table.hpp"

#include <chrono>
#include <string>
#include <vector>

/// The pages, as HTML. Every text in them is escaped by the templates; logs and reasons are text, never markup.
namespace crosswarp::ui {

using TimePoint = std::chrono::system_clock::time_point;

std::string home_page(const std::vector<table::LibrarySummary>& libraries, const std::vector<runs::Run>& latest);

/// The grid of one library; `parameters` of its URL choose rows, columns and filters.
/// Errors: as make_grid.
Result<std::string> library_page(const std::string& library, const std::vector<table::Verdict>& verdicts,
                                 const std::vector<table::AxisValues>& axes, const http::Parameters& parameters,
                                 TimePoint now);

/// One verdict with the jobs planned for it, reached or not, first one first (none where no job was needed).
std::string combination_page(const table::Verdict& verdict, const std::vector<jobs::Job>& chain, TimePoint now);

std::string runs_page(const runs::RunPage& page);
std::string run_page(const runs::Run& run, const runs::CombinationPage& page);

/// What a page shows of a log: its end.
struct LogTail {
  std::int64_t attempt = 0;
  std::string text;  ///< UTF-8
  std::uint64_t size = 0;
  bool ended = false;
  bool cut = false;  ///< `text` is not all of it
};
std::string job_page(const jobs::Job& job, const std::optional<LogTail>& log);
std::string agents_page(const std::vector<agents::Agent>& agents, TimePoint now);
std::string error_page(int status, std::string_view message);

}  // namespace crosswarp::ui
