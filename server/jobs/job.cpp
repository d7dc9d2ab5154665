// SPDX-License-Identifier: Apache-2.0
#include "server/jobs/job.hpp"

#include <array>
#include <stdexcept>

namespace crosswarp::jobs {

std::string_view to_text(JobState state) {
  switch (state) {
    case JobState::waiting: return "waiting";
    case JobState::waiting_control: return "waiting_control";
    case JobState::queued: return "queued";
    case JobState::leased: return "leased";
    case JobState::done: return "done";
    case JobState::parked: return "parked";
    case JobState::cancelled: return "cancelled";
  }
  throw std::logic_error("no such state");
}

std::optional<JobState> job_state_from_text(std::string_view text) {
  constexpr std::array kStates{JobState::waiting, JobState::waiting_control, JobState::queued,   JobState::leased,
                               JobState::done,    JobState::parked,          JobState::cancelled};
  for (const auto state : kStates)
    if (text == to_text(state)) return state;
  return std::nullopt;
}

}  // namespace crosswarp::jobs
