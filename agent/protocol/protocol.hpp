// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/base/ladder.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What agent and server say to one another: plain structs, to and from JSON. Decoders take outside text: a missing
/// field, a wrong type or a text past its bound is invalid_argument naming the field ("stages[2].exit: expected ...").
/// Unknown fields are ignored, so that an older side understands a newer one.
namespace crosswarp::protocol {

/// POST /api/v1/agents: who an agent is and what its host offers.
struct Registration {
  std::string name;                 ///< shown to people; unique among live agents
  std::string version;              ///< of the crosswarp binary
  std::vector<std::string> offers;  ///< host facts that jobs may need: "python=3.11", "toolkit=13.0", "device=sm_90"
  std::uint64_t memory_bytes = 0;   ///< what jobs may use together
  int slots = 1;                    ///< jobs at a time
  boost::json::object facts;        ///< the whole probe, for people: os, glibc, compilers, cores, engine, devices
};

struct Registered {
  std::int64_t agent = 0;
  std::chrono::seconds lease{60};            ///< a job is lost when no heartbeat comes for so long
  std::chrono::milliseconds heartbeat{5000};  ///< how often to send one
};

/// POST /api/v1/agents/{id}/claim?wait=20: how much more the agent can take.
struct ClaimRequest {
  int slots = 1;
  std::uint64_t memory_bytes = 0;
};

/// A file that a job needs, by content.
struct FileRef {
  std::string path;  ///< relative to the folder of all recipes: "triton/recipe.yaml", "common/load.py"
  std::string sha256;
};

/// One job under one lease. The attempt id is the fence: a later lease of the same job has another.
struct Assignment {
  std::int64_t attempt = 0;
  std::int64_t job = 0;
  std::int64_t run = 0;
  std::string library;
  Combination axes;                ///< values of the axes that the job depends on
  std::vector<Rung> rungs;         ///< stages to run, in order
  std::string environment;         ///< key of the environment that the job makes or uses; empty: none
  std::vector<Rung> prepare;       ///< stages that make that environment where this agent does not hold it
  std::string lock;                ///< text left by the resolve stage of the chain; empty before it
  bool control = false;            ///< a control of its family: its outcome says whether failures are believed
  std::uint64_t memory_bytes = 0;
  std::vector<FileRef> files;      ///< recipe and adapters, pinned by hash: GET /api/v1/blobs/{sha256}
};

struct Claim {
  std::vector<Assignment> assignments;  ///< empty when the wait ended without work
};

/// POST /api/v1/agents/{id}/heartbeat.
struct Heartbeat {
  struct Doing {
    std::int64_t attempt = 0;
    std::string stage;  ///< "build matmul"
    bool operator==(const Doing&) const = default;
  };
  std::vector<Doing> attempts;
};

struct HeartbeatReply {
  std::vector<std::int64_t> drop;  ///< attempts that are no longer the agent's (cancelled, lease lost): kill them
};

/// What one unit of a stage did.
struct UnitReport {
  Rung rung = Rung::resolve;
  std::string unit;
  std::string outcome;  ///< passed, failed, broken, cancelled
  int exit_code = 0;
  int signal = 0;
  double seconds = 0;
  std::uint64_t peak_memory_bytes = 0;
  std::uint64_t log_begin = 0;  ///< offsets in the attempt's log
  std::uint64_t log_end = 0;
  std::string code;
  std::string reason;
  std::string remedy;
  boost::json::array proofs;    ///< what was found: [{"kind":"product","file":"matmul.ptx","found":{...},"holds":true}]
};

/// POST /api/v1/attempts/{id}/finish: the answer of an attempt; sent again until it is accepted.
struct Finish {
  Status status = Status::broken;  ///< passed, failed, broken or skipped (cancelled)
  std::optional<Rung> rung;        ///< the one that decided it
  std::optional<Rung> proved;      ///< highest rung of this job that was proved
  std::optional<Evidence> evidence;
  std::string code;                ///< stable word for the reason
  std::string reason;              ///< one line; empty when passed
  std::string remedy;
  std::vector<UnitReport> units;
  std::string lock;                ///< lock text, from the job that resolved
  boost::json::object details;     ///< everything else of the lock: host, sandbox, interpreter, toolkit, installed
};

boost::json::value to_json(const Registration& value);
boost::json::value to_json(const Registered& value);
boost::json::value to_json(const ClaimRequest& value);
boost::json::value to_json(const Claim& value);
boost::json::value to_json(const Heartbeat& value);
boost::json::value to_json(const HeartbeatReply& value);
boost::json::value to_json(const Finish& value);
boost::json::value to_json(const UnitReport& value);

/// Combination as an object of axis to value.
boost::json::object to_json(const Combination& combination);

template <class T>
Result<T> from_json(const boost::json::value& json);  // specialised for each struct above in protocol.cpp

template <>
Result<Registration> from_json(const boost::json::value& json);
template <>
Result<Registered> from_json(const boost::json::value& json);
template <>
Result<ClaimRequest> from_json(const boost::json::value& json);
template <>
Result<Claim> from_json(const boost::json::value& json);
template <>
Result<Heartbeat> from_json(const boost::json::value& json);
template <>
Result<HeartbeatReply> from_json(const boost::json::value& json);
template <>
Result<Finish> from_json(const boost::json::value& json);

}  // namespace crosswarp::protocol
