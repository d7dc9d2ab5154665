// SPDX-License-Identifier: Apache-2.0
#include "server/api/serve.hpp"

#include "server/db/transaction.hpp"
#include "tests/support/temp_database.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace crosswarp::api {
namespace {

namespace json = boost::json;
using asio::ip::tcp;

constexpr const char* kRecipe = R"(version: 1
library: demo
title: Demo
image: host
axes:
  demo: {kind: package}
  arch: {kind: arch}
stages:
  - rung: resolve
    depends_on: [demo]
    network: true
    evidence: resolved
    run: "true"
    proof:
      - lock: {file: lock.txt}
)";

constexpr const char* kMatrix = "version: 1\nlibrary: demo\naxes:\n  demo: [\"1.0\"]\n  arch: [sm_90]\n";

struct Answer {
  int status = 0;
  std::string head;
  std::string body;

  json::value value() const { return json::parse(body); }
  bool has(std::string_view text) const { return body.find(text) != std::string::npos; }
};

/// A body sent in chunks, put together.
std::string unchunked(std::string_view text) {
  std::string whole;
  while (!text.empty()) {
    const std::size_t end = text.find("\r\n");
    const std::size_t size = std::stoul(std::string(text.substr(0, end)), nullptr, 16);
    whole += text.substr(end + 2, size);
    text.remove_prefix(std::min(text.size(), end + 2 + size + 2));
  }
  return whole;
}

/// The whole server on a database of its own, asked over a socket.
class ServeTest : public testing::Test {
 protected:
  void start(bool open_to_read = true) {
    std::filesystem::create_directories(folder_.path() / "demo");
    std::ofstream(folder_.path() / "demo" / "recipe.yaml") << kRecipe;
    config_.listen.port = 0;
    config_.open_to_read = open_to_read;
    config_.libraries = {folder_.path()};
    service_.emplace(config_, context_, pool_, clock_, "0.1.0");
    ASSERT_TRUE(service_->listen().has_value());
    port_ = service_->port();
    running_ = asio::co_spawn(context_, service_->run(), asio::use_future);
    thread_ = std::thread([this] { context_.run(); });
    for (const agents::Role role : {agents::Role::agent, agents::Role::submit, agents::Role::admin}) {
      tokens_[role] = new_token(role);
    }
  }

  std::string new_token(agents::Role role) {
    auto made = asio::co_spawn(
        context_,
        [this, role]() -> asio::awaitable<Result<agents::NewToken>> {
          agents::Tokens tokens(pool_);
          auto token = co_await tokens.create(role, "test");
          co_return token;
        },
        asio::use_future);
    return made.get().value().secret;
  }

  void TearDown() override {
    if (!thread_.joinable()) return;
    asio::co_spawn(context_, service_->stop(std::chrono::seconds(2)), asio::use_future).get();
    running_.get();
    work_.reset();
    context_.stop();
    thread_.join();
  }

  Answer ask(const std::string& method, const std::string& target, const std::string& body = "",
             const std::string& headers = "") const {
    asio::io_context context;
    tcp::socket socket(context);
    socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port_));
    const std::string request = method + ' ' + target + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n" + headers +
                                (method == "GET" ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n") +
                                "\r\n" + body;
    asio::write(socket, asio::buffer(request));
    std::string text;
    boost::system::error_code failure;
    asio::read(socket, asio::dynamic_buffer(text), failure);
    Answer answer;
    answer.status = std::stoi(text.substr(9, 3));
    answer.head = text.substr(0, text.find("\r\n\r\n") + 2);
    answer.body = text.substr(text.find("\r\n\r\n") + 4);
    if (answer.head.find("Transfer-Encoding: chunked") != std::string::npos) answer.body = unchunked(answer.body);
    return answer;
  }

  Answer get(const std::string& target, const std::string& headers = "") const {
    return ask("GET", target, "", headers);
  }

  Answer post(agents::Role role, const std::string& target, const std::string& body) const {
    return ask("POST", target, body, "Authorization: Bearer " + tokens_.at(role) + "\r\n");
  }
  Answer post(agents::Role role, const std::string& target, const json::object& body) const {
    return post(role, target, json::serialize(body));
  }

  std::int64_t submit() {
    return post(agents::Role::submit, "/api/v1/runs?label=first", kMatrix).value().at("run").as_int64();
  }

  std::int64_t register_agent() {
    const json::object host{{"name", "ada"}, {"version", "0.1.0"}, {"offers", json::array{"python=3.11"}},
                            {"memory_bytes", std::int64_t{8} << 30}, {"slots", 2}, {"facts", json::object{}}};
    return post(agents::Role::agent, "/api/v1/agents", host).value().at("agent").as_int64();
  }

  /// The one job of the matrix, leased.
  json::value claim(std::int64_t agent) {
    const json::object request{{"slots", 1}, {"memory_bytes", std::int64_t{8} << 30}};
    const Answer answer =
        post(agents::Role::agent, "/api/v1/agents/" + std::to_string(agent) + "/claim?wait=10", request);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.value().at("assignments").at(0);
  }

  Answer finish(std::int64_t attempt, const std::string& reason = "") {
    const bool passed = reason.empty();
    json::object unit{{"rung", "resolve"}, {"unit", "resolve"}, {"outcome", passed ? "passed" : "failed"}};
    json::object body{{"status", passed ? "passed" : "failed"}, {"rung", "resolve"}, {"evidence", "resolved"},
                      {"reason", reason}, {"units", json::array{unit}}, {"lock", "demo==1.0\n"}};
    if (passed) body["proved"] = "resolve";
    return post(agents::Role::agent, "/api/v1/attempts/" + std::to_string(attempt) + "/finish", body);
  }

  /// Asks for a run until it is over, at most ten seconds.
  json::value finished_run(std::int64_t run) {
    json::value found;
    for (int i = 0; i < 100; ++i) {
      found = get("/api/v1/runs/" + std::to_string(run)).value();
      if (found.at("state").as_string() == "done") break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return found;
  }

  tests::TempFolder folder_;
  tests::TempDatabase database_;
  asio::io_context context_;
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  SystemClock clock_;
  db::Pool pool_{context_.get_executor(), database_.url()};
  config::Config config_;
  std::optional<Service> service_;
  std::future<void> running_;
  std::thread thread_;
  std::uint16_t port_ = 0;
  std::map<agents::Role, std::string> tokens_;
};

TEST_F(ServeTest, AsksForTheRightToken) {
  start();
  EXPECT_EQ(ask("POST", "/api/v1/runs", kMatrix).status, 401);
  EXPECT_EQ(ask("POST", "/api/v1/runs", kMatrix, "Authorization: Bearer cw_submit_wrong\r\n").status, 401);
  const Answer forbidden = post(agents::Role::agent, "/api/v1/runs", kMatrix);
  EXPECT_EQ(forbidden.status, 403);
  EXPECT_TRUE(forbidden.has("this needs a token of the role submit; yours is agent"));
  EXPECT_EQ(post(agents::Role::submit, "/api/v1/agents/1/claim", json::object{}).status, 403);
  EXPECT_EQ(post(agents::Role::admin, "/api/v1/runs", kMatrix).status, 201);
  EXPECT_EQ(get("/api/v1/runs").status, 200);
}

TEST_F(ServeTest, KeepsReadingToItselfWhereItIsNotPublic) {
  start(false);
  for (const char* target : {"/api/v1/runs", "/api/v1/verdicts", "/", "/agents", "/api/v1/jobs/1/log"}) {
    EXPECT_EQ(get(target).status, 401) << target;
  }
  EXPECT_EQ(get("/api/v1/runs", "Authorization: Bearer " + tokens_[agents::Role::agent] + "\r\n").status, 200);
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(ServeTest, TellsTheMistakesOfAMatrixWithTheirPlaces) {
  start();
  const Answer answer =
      post(agents::Role::submit, "/api/v1/runs", "version: 1\nlibrary: demo\naxes:\n  demo: [1.0]\n  arhc: [sm_90]\n");
  EXPECT_EQ(answer.status, 422) << answer.body;
  EXPECT_NE(answer.head.find("application/problem+json"), std::string::npos);
  EXPECT_GE(answer.value().at("errors").as_array().size(), 1u);
  EXPECT_EQ(answer.value().at("errors").at(0).at("place").as_string().find("4:"), 0u) << answer.body;
}

TEST_F(ServeTest, TakesARunFromItsSubmissionToItsVerdict) {
  start();
  const std::int64_t run = submit();
  EXPECT_EQ(get("/api/v1/runs/" + std::to_string(run)).value().at("by_status").at("pending").as_int64(), 1);
  const std::int64_t agent = register_agent();
  const json::value job = claim(agent);
  const std::string attempt = std::to_string(job.at("attempt").as_int64());
  for (const json::value& file : job.at("files").as_array()) {
    EXPECT_EQ(get("/api/v1/blobs/" + std::string(file.at("sha256").as_string())).body, kRecipe);
  }
  const json::object beat{
      {"attempts", json::array{json::object{{"attempt", job.at("attempt")}, {"stage", "resolve"}}}}};
  const Answer reply = post(agents::Role::agent, "/api/v1/agents/" + std::to_string(agent) + "/heartbeat", beat);
  EXPECT_EQ(json::serialize(reply.value()), R"({"drop":[]})");
  EXPECT_EQ(finish(job.at("attempt").as_int64()).status, 200);
  EXPECT_EQ(finish(job.at("attempt").as_int64()).status, 200);
  EXPECT_EQ(finished_run(run).at("by_status").at("passed").as_int64(), 1);

  const json::value verdicts = get("/api/v1/verdicts?library=demo&arch=%3E%3Dsm_80&demo=~%3D1.0&status=passed").value();
  ASSERT_EQ(verdicts.at("verdicts").as_array().size(), 1u);
  EXPECT_EQ(verdicts.at("verdicts").at(0).at("proved").as_string(), "resolve");
  EXPECT_TRUE(verdicts.at("next").is_null());
  const std::string id(verdicts.at("verdicts").at(0).at("id").as_string());
  EXPECT_TRUE(get("/combinations/demo/" + id).has("Passes up to resolve; nobody ran it on a device"));
  EXPECT_TRUE(get("/libraries/demo").has("/combinations/demo/" + id));
  EXPECT_EQ(get("/libraries/demo?rows=nothing").status, 400);
  EXPECT_EQ(get("/libraries/nothing").status, 404);
  EXPECT_EQ(get("/combinations/demo/nothing").status, 404);
}

TEST_F(ServeTest, ServesALogWholeInRangesAndAsItGrows) {
  start();
  submit();
  const json::value job = claim(register_agent());
  const std::string log = "/api/v1/attempts/" + std::to_string(job.at("attempt").as_int64()) + "/log?offset=";
  const std::string reader = "/api/v1/jobs/" + std::to_string(job.at("job").as_int64()) + "/log";
  EXPECT_EQ(json::serialize(post(agents::Role::agent, log + "0", "hello \xc3").value()), R"({"size":7})");
  const Answer misplaced = post(agents::Role::agent, log + "3", "x");
  EXPECT_EQ(misplaced.status, 409);
  EXPECT_EQ(misplaced.value().at("size").as_int64(), 7);
  EXPECT_EQ(post(agents::Role::agent, log + "7", "\xa9 <b>\x1b").status, 200);
  EXPECT_EQ(get(reader).body, "hello \xc3\xa9 <b>\x1b");
  const Answer part = get(reader, "Range: bytes=6-7\r\n");
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.body, "\xc3\xa9");
  EXPECT_NE(part.head.find("Content-Range: bytes 6-7/13"), std::string::npos);
  EXPECT_EQ(get(reader, "Range: bytes=13-\r\n").status, 416);
  EXPECT_EQ(get(reader, "Range: bytes=6-7\r\nIf-Range: \"other\"\r\n").status, 200);
  EXPECT_EQ(ask("HEAD", reader, "", "Range: bytes=6-7\r\n").status, 200);
  EXPECT_TRUE(get("/jobs/" + std::to_string(job.at("job").as_int64())).has("hello \xc3\xa9 &lt;b&gt;\\x1b"));

  EXPECT_EQ(finish(job.at("attempt").as_int64(), "no such version").status, 200);
  const Answer events = get(reader + "/events", "Last-Event-ID: 6\r\n");
  EXPECT_EQ(events.body, "id: 13\ndata: {\"text\":\"\xc3\xa9 <b>\\u001b\"}\n\nevent: end\ndata: {}\n\n");
  EXPECT_EQ(get(reader + "/events", "Last-Event-ID: 99\r\n").status, 400);
  EXPECT_EQ(post(agents::Role::agent, log + "13", "late").status, 410);
}

TEST_F(ServeTest, EndsARunThatIsCancelled) {
  start();
  const std::string run = "/api/v1/runs/" + std::to_string(submit());
  EXPECT_EQ(post(agents::Role::submit, run + "/cancel", "").value().at("state").as_string(), "cancelled");
  EXPECT_EQ(get(run + "/jobs").value().at("jobs").at(0).at("state").as_string(), "cancelled");
}

TEST_F(ServeTest, AnswersInLinesWhereThatIsAskedFor) {
  start();
  submit();
  const json::value job = claim(register_agent());
  finish(job.at("attempt").as_int64(), "no such version");
  const Answer lines = get("/api/v1/verdicts?library=demo", "Accept: application/x-ndjson\r\n");
  EXPECT_NE(lines.head.find("application/x-ndjson"), std::string::npos);
  EXPECT_EQ(std::count(lines.body.begin(), lines.body.end(), '\n'), 1);
  EXPECT_EQ(json::parse(lines.body).at("reason").as_string(), "no such version");
}

TEST_F(ServeTest, TellsALocalVersionFromASpace) {
  start();
  const json::value made =
      post(agents::Role::submit, "/api/v1/runs",
           "version: 1\nlibrary: demo\naxes:\n  demo: [\"2.8.0+cu128\", \"2.8.0\"]\n  arch: [sm_90]\n")
          .value();
  EXPECT_EQ(made.at("combinations").as_int64(), 2);
  const json::value job = claim(register_agent());
  finish(job.at("attempt").as_int64(), "no such version");
  const auto count = [&](const std::string& query) {
    return get("/api/v1/verdicts?library=demo&" + query).value().at("verdicts").as_array().size();
  };
  EXPECT_EQ(count("demo=2.8.0%2Bcu128"), 1u);
  EXPECT_EQ(count("demo=2.8.0+cu128"), 1u);
  EXPECT_EQ(count("demo===2.8.0+cu128"), 1u);
  EXPECT_EQ(count("demo=>=2.8,+<3"), 2u);
}

TEST_F(ServeTest, SaysWhatIsWrongWithAQuery) {
  start();
  EXPECT_EQ(get("/api/v1/runs?limitt=1").value().at("detail").as_string(),
            "unknown parameter \"limitt\"; known: cursor, limit");
  EXPECT_EQ(get("/api/v1/verdicts?library=a&library=b").status, 400);
  EXPECT_EQ(get("/api/v1/verdicts?library=triton&arch=sm_90&triton=>=3.3&status=passed").body,
            "{\"verdicts\":[],\"next\":null}");
  for (const char* query : {"status=fine", "rung=top", "limit=0", "cursor=x", "version=1", "evidence=hearsay"}) {
    const Answer answer = get("/api/v1/verdicts?" + std::string(query));
    EXPECT_EQ(answer.status, 400) << query;
    EXPECT_EQ(answer.value().at("status").as_int64(), 400) << query;
  }
  EXPECT_EQ(get("/api/v1/runs/0").status, 404);
  EXPECT_EQ(get("/api/v1/runs/77/combinations").status, 404);
  EXPECT_EQ(get("/api/v1/jobs/77").status, 404);
  EXPECT_EQ(get("/api/v1/blobs/..%2F..%2Fetc").status, 404);
  EXPECT_EQ(post(agents::Role::agent, "/api/v1/agents", "{\"name\": 5}").status, 400);
}

TEST_F(ServeTest, ServesItsPagesUnderAStrictPolicy) {
  start();
  for (const char* target : {"/", "/runs", "/agents"}) {
    const Answer page = get(target);
    EXPECT_EQ(page.status, 200) << target << page.body;
    EXPECT_NE(page.head.find("Content-Security-Policy: default-src 'none'; style-src 'self'; script-src 'self'"),
              std::string::npos);
  }
  const Answer style = get("/assets/style.css");
  EXPECT_EQ(style.status, 200);
  const std::size_t at = style.head.find("ETag: ");
  const std::string tag = style.head.substr(at + 6, style.head.find("\r\n", at) - at - 6);
  EXPECT_EQ(get("/assets/style.css", "If-None-Match: " + tag + "\r\n").status, 304);
  EXPECT_EQ(get("/assets/serve.cpp").status, 404);
}

TEST_F(ServeTest, TellsHowItIs) {
  start();
  register_agent();
  EXPECT_EQ(get("/readyz").status, 200);
  const Answer metrics = get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_TRUE(metrics.has("crosswarp_agents{state=\"live\"} 1"));
  EXPECT_TRUE(metrics.has("route=\"/api/v1/agents\",status=\"201\"} 1"));
  EXPECT_EQ(get("/openapi.json").value().at("openapi").as_string(), "3.1.0");
}

TEST_F(ServeTest, AnswersUnavailableWhileTheDatabaseIsAway) {
  start();
  tests::TempDatabase::server().crash();
  const Answer api = get("/api/v1/runs");
  const Answer page = get("/");
  const Answer ready = get("/readyz");
  ASSERT_TRUE(tests::TempDatabase::server().start_again().has_value());
  EXPECT_EQ(api.status, 503);
  EXPECT_NE(api.head.find("Retry-After: "), std::string::npos);
  EXPECT_EQ(page.status, 503);
  EXPECT_EQ(ready.status, 503);
  EXPECT_EQ(get("/healthz").status, 200);
  int status = 0;
  for (int i = 0; i < 100 && status != 200; ++i) {
    status = get("/readyz").status;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(status, 200);
}

}  // namespace
}  // namespace crosswarp::api
