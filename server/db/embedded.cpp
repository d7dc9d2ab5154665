// SPDX-License-Identifier: Apache-2.0
#include "server/db/embedded.hpp"

#include "matrix/base/log.hpp"
#include "server/db/child.hpp"

#include <fcntl.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

namespace crosswarp::db {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStartLimit{60};
constexpr std::chrono::milliseconds kPoll{20};
constexpr std::chrono::milliseconds kWatch{500};
constexpr const char* kSuperuser = "crosswarp";

Error unavailable(const std::string& message) { return Error{ErrorCode::unavailable, message}; }

Error failed_call(const std::string& what) { return unavailable(what + ": " + std::strerror(errno)); }

/// A descriptor that is closed when this dies.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The folder of PostgreSQL's programs, that of the highest version; empty where there is none.
fs::path find_programs() {
  fs::path best;
  int best_version = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", ignored)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version <= best_version || !fs::exists(entry.path() / "bin/initdb")) continue;
    best_version = version;
    best = entry.path() / "bin";
  }
  for (const char* folder : {"/usr/local/pgsql/bin", "/usr/bin"})
    if (best.empty() && fs::exists(fs::path(folder) / "initdb")) best = folder;
  return best;
}

/// Whom PostgreSQL runs as: ourselves, or, since it refuses root, a user who may do little.
Result<User> server_user() {
  if (::geteuid() != 0) return User{::geteuid(), ::getegid()};
  for (const char* name : {"postgres", "nobody"})
    if (const passwd* entry = ::getpwnam(name)) return User{entry->pw_uid, entry->pw_gid};
  return unavailable("PostgreSQL does not run as root, and there is neither a user postgres nor nobody");
}

Result<void> make_folder(const fs::path& folder, const User& owner) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return unavailable("cannot make " + folder.string() + ": " + failure.message());
  if (::geteuid() == 0 && ::chown(folder.c_str(), owner.uid, owner.gid) != 0)
    return failed_call("cannot give away " + folder.string());
  if (::chmod(folder.c_str(), 0700) != 0) return failed_call("cannot close " + folder.string());
  return {};
}

std::string last_lines(const fs::path& log) {
  const auto text = read_text(log);
  return text.size() > 1000 ? text.substr(text.size() - 1000) : text;
}

/// The server's own note of its process; 0 where there is none.
pid_t noted_process(const fs::path& data) { return std::atoi(read_text(data / "postmaster.pid").c_str()); }

/// Whether that process works in `data`, and is not just another one that got the same number later.
bool serves(pid_t process, const fs::path& data) {
  std::error_code failure;
  const auto folder = fs::read_symlink("/proc/" + std::to_string(process) + "/cwd", failure);
  return !failure && folder == fs::canonical(data, failure);
}

struct Close {
  void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
using Link = std::unique_ptr<PGconn, Close>;

}  // namespace

/// One cluster: its folders, and the server process while it runs.
class Embedded::Cluster {
 public:
  Cluster(fs::path folder, fs::path programs, User user, std::vector<std::string> settings, Descriptor lock)
      : folder_(std::move(folder)),
        programs_(std::move(programs)),
        user_(user),
        settings_(std::move(settings)),
        lock_(std::move(lock)) {}
  ~Cluster();

  /// Makes what is absent, starts the server and watches over it.
  Result<void> open();
  Result<void> start();
  /// Ends the server, which is then not started again by itself.
  void stop(int signal);
  std::string url(std::string_view database) const;

 private:
  fs::path data() const { return folder_ / "data"; }
  fs::path log() const { return folder_ / "log"; }
  Result<void> make_data();
  Result<void> make_socket_folder();
  void sweep();
  Result<void> run();
  Result<void> wait_until_ready();
  void watch();
  bool has_died();
  void revive();
  Result<void> make_database();
  ChildCommand on_folder(int descriptor, std::vector<std::string> arguments) const;

  fs::path folder_;
  fs::path programs_;
  User user_;
  std::vector<std::string> settings_;
  Descriptor lock_;  ///< of the folder, held as long as this lives
  fs::path sockets_;
  std::mutex mutex_;  ///< of all below
  std::condition_variable change_;
  pid_t process_ = -1;
  bool wanted_ = false;  ///< the server is to run: where it does not, it is started
  bool failing_ = false;
  bool ending_ = false;
  std::thread watcher_;
};

Embedded::Cluster::~Cluster() {
  {
    const std::lock_guard hold(mutex_);
    ending_ = true;
  }
  change_.notify_all();
  if (watcher_.joinable()) watcher_.join();
  stop(SIGINT);
  std::error_code ignored;
  if (!sockets_.empty()) fs::remove_all(sockets_, ignored);
  fs::remove(folder_ / "url", ignored);
}

std::string Embedded::Cluster::url(std::string_view database) const {
  return "host=" + sockets_.string() + " user=" + kSuperuser + " dbname=" + std::string(database);
}

Result<void> Embedded::Cluster::open() {
  sweep();
  if (!fs::exists(data()))
    if (auto made = make_data(); made.has_error()) return made;
  if (auto made = make_socket_folder(); made.has_error()) return made;
  if (auto started = start(); started.has_error()) return started;
  if (auto made = make_database(); made.has_error()) return made;
  std::ofstream(folder_ / "url") << url("crosswarp");
  watcher_ = std::thread([this] { watch(); });
  return {};
}

/// Removes what a predecessor left that could not clean up. It is gone: this holds its lock.
void Embedded::Cluster::sweep() {
  std::error_code ignored;
  const pid_t left = noted_process(data());
  if (left > 0 && serves(left, data())) {
    ::kill(left, SIGQUIT);
    while (serves(left, data())) std::this_thread::sleep_for(kPoll);
  }
  fs::remove(data() / "postmaster.pid", ignored);
  fs::remove_all(folder_ / "data.new", ignored);
  const auto old = read_text(folder_ / "sockets");
  if (old.starts_with("/tmp/crosswarp-pg-")) fs::remove_all(old, ignored);
}

/// A command on the folder open as `descriptor`, named so that no folder above it need be open to the server's user
/// (a state directory may lie in root's home).
ChildCommand Embedded::Cluster::on_folder(int descriptor, std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin() + 1, {"-D", "/proc/self/fd/" + std::to_string(descriptor)});
  return {std::move(arguments), user_, log()};
}

Result<void> Embedded::Cluster::make_data() {
  const auto fresh = folder_ / "data.new";  // takes its name when complete
  if (auto made = make_folder(fresh, user_); made.has_error()) return made;
  const Descriptor descriptor(::open(fresh.c_str(), O_RDONLY | O_DIRECTORY));
  if (descriptor.get() < 0) return failed_call("cannot open " + fresh.string());
  const auto process = start_child(on_folder(descriptor.get(), {(programs_ / "initdb").string(), "-A", "trust",
      "--no-sync", "--locale=C", "-E", "UTF8", "-U", kSuperuser}));
  if (process.has_error()) return process.error();
  if (wait_for_child(*process) != 0) return unavailable("initdb failed: " + last_lines(log()));
  std::error_code failure;
  fs::rename(fresh, data(), failure);
  if (failure) return unavailable("cannot rename " + fresh.string() + ": " + failure.message());
  return {};
}

/// A socket's path is at most 107 bytes long, so it has a short folder of its own, open to the server's user only.
Result<void> Embedded::Cluster::make_socket_folder() {
  std::string name = "/tmp/crosswarp-pg-XXXXXX";
  if (!::mkdtemp(name.data())) return failed_call("cannot make a folder in /tmp");
  sockets_ = name;
  std::ofstream(folder_ / "sockets") << name;
  return make_folder(sockets_, user_);
}

Result<void> Embedded::Cluster::start() {
  const std::lock_guard hold(mutex_);
  auto ran = run();
  wanted_ = ran.has_value();
  return ran;
}

Result<void> Embedded::Cluster::run() {
  const Descriptor descriptor(::open(data().c_str(), O_RDONLY | O_DIRECTORY));
  if (descriptor.get() < 0) return failed_call("cannot open " + data().string());
  std::vector<std::string> arguments{(programs_ / "postgres").string(), "-c", "listen_addresses=",
                                     "-c", "unix_socket_directories=" + sockets_.string()};
  for (const auto& setting : settings_) arguments.insert(arguments.end(), {"-c", setting});
  const auto process = start_child(on_folder(descriptor.get(), std::move(arguments)));
  if (process.has_error()) return process.error();
  process_ = *process;
  return wait_until_ready();
}

Result<void> Embedded::Cluster::wait_until_ready() {
  const auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  while (PQping(url("postgres").c_str()) != PQPING_OK) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) {
      process_ = -1;
      return unavailable("PostgreSQL did not start: " + last_lines(log()));
    }
    if (std::chrono::steady_clock::now() > deadline)
      return unavailable("PostgreSQL did not start in time: " + last_lines(log()));
    std::this_thread::sleep_for(kPoll);
  }
  return {};
}

Result<void> Embedded::Cluster::make_database() {
  const Link link(PQconnectdb(url("postgres").c_str()));
  using Answer = std::unique_ptr<PGresult, void (*)(PGresult*)>;
  const Answer found(PQexec(link.get(), "select 1 from pg_database where datname = 'crosswarp'"), PQclear);
  if (PQntuples(found.get()) == 1) return {};
  const Answer made(PQexec(link.get(), "create database crosswarp"), PQclear);
  if (PQresultStatus(made.get()) == PGRES_COMMAND_OK) return {};
  return unavailable(std::string("cannot create the database: ") + PQerrorMessage(link.get()));
}

/// PostgreSQL starts its own processes again, but nobody starts its first one when that is killed, say for memory.
void Embedded::Cluster::watch() {
  std::unique_lock hold(mutex_);
  while (!ending_) {
    change_.wait_for(hold, kWatch, [this] { return ending_; });
    if (!ending_ && wanted_ && has_died()) revive();
  }
}

bool Embedded::Cluster::has_died() {
  if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) != 0) process_ = -1;
  return process_ <= 0;
}

/// Fails for a moment while processes of the dead server still end.
void Embedded::Cluster::revive() {
  const auto ran = run();
  if (ran.has_value()) {
    log_event(LogLevel::warning, "postgres.started_again", {{"folder", folder_.string()}});
  } else if (!failing_) {
    log_event(LogLevel::error, "postgres.does_not_start", {{"error", ran.error().message}});
  }
  failing_ = ran.has_error();
}

void Embedded::Cluster::stop(int signal) {
  const std::lock_guard hold(mutex_);
  wanted_ = false;
  if (process_ <= 0) return;
  ::kill(process_, signal);
  wait_for_child(process_);
  process_ = -1;
}

Embedded::Embedded(std::unique_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}
Embedded::Embedded(Embedded&&) noexcept = default;
Embedded::~Embedded() = default;

Result<Embedded> Embedded::start(const fs::path& state, std::vector<std::string> settings) {
  const auto programs = find_programs();
  if (programs.empty()) return unavailable("PostgreSQL is not installed: apt install postgresql-15");
  const auto user = server_user();
  if (user.has_error()) return user.error();
  const auto folder = fs::absolute(state) / "postgres";
  std::error_code failure;
  fs::create_directories(folder, failure);
  Descriptor lock(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.get() < 0) return failed_call("cannot write in " + folder.string());
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::conflict, "another process serves from " + folder.string()};
  auto cluster = std::make_unique<Cluster>(folder, programs, *user, std::move(settings), std::move(lock));
  if (auto opened = cluster->open(); opened.has_error()) return opened.error();
  return Embedded(std::move(cluster));
}

std::string Embedded::url(std::string_view name) const { return cluster_->url(name); }

void Embedded::crash() { cluster_->stop(SIGQUIT); }

Result<void> Embedded::start_again() { return cluster_->start(); }

std::optional<std::string> running_url(const fs::path& state) {
  const auto url = read_text(fs::absolute(state) / "postgres" / "url");
  if (url.empty() || PQping(url.c_str()) != PQPING_OK) return std::nullopt;
  return url;
}

}  // namespace crosswarp::db
