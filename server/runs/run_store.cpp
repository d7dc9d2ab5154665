// SPDX-License-Identifier: Apache-2.0
#include "server/runs/run_store.hpp"

#include "server/jobs/outcome.hpp"
#include "server/table/publish.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <set>
#include <unordered_map>
#include <unordered_set>

namespace crosswarp::runs {
namespace {

using db::Query;

constexpr Query kRun{"runs.insert",
                     "insert into run (label, verify, spec, state) values ($1, $2, $3, 'running') returning id"};
constexpr Query kBlob{"runs.keep_blob",
                      "insert into blob (sha256, bytes) values ($1, $2) on conflict (sha256) do nothing"};
constexpr Query kMatrix{"runs.insert_matrix",
                        "insert into matrix (run_id, number, library, recipe_hash, files) values ($1, $2, $3, $4, $5)"};
constexpr Query kJobIds{"runs.job_ids", R"sql(
  select nextval(pg_get_serial_sequence('job', 'id')) as id from generate_series(1, $1::bigint))sql"};
constexpr Query kControlIds{"runs.control_ids", R"sql(
  select nextval(pg_get_serial_sequence('control', 'id')) as id from generate_series(1, $1::bigint))sql"};
constexpr Query kAxisValues{"runs.axis_values", R"sql(
  insert into axis_value (library, axis, value)
  select $1, t.axis, t.value from unnest($2::text[], $3::text[]) with ordinality as t (axis, value, place)
  order by t.place
  on conflict (library, axis, value) do nothing)sql"};

constexpr const char* kCopyJobs =
    "copy job (id, run_id, matrix, parent_id, key, control, rungs, axes, environment, needs, memory_bytes, depth,"
    " state, queued_at) from stdin";
constexpr const char* kCopyControls = "copy control (id, run_id, matrix, axes, title, job_id) from stdin";
constexpr const char* kCopyCombinations =
    "copy combination (run_id, ordinal, matrix, id, axes, leaf_job_id, controls, control, state, status, rung, proved,"
    " evidence, code, reason, source, decided_at) from stdin";

constexpr std::size_t kPiece = std::size_t{1} << 16;

/// One line of COPY's text format, field by field.
class CopyLine {
 public:
  explicit CopyLine(std::string& out) : out_(out) {}
  CopyLine& text(std::string_view field) {
    separate();
    out_ += db::copy_text(field);
    return *this;
  }
  CopyLine& number(std::int64_t field) { return text(std::to_string(field)); }
  CopyLine& null() {
    separate();
    out_ += "\\N";
    return *this;
  }
  void end() { out_ += '\n'; }

 private:
  void separate() {
    if (!first_) out_ += '\t';
    first_ = false;
  }

  std::string& out_;
  bool first_ = true;
};

/// Gives COPY the lines that `write` makes for 0, 1, ... `count` - 1, in pieces.
std::function<std::string_view()> lines(std::size_t count, std::function<void(std::size_t, CopyLine&)> write) {
  return [count, write = std::move(write), next = std::size_t{0}, piece = std::string()]() mutable {
    piece.clear();
    for (; next < count && piece.size() < kPiece; ++next) {
      CopyLine line(piece);
      write(next, line);
      line.end();
    }
    return std::string_view(piece);
  };
}

std::string array_text(const std::vector<std::string>& values) { return *db::Param(values).text(); }

std::vector<std::int64_t> ids_of(const db::Rows& rows) {
  std::vector<std::int64_t> ids;
  for (const auto row : rows) ids.push_back(row.integer("id"));
  return ids;
}

/// One matrix on its way into the database: which row each prepared thing became.
struct Stored {
  std::int64_t run = 0;
  std::int64_t number = 0;
  const PreparedMatrix& matrix;
  std::vector<std::int64_t> job_ids;          ///< by position; 0 where the job is no work
  std::vector<std::int64_t> control_ids;      ///< by position
  std::vector<std::int64_t> control_job_ids;  ///< by position of the control
  std::unordered_map<std::string_view, std::int64_t> by_key;
};

std::string title_of(const Combination& axes) {
  std::string title;
  for (const auto& [axis, value] : axes) title += (title.empty() ? "" : " ") + axis + '=' + value;
  return title;
}

void write_job(CopyLine& line, const Stored& stored, const PlannedJob& job, std::int64_t id, bool control) {
  std::vector<std::string> rungs;
  for (const auto rung : job.rungs) rungs.emplace_back(to_text(rung));
  line.number(id).number(stored.run).number(stored.number);
  job.parent.empty() ? line.null() : line.number(stored.by_key.at(job.parent));
  line.text(job.key).text(control ? "t" : "f").text(array_text(rungs)).text(table::axes_json(job.axes));
  line.text(job.environment).text(array_text(job.needs)).number(static_cast<std::int64_t>(job.memory_bytes));
  line.number(job.depth);
  const bool first = !control && job.parent.empty();
  line.text(control ? "waiting_control" : first ? "queued" : "waiting");
  first ? line.text("now") : line.null();
}

asio::awaitable<void> store_jobs(db::Connection& connection, Stored& stored) {
  const auto& matrix = stored.matrix;
  std::vector<std::size_t> work;
  for (std::size_t i = 0; i < matrix.jobs.size(); ++i)
    if (matrix.needed[i]) work.push_back(i);
  const auto rows = co_await connection.execute(kJobIds, work.size() + matrix.controls.size());
  const auto ids = ids_of(rows);
  stored.job_ids.resize(matrix.jobs.size());
  for (std::size_t i = 0; i < work.size(); ++i) {
    stored.job_ids[work[i]] = ids[i];
    stored.by_key.emplace(matrix.jobs[work[i]].key, ids[i]);
  }
  stored.control_job_ids.assign(ids.begin() + static_cast<std::ptrdiff_t>(work.size()), ids.end());
  co_await connection.copy_in(kCopyJobs, lines(ids.size(), [&](std::size_t i, CopyLine& line) {
    const bool control = i >= work.size();
    const auto place = control ? matrix.controls[i - work.size()].job : work[i];
    write_job(line, stored, matrix.jobs[place], ids[i], control);
  }));
}

asio::awaitable<void> store_controls(db::Connection& connection, Stored& stored) {
  const auto& controls = stored.matrix.controls;
  const auto rows = co_await connection.execute(kControlIds, controls.size());
  stored.control_ids = ids_of(rows);
  co_await connection.copy_in(kCopyControls, lines(controls.size(), [&](std::size_t i, CopyLine& line) {
    line.number(stored.control_ids[i]).number(stored.run).number(stored.number);
    line.text(table::axes_json(controls[i].axes)).text(title_of(controls[i].axes)).number(stored.control_job_ids[i]);
  }));
}

/// State and verdict at the start: unsupported and what needs no job are decided, the others are known to be feasible.
void write_state(CopyLine& line, const PreparedCombination& combination) {
  if (combination.unsupported) {
    line.text("decided").text("unsupported").text("feasible").null().null();
    line.text(combination.unsupported->code).text(combination.unsupported->reason);
    line.text(combination.unsupported->source).text("now");
  } else if (!combination.leaf) {
    line.text("decided").text("passed").text("feasible").text("feasible").text("resolved");
    line.text("").text("").text("").text("now");
  } else {
    line.text("pending").null().null().text("feasible").text("resolved").text("").text("").text("").null();
  }
}

asio::awaitable<void> store_combinations(db::Connection& connection, const Stored& stored, std::int64_t first) {
  const auto& matrix = stored.matrix;
  std::unordered_set<std::string> controls;
  for (const auto& control : matrix.controls) controls.insert(canonical_text(control.axes));
  co_await connection.copy_in(kCopyCombinations, lines(matrix.combinations.size(), [&](std::size_t i, CopyLine& line) {
    const auto& combination = matrix.combinations[i];
    std::vector<std::int64_t> of_it;
    for (const auto place : combination.controls) of_it.push_back(stored.control_ids[place]);
    line.number(stored.run).number(first + static_cast<std::int64_t>(i)).number(stored.number);
    line.text(combination_id(combination.axes)).text(table::axes_json(combination.axes));
    combination.leaf ? line.number(stored.job_ids[*combination.leaf]) : line.null();
    line.text(*db::Param(of_it).text()).text(controls.contains(canonical_text(combination.axes)) ? "t" : "f");
    write_state(line, combination);
  }));
}

asio::awaitable<void> store_axis_values(db::Connection& connection, const PreparedMatrix& matrix) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::vector<std::string> axes;
  std::vector<std::string> values;
  for (const auto& combination : matrix.combinations)
    for (const auto& [axis, value] : combination.axes)
      if (seen.emplace(axis, value).second) {
        axes.push_back(axis);
        values.push_back(value);
      }
  co_await connection.execute(kAxisValues, matrix.library, axes, values);
}

asio::awaitable<void> store_recipe(db::Connection& connection, const Stored& stored) {
  boost::json::array files;
  for (const auto& file : stored.matrix.recipe.files) {
    co_await connection.execute(kBlob, file.sha256, db::bytea(file.bytes));
    files.push_back(boost::json::object{{"path", file.path}, {"sha256", file.sha256}});
  }
  co_await connection.execute(kMatrix, stored.run, stored.number, stored.matrix.library, stored.matrix.recipe.hash,
                              boost::json::value(std::move(files)));
}

}  // namespace

asio::awaitable<std::int64_t> store_run(db::Connection& connection, const Submission& submission,
                                        const Preparation& preparation) {
  const auto rows = co_await connection.execute(kRun, submission.label, submission.verify, submission.yaml);
  const auto run = rows.front().integer("id");
  std::int64_t first = 0;
  for (std::size_t number = 0; number < preparation.matrices.size(); ++number) {
    const auto& matrix = preparation.matrices[number];
    Stored stored{run, static_cast<std::int64_t>(number), matrix, {}, {}, {}, {}};
    co_await store_recipe(connection, stored);
    co_await store_jobs(connection, stored);
    co_await store_controls(connection, stored);
    co_await store_combinations(connection, stored, first);
    co_await store_axis_values(connection, matrix);
    first += static_cast<std::int64_t>(matrix.combinations.size());
  }
  co_await table::publish_all(connection, run);
  co_await jobs::settle(connection, run);
  co_await jobs::tell_of_work(connection);
  co_return run;
}

}  // namespace crosswarp::runs
