// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/agents/agents.hpp"
#include "server/jobs/job.hpp"
#include "server/runs/runs.hpp"
#include "server/table/verdict.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <vector>

/// Domain values as the JSON of the API, version 1: what is absent is null. openapi.json describes each.
namespace crosswarp::api {

boost::json::object to_json(const table::Verdict& verdict);
boost::json::object to_json(const runs::Run& run);
boost::json::object to_json(const runs::RunCombination& combination);
boost::json::object to_json(const jobs::Job& job);
/// The job with its attempts, but for what is large of those: units, lock and details.
boost::json::object outline(const jobs::Job& job);
boost::json::object to_json(const agents::Agent& agent);

/// One entry of a problem's `errors`; the place is "line:column", or null for the whole file.
boost::json::object to_json(const Diagnostic& diagnostic);

template <class T>
boost::json::array to_json_array(const std::vector<T>& values) {
  boost::json::array array;
  array.reserve(values.size());
  for (const T& value : values) array.push_back(to_json(value));
  return array;
}

}  // namespace crosswarp::api
