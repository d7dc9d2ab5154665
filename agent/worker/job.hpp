// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "agent/client/client.hpp"
#include "agent/container/container.hpp"
#include "agent/protocol/protocol.hpp"
#include "agent/worker/job_log.hpp"
#include "agent/worker/proof.hpp"
#include "agent/worker/store.hpp"
#include "matrix/spec/recipe.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/json/object.hpp>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace crosswarp::worker {

namespace asio = boost::asio;

/// What the jobs of this agent find on its host and share.
struct Host {
  std::string name;
  std::map<std::string, std::filesystem::path> interpreters;  ///< "3.11" -> /usr/bin/python3.11
  std::map<std::string, std::filesystem::path> toolkits;      ///< "13.0" -> folder of that CUDA toolkit
  std::filesystem::path tools;                                ///< folder with uv and gpu-smoke
  std::map<std::string, std::string> fetch_environment;       ///< index, proxy and certificate variables
  boost::json::object facts;                                  ///< what of the probe enters a lock
};

/// What all jobs of an agent use; outlives them.
struct Shared {
  const Host& host;
  Store& store;
  container::ContainerRuntime& runtime;
  asio::thread_pool& files;      ///< for blocking work on folders
  std::set<std::string> making;  ///< environments being made now
  std::string instance;
};

/// One attempt: its folder, containers, log and outcome. Everything on one executor.
class Job {
 public:
  Job(Shared& shared, protocol::Assignment assignment, JobLog& log, Client& client);
  ~Job();

  /// Runs to the end, whatever happens; failures of ours come back as `broken`.
  asio::awaitable<protocol::Finish> run();

  /// Ends what runs; run() then answers `skipped`.
  void cancel();

  /// "build matmul": what it does now.
  const std::string& doing() const { return doing_; }

 private:
  struct UnitResult;

  asio::awaitable<Result<void>> fetch_recipe();
  asio::awaitable<Result<void>> prepare_environment();
  asio::awaitable<bool> run_stages(const std::vector<Rung>& rungs, bool reported);
  asio::awaitable<bool> run_stage(const Stage& stage, bool reported);
  asio::awaitable<UnitResult> run_unit(const Stage& stage, const Unit& unit);
  asio::awaitable<UnitResult> judge(const Stage& stage, const Unit& unit);
  asio::awaitable<Judgement> judge_proof(const Proof& proof);
  asio::awaitable<Result<std::string>> inspect(const std::string& file);
  asio::awaitable<Result<std::string>> evidence(const Proof& proof);
  asio::awaitable<Result<void>> enter(const Stage& stage);
  asio::awaitable<void> leave_container();
  asio::awaitable<Result<void>> seal();
  container::ContainerSpec container_spec(const Stage& stage) const;
  std::map<std::string, std::string> command_environment(const Stage& stage) const;
  void add_index_variables(std::map<std::string, std::string>& env) const;
  void add_axis_variables(std::map<std::string, std::string>& env) const;
  std::string seen(const std::filesystem::path& host_path) const;
  std::filesystem::path environment_dir() const;
  const Stage* stage_of(Rung rung) const;
  void settle(const Stage& stage, const std::vector<UnitResult>& bad);
  void break_off(std::string code, std::string reason);
  void say(const std::string& line);

  Shared& shared_;
  protocol::Assignment assignment_;
  JobLog& log_;
  Client& client_;
  Recipe recipe_;
  std::filesystem::path recipe_dir_;
  std::filesystem::path job_dir_;
  std::unique_ptr<container::Container> container_;
  bool in_network_ = false;
  bool made_environment_ = false;
  bool cancelled_ = false;
  std::map<std::string, std::string> inspected_;
  std::string doing_;
  protocol::Finish finish_;
};

}  // namespace crosswarp::worker
