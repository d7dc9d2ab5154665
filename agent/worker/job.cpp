// SPDX-License-Identifier: Apache-2.0
#include "agent/worker/job.hpp"

#include "agent/worker/on_pool.hpp"
#include "matrix/diagnosis/diagnosis.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/json.hpp>

#include <algorithm>
#include <fstream>

namespace crosswarp::worker {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::size_t kEvidenceLimit = std::size_t{4} << 20;
constexpr std::size_t kInspectionLimit = std::size_t{64} << 20;
constexpr std::size_t kLockLimit = std::size_t{256} << 10;  ///< locks travel whole in answers and assignments
constexpr std::size_t kExcerptHalf = std::size_t{1} << 20;

/// "2 GiB", "512 MiB".
std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
  if (bytes % kGiB == 0) return std::to_string(bytes / kGiB) + " GiB";
  return std::to_string(bytes >> 20) + " MiB";
}

std::string limit_text(container::Stopped stopped, const Limits& limits) {
  if (stopped == container::Stopped::time_limit) return std::to_string(limits.time.count()) + " s";
  if (stopped == container::Stopped::memory_limit) return size_text(limits.memory_bytes);
  if (stopped == container::Stopped::process_limit) return std::to_string(limits.processes) + " processes";
  return {};
}

std::string variable_of(const std::string& axis) {
  std::string name = "CROSSWARP_AXIS_";
  for (const char c : axis) {
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                                                        : '_';
  }
  return name;
}

std::string_view word_of(Proof::Kind kind) {
  switch (kind) {
    case Proof::Kind::lock: return "lock";
    case Proof::Kind::installed: return "installed";
    case Proof::Kind::loaded: return "loaded";
    case Proof::Kind::toolkit: return "toolkit";
    case Proof::Kind::code: return "code";
    case Proof::Kind::product: break;
  }
  return "product";
}

json::object proof_report(const Proof& proof, const Judgement& judgement) {
  return {{"kind", word_of(proof.kind)},
          {"file", proof.file},
          {"holds", judgement.outcome == Judgement::Outcome::holds},
          {"found", judgement.found}};
}

}  // namespace

struct Job::UnitResult {
  protocol::UnitReport report;
  bool passed() const { return report.outcome == "passed"; }
};

Job::Job(Shared& shared, protocol::Assignment assignment, JobLog& log, Client& client)
    : shared_(shared), assignment_(std::move(assignment)), log_(log), client_(client) {
  finish_.status = Status::broken;
}

Job::~Job() = default;

void Job::cancel() {
  cancelled_ = true;
  if (container_) container_->kill();
}

void Job::say(const std::string& line) { log_.write("== " + line + " ==\n"); }

void Job::break_off(std::string code, std::string reason) {
  finish_.status = Status::broken;
  finish_.code = std::move(code);
  finish_.reason = std::move(reason);
  say("broken: " + finish_.reason);
}

const Stage* Job::stage_of(Rung rung) const {
  const auto found = std::find_if(recipe_.stages.begin(), recipe_.stages.end(),
                                  [&](const Stage& stage) { return stage.rung == rung; });
  return found == recipe_.stages.end() ? nullptr : &*found;
}

asio::awaitable<protocol::Finish> Job::run() {
  doing_ = "preparing";
  try {
    job_dir_ = co_await on_pool(shared_.files, [this] { return shared_.store.make_job_dir(assignment_.attempt); });
    auto ready = co_await fetch_recipe();
    if (ready) ready = co_await prepare_environment();
    if (!ready) {
      if (finish_.reason.empty()) break_off("agent", ready.error().message);
    } else {
      const bool good = co_await run_stages(assignment_.rungs, true);
      if (good) finish_.status = Status::passed;
    }
    co_await leave_container();
  } catch (const std::exception& error) {
    break_off("agent", error.what());
  }
  if (made_environment_) shared_.making.erase(assignment_.environment);
  if (cancelled_) {
    finish_.status = Status::skipped;
    finish_.code = "cancelled";
    finish_.reason = "cancelled";
  }
  container_.reset();
  co_await on_pool(shared_.files, [this] { shared_.store.remove_job_dir(assignment_.attempt); });
  log_.finish();
  finish_.details["host"] = shared_.host.facts;
  finish_.details["agent"] = shared_.host.name;
  finish_.details["sandbox"] = shared_.runtime.name();
  finish_.details["sandboxed"] = shared_.runtime.sandboxed();
  finish_.details["unenforced"] = json::value_from(shared_.runtime.unenforced());
  for (auto& unit : finish_.units) {
    unit.log_begin = log_.stored_at(unit.log_begin);
    unit.log_end = log_.stored_at(unit.log_end);
  }
  co_return std::move(finish_);
}

asio::awaitable<Result<void>> Job::fetch_recipe() {
  for (const auto& file : assignment_.files) {
    if (co_await on_pool(shared_.files, [&] { return shared_.store.blob(file.sha256).has_value(); })) continue;
    const auto reply = co_await client_.send(get("/api/v1/blobs/" + file.sha256));
    if (!reply) co_return in_context("fetching " + file.path, reply.error());
    if (!reply->ok()) co_return in_context("fetching " + file.path, error_of(*reply));
    const auto kept = co_await on_pool(shared_.files, [&] { return shared_.store.put_blob(file.sha256, reply->body); });
    if (!kept) co_return in_context(file.path, kept.error());
  }
  const auto tree = co_await on_pool(shared_.files, [this] { return shared_.store.recipe_tree(assignment_.files); });
  if (!tree) co_return tree.error();
  recipe_dir_ = *tree / assignment_.library;
  const auto text = read_beneath(*tree, assignment_.library + "/recipe.yaml", kEvidenceLimit);
  if (!text) co_return in_context("recipe", text.error());
  auto parsed = parse_recipe(*text);
  if (!parsed.ok()) {
    co_return Error{ErrorCode::invalid_argument,
                    render(parsed.diagnostics.front(), assignment_.library + "/recipe.yaml")};
  }
  recipe_ = std::move(parsed.recipe);
  if (assignment_.lock.empty()) co_return Result<void>{};
  co_return write_file(job_dir_ / "lock.txt", assignment_.lock);
}

asio::awaitable<Result<void>> Job::prepare_environment() {
  const std::string& key = assignment_.environment;
  if (key.empty()) co_return Result<void>{};
  const bool makes_it =
      std::find(assignment_.rungs.begin(), assignment_.rungs.end(), Rung::install) != assignment_.rungs.end();
  doing_ = "waiting for its environment";
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  while (shared_.making.contains(key) && !cancelled_) {
    timer.expires_after(std::chrono::milliseconds(200));
    co_await timer.async_wait(asio::use_awaitable);
  }
  const bool there = co_await on_pool(shared_.files, [&] { return shared_.store.environment(key).has_value(); });
  if (!makes_it && there) co_return Result<void>{};
  shared_.making.insert(key);
  made_environment_ = true;
  co_await on_pool(shared_.files, [&] { shared_.store.begin_environment(key); });
  if (makes_it) co_return Result<void>{};
  const bool prepared = co_await run_stages(assignment_.prepare, false);
  if (!prepared) {
    const std::string why = finish_.reason;
    break_off("environment_lost", "the environment cannot be made again: " + why);
    co_return Error{ErrorCode::unavailable, finish_.reason};
  }
  co_return co_await seal();
}

asio::awaitable<Result<void>> Job::seal() {
  const bool pending = made_environment_ && shared_.making.contains(assignment_.environment);
  if (!pending) co_return Result<void>{};
  const bool link = !shared_.runtime.sandboxed();
  if (container_ && in_network_) co_await leave_container();
  co_await on_pool(shared_.files, [&] { shared_.store.seal_environment(assignment_.environment, link); });
  shared_.making.erase(assignment_.environment);
  co_return Result<void>{};
}

asio::awaitable<void> Job::leave_container() {
  if (!container_) co_return;
  co_await container_->close();
  container_.reset();
}

asio::awaitable<Result<void>> Job::enter(const Stage& stage) {
  if (container_ && in_network_ == stage.network) co_return Result<void>{};
  co_await leave_container();
  if (!stage.network) {
    if (const auto sealed = co_await seal(); !sealed) co_return sealed.error();
  }
  in_network_ = stage.network;
  auto started = co_await shared_.runtime.start(container_spec(stage));
  if (!started) co_return started.error();
  container_ = std::move(*started);
  if (cancelled_) container_->kill();
  co_return Result<void>{};
}

container::ContainerSpec Job::container_spec(const Stage& stage) const {
  container::ContainerSpec spec;
  spec.image = recipe_.image;
  spec.name =
      "crosswarp-" + shared_.instance + '-' + std::to_string(assignment_.attempt) + (stage.network ? "-fetch" : "-run");
  spec.attempt = assignment_.attempt;
  spec.network = stage.network;
  spec.memory_bytes = assignment_.memory_bytes;
  spec.processes = 0;
  for (const Stage& each : recipe_.stages) {
    const Limits limits = limits_for(each, assignment_.axes);
    if (each.network != stage.network) continue;
    spec.memory_bytes = std::max(spec.memory_bytes, limits.memory_bytes);
    spec.processes = std::max(spec.processes, limits.processes);
  }
  spec.mounts = {{recipe_dir_.parent_path(), "/crosswarp/recipes", true},
                 {shared_.host.tools, "/crosswarp/tools", true},
                 {job_dir_, "/crosswarp/job", false}};
  if (stage.network) {
    spec.mounts.push_back({shared_.store.fetch_dir(), "/crosswarp/store", false});
  } else if (!assignment_.environment.empty()) {
    spec.mounts.push_back({environment_dir(), "/crosswarp/store/envs/" + assignment_.environment, true});
  }
  spec.hidden.emplace_back("/usr/local");
  for (const auto& [axis, declared] : recipe_.axes) {
    if (declared.kind != AxisKind::toolkit) continue;
    const auto toolkit = shared_.host.toolkits.find(std::string(value_of(assignment_.axes, axis)));
    if (toolkit != shared_.host.toolkits.end()) spec.mounts.push_back({toolkit->second, toolkit->second, true});
  }
  return spec;
}

fs::path Job::environment_dir() const {
  const auto sealed = shared_.store.environment(assignment_.environment);
  return sealed && shared_.runtime.sandboxed() && !in_network_ ? *sealed
                                                               : shared_.store.building_dir(assignment_.environment);
}

std::string Job::seen(const fs::path& host_path) const { return container_->inside(host_path).string(); }

std::map<std::string, std::string> Job::command_environment(const Stage& stage) const {
  const std::string work = seen(job_dir_ / "work");
  const std::string tools = seen(shared_.host.tools);
  std::map<std::string, std::string> env{
      {"PATH", tools + ":/usr/sbin:/usr/bin:/sbin:/bin"},
      {"LANG", "C.UTF-8"},
      {"HOME", work + "/.home"},
      {"TMPDIR", work + "/.tmp"},
      {"XDG_CACHE_HOME", work + "/.cache"},
      {"CROSSWARP_WORK", work},
      {"CROSSWARP_OUT", seen(job_dir_ / "out")},
      {"CROSSWARP_RECIPE", seen(recipe_dir_)},
      {"CROSSWARP_TOOLS", tools},
  };
  if (!assignment_.environment.empty()) env["CROSSWARP_ENV"] = seen(environment_dir());
  if (!assignment_.lock.empty()) env["CROSSWARP_LOCK"] = seen(job_dir_ / "lock.txt");
  if (stage.network) add_index_variables(env);
  add_axis_variables(env);
  return env;
}

void Job::add_index_variables(std::map<std::string, std::string>& env) const {
  env.insert(shared_.host.fetch_environment.begin(), shared_.host.fetch_environment.end());
  const std::string cache = seen(shared_.store.cache_dir());
  env["CROSSWARP_CACHE"] = cache;
  env["UV_CACHE_DIR"] = cache + "/uv";
  env["UV_NO_PROGRESS"] = "1";
  env["UV_PYTHON_DOWNLOADS"] = "never";
}

void Job::add_axis_variables(std::map<std::string, std::string>& env) const {
  if (!shared_.host.interpreters.empty()) {
    env["CROSSWARP_PYTHON"] = shared_.host.interpreters.rbegin()->second;
  }
  for (const auto& [axis, declared] : recipe_.axes) {
    const std::string value(value_of(assignment_.axes, axis));
    env[variable_of(axis)] = value;
    if (declared.kind == AxisKind::interpreter) {
      const auto found = shared_.host.interpreters.find(value);
      if (found != shared_.host.interpreters.end()) env["CROSSWARP_PYTHON"] = found->second;
    }
    if (declared.kind == AxisKind::toolkit) {
      const auto found = shared_.host.toolkits.find(value);
      if (found != shared_.host.toolkits.end()) env["CROSSWARP_TOOLKIT"] = found->second;
    }
  }
}

asio::awaitable<bool> Job::run_stages(const std::vector<Rung>& rungs, bool reported) {
  bool good = true;
  for (const Rung rung : rungs) {
    const Stage* stage = stage_of(rung);
    if (!stage) {
      break_off("agent", "the recipe has no stage " + std::string(to_text(rung)));
      co_return false;
    }
    good = co_await run_stage(*stage, reported);
    if (!good) break;
  }
  co_return good;
}

asio::awaitable<bool> Job::run_stage(const Stage& stage, bool reported) {
  if (cancelled_) co_return false;
  const auto entered = co_await enter(stage);
  if (!entered) {
    break_off("container", entered.error().message);
    finish_.rung = stage.rung;
    co_return false;
  }
  const Limits limits = limits_for(stage, assignment_.axes);
  const std::string confined = !shared_.runtime.sandboxed() ? ", unsandboxed, "
                               : stage.network              ? ", network, "
                                                            : ", no network, ";
  say(std::string(to_text(stage.rung)) + " (" + shared_.runtime.name() + confined + size_text(limits.memory_bytes) +
      ", " + std::to_string(limits.time.count()) + " s)");
  std::vector<UnitResult> bad;
  for (const Unit& unit : stage.units) {
    UnitResult result = co_await run_unit(stage, unit);
    if (reported) finish_.units.push_back(result.report);
    if (!result.passed()) bad.push_back(std::move(result));
    if (cancelled_) co_return false;
  }
  if (!bad.empty()) {
    settle(stage, bad);
    co_return false;
  }
  if (reported) {
    finish_.rung = finish_.proved = stage.rung;
    finish_.evidence = stage.evidence;
  }
  co_return true;
}

/// The stage's outcome is that of its first bad unit; a broken one comes first, since it says nothing of the library.
void Job::settle(const Stage& stage, const std::vector<UnitResult>& bad) {
  const auto broken =
      std::find_if(bad.begin(), bad.end(), [](const UnitResult& unit) { return unit.report.outcome == "broken"; });
  const auto& report = (broken == bad.end() ? bad.front() : *broken).report;
  finish_.rung = stage.rung;
  finish_.status = report.outcome == "broken" ? Status::broken : Status::failed;
  finish_.evidence = stage.evidence;
  finish_.code = report.code;
  finish_.remedy = report.remedy;
  finish_.reason = report.reason;
  if (stage.units.size() > 1) {
    finish_.reason = report.unit + ": " + report.reason + " (" + std::to_string(stage.units.size() - bad.size()) +
                     " of " + std::to_string(stage.units.size()) + " units passed)";
  }
}

asio::awaitable<Job::UnitResult> Job::run_unit(const Stage& stage, const Unit& unit) {
  doing_ = std::string(to_text(stage.rung)) + (unit.name == to_text(stage.rung) ? "" : ' ' + unit.name);
  const Limits limits = limits_for(stage, assignment_.axes);
  Excerpt excerpt(kExcerptHalf);
  const std::uint64_t begin = log_.written();
  container::Command command;
  command.argv = {"/bin/sh", "-eu", "-c", unit.run};
  command.env = command_environment(stage);
  command.cwd = seen(job_dir_ / "work");
  command.time = limits.time;
  command.memory_bytes = limits.memory_bytes;
  command.processes = limits.processes;
  const auto exit = co_await container_->run(command, [&](std::string_view text) {
    log_.write(text);
    excerpt.write(text);
  });
  UnitResult result;
  if (!exit) {
    result.report.outcome = "broken";
    result.report.code = "container";
    result.report.reason = exit.error().message;
  } else if (exit->code == 0 && exit->signal == 0 && exit->stopped == container::Stopped::no) {
    result = co_await judge(stage, unit);
  } else {
    const std::string text = excerpt.text();
    const std::string limit = limit_text(exit->stopped, limits);
    const Diagnosis diagnosis = diagnose({.rung = stage.rung,
                                          .unit = unit.name,
                                          .exit_code = exit->code,
                                          .signal = exit->signal,
                                          .stopped = exit->stopped,
                                          .limit = limit,
                                          .network = stage.network,
                                          .log = text});
    result.report.outcome = diagnosis.our_fault ? "broken" : "failed";
    result.report.code = diagnosis.code;
    result.report.reason = diagnosis.reason;
    result.report.remedy = diagnosis.remedy;
  }
  result.report.rung = stage.rung;
  result.report.unit = unit.name;
  result.report.log_begin = begin;
  result.report.log_end = log_.written();
  if (exit) {
    result.report.exit_code = exit->code;
    result.report.signal = exit->signal;
    result.report.seconds = exit->seconds;
    result.report.peak_memory_bytes = exit->peak_memory_bytes;
  }
  co_return result;
}

asio::awaitable<Job::UnitResult> Job::judge(const Stage& stage, const Unit& unit) {
  UnitResult result;
  result.report.outcome = "passed";
  for (const Proof& proof : unit.proofs) {
    const Judgement judgement = co_await judge_proof(proof);
    result.report.proofs.emplace_back(proof_report(proof, judgement));
    if (judgement.outcome == Judgement::Outcome::holds) continue;
    result.report.outcome = judgement.outcome == Judgement::Outcome::unusable ? "broken" : "failed";
    result.report.code = judgement.code;
    result.report.reason = judgement.reason;
    log_.write(std::string(to_text(stage.rung)) + ' ' + unit.name + ": " + judgement.reason + '\n');
    break;
  }
  co_return result;
}

asio::awaitable<Judgement> Job::judge_proof(const Proof& proof) {
  const bool is_code = proof.kind == Proof::Kind::code || proof.kind == Proof::Kind::product;
  Result<std::string> text{std::string()};
  if (is_code) {
    text = co_await inspect(proof.file);
  } else {
    text = co_await evidence(proof);
  }
  if (!text) {
    Judgement missing;
    missing.code = "no_evidence";
    missing.reason = text.error().message;
    co_return missing;
  }
  const std::string environment = assignment_.environment.empty() ? std::string()
                                  : shared_.runtime.sandboxed()   ? seen(environment_dir())
                                                                  : fs::weakly_canonical(environment_dir()).string();
  const Claims claims{recipe_, assignment_.axes, assignment_.lock, environment};
  switch (proof.kind) {
    case Proof::Kind::lock: finish_.lock = *text; co_return judge_lock(*text, claims);
    case Proof::Kind::installed: co_return judge_installed(*text, claims);
    case Proof::Kind::loaded: co_return judge_loaded(*text, claims);
    case Proof::Kind::toolkit: co_return judge_toolkit(*text, claims);
    case Proof::Kind::code: co_return judge_code(*text, proof, claims);
    case Proof::Kind::product: break;
  }
  co_return judge_product(*text, proof);
}

asio::awaitable<Result<std::string>> Job::evidence(const Proof& proof) {
  const std::size_t limit = proof.kind == Proof::Kind::lock ? kLockLimit : kEvidenceLimit;
  auto text = co_await on_pool(shared_.files, [&] { return read_beneath(job_dir_, "out/" + proof.file, limit); });
  if (!text) co_return in_context("exited 0 but its evidence cannot be read", text.error());
  co_return text;
}

/// Runs the inspector in the job's own container: it reads files that the job wrote.
asio::awaitable<Result<std::string>> Job::inspect(const std::string& file) {
  if (const auto known = inspected_.find(file); known != inspected_.end()) co_return known->second;
  std::string output;
  container::Command command;
  command.argv = {seen(shared_.host.tools / "gpu-smoke"), "inspect", "--json", seen(job_dir_ / "out" / file)};
  command.env = {{"PATH", "/usr/bin:/bin"}};
  command.time = std::chrono::seconds(120);
  const auto exit = co_await container_->run(command, [&](std::string_view text) {
    if (output.size() < kInspectionLimit) output += text;
  });
  if (!exit) co_return exit.error();
  if (exit->code != 0 || exit->signal != 0 || exit->stopped != container::Stopped::no) {
    const std::string words = output.substr(0, std::min(output.find('\n'), std::size_t{300}));
    co_return Error{ErrorCode::invalid_argument, "exited 0 but its code cannot be inspected: " +
                                                     (words.empty() ? "the inspector was stopped" : words)};
  }
  inspected_[file] = output;
  co_return output;
}

}  // namespace crosswarp::worker
