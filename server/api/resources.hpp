// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "server/agents/agents.hpp"
#include "server/api/metrics.hpp"
#include "server/api/routes.hpp"
#include "server/db/pool.hpp"
#include "server/jobs/jobs.hpp"
#include "server/runs/runs.hpp"
#include "server/table/table.hpp"

#include <cstdint>
#include <string>

/// The resources of the API, a file each: decode, call a service, encode. Services must outlive the router.
namespace crosswarp::api {

void add_run_routes(Routes& routes, runs::Runs& runs, jobs::Jobs& jobs, std::uint64_t body_limit);
void add_job_routes(Routes& routes, jobs::Jobs& jobs);
void add_verdict_routes(Routes& routes, table::Table& table);
void add_agent_routes(Routes& routes, agents::Agents& agents, jobs::Jobs& jobs);
void add_attempt_routes(Routes& routes, jobs::Jobs& jobs);
void add_blob_routes(Routes& routes, runs::Runs& runs);
void add_health_routes(Routes& routes, db::Pool& pool);
void add_metrics_routes(Routes& routes, Metrics& metrics, jobs::Jobs& jobs, agents::Agents& agents);
void add_openapi_routes(Routes& routes);
void add_page_routes(Routes& routes, runs::Runs& runs, jobs::Jobs& jobs, agents::Agents& agents, table::Table& table);

/// The description of this API, OpenAPI 3.1 as JSON.
std::string_view openapi_text();

}  // namespace crosswarp::api
