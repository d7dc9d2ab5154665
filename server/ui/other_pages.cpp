// SPDX-License-Identifier: Apache-2.0
#include "server/ui/pages.hpp"
#include "server/ui/run_table.hpp"
#include "server/ui/text.hpp"

#include <boost/json/serialize.hpp>

namespace crosswarp::ui {
namespace {

View counts_of(const table::LibrarySummary& library) {
  View items = list();
  for (const auto& [status, count] : library.by_status) {
    const std::string word(to_text(status));
    View item;
    item.set("word", word);
    item.set("mark", std::string(mark_of(status)));
    set_number(item, "count", count);
    item.set("href", library_url(library.library, {{"status", word}}));
    if (count > 0) items << item;
  }
  return items;
}

View doing_of(const agents::Agent& agent) {
  View items = list();
  for (const agents::Doing& doing : agent.doing) {
    View item;
    set_text(item, "stage", stage_text(doing.stage));
    set_text(item, "library", doing.library);
    set_text(item, "axes", axes_text(doing.axes));
    item.set("href", job_url(doing.job));
    item.set("since", duration(static_cast<double>(doing.since_seconds)));
    items << item;
  }
  return items;
}

/// Each fact on a line.
std::string facts_text(const boost::json::object& facts) {
  std::string text;
  for (const auto& [name, value] : facts) text += std::string(name) + ": " + boost::json::serialize(value) + '\n';
  return text;
}

View agent_view(const agents::Agent& agent, TimePoint now) {
  View view;
  set_text(view, "name", agent.host.name);
  view.set("state", std::string(agent.live ? "live" : "lost"));
  view.set("heard", age(agent.heard, now));
  set_text(view, "version", agent.host.version);
  set_number(view, "slots", agent.host.slots);
  view.set("memory", size(agent.host.memory_bytes));
  set_list(view, "doing", doing_of(agent));
  View offers = list();
  for (const std::string& offer : agent.host.offers) {
    View item;
    set_text(item, "text", offer);
    offers << item;
  }
  view.set("offers", offers);
  set_text(view, "facts", facts_text(agent.host.facts));
  return view;
}

}  // namespace

std::string home_page(const std::vector<table::LibrarySummary>& libraries, const std::vector<runs::Run>& latest) {
  View items = list();
  for (const table::LibrarySummary& library : libraries) {
    View item;
    set_text(item, "name", library.library);
    item.set("href", library_url(library.library));
    set_number(item, "total", library.total);
    item.set("counts", counts_of(library));
    items << item;
  }
  View view;
  view.set("any", !libraries.empty());
  view.set("libraries", items);
  view.set("runs", run_table(latest));
  view.set("has_runs", !latest.empty());
  return render_page("Libraries", "home", view);
}

std::string agents_page(const std::vector<agents::Agent>& agents, TimePoint now) {
  View items = list();
  for (const agents::Agent& agent : agents) items << agent_view(agent, now);
  View view;
  view.set("any", !agents.empty());
  view.set("agents", items);
  return render_page("Agents", "agents", view, true);
}

std::string error_page(int status, std::string_view message) {
  View view;
  set_text(view, "title", std::to_string(status) + ' ' + std::string(http::reason_phrase(status)));
  set_text(view, "message", message);
  return render_page(std::to_string(status), "error", view);
}

}  // namespace crosswarp::ui
