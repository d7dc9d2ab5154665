// SPDX-License-Identifier: Apache-2.0
#include "server/ui/view.hpp"

#include "server/http/target.hpp"
#include "server/ui/assets.hpp"
#include "server/ui/template_files.hpp"
#include "server/ui/text.hpp"

#include <stdexcept>

namespace crosswarp::ui {
namespace {

std::string template_text(std::string_view name) {
  for (const auto& file : kTemplateFiles) {
    if (file.name == "templates/" + std::string(name) + ".mustache") return std::string(file.text);
  }
  throw std::logic_error("no template " + std::string(name));
}

/// A value with what a reader needs to know what it is: the axis, where the value does not say it by itself.
std::string named_value(const std::string& axis, const std::string& value) {
  return axis == "arch" ? value : axis + ' ' + value;
}

}  // namespace

View list() { return View(View::type::list); }

void set_text(View& view, const std::string& name, std::string_view text) {
  view.set(name, shown(text));
  view.set("has_" + name, !text.empty());
}

void set_list(View& view, const std::string& name, const View& items) {
  view.set(name, items);
  view.set("has_" + name, items.is_non_empty_list());
}

void set_number(View& view, const std::string& name, std::int64_t number) { view.set(name, std::to_string(number)); }

std::string render(std::string_view name, View view) {
  kainjow::mustache::mustache page(template_text(name));
  std::string text = page.render(view);
  if (!page.is_valid()) throw std::logic_error("template " + std::string(name) + ": " + page.error_message());
  return text;
}

std::string render_page(std::string_view title, std::string_view name, const View& view, bool live) {
  View page;
  set_text(page, "title", title);
  page.set("style", asset_url("style.css"));
  page.set("module", asset_url("live.mjs"));
  page.set("live", live);
  page.set("body", render(name, view));
  return render("layout", page);
}

std::string combination_name(const Combination& combination, std::string_view library) {
  std::string name(value_of(combination, library));
  name = std::string(library) + ' ' + name;
  for (const auto& [axis, value] : combination) {
    if (axis != library && value != kNone) name += " · " + named_value(axis, value);
  }
  return name;
}

std::string library_url(std::string_view library, const http::Parameters& parameters) {
  std::string url = "/libraries/" + http::percent_encode(library);
  char separator = '?';
  for (const auto& [name, value] : parameters) {
    url += separator + http::percent_encode(name) + '=' + http::percent_encode(value);
    separator = '&';
  }
  return url;
}

std::string combination_url(std::string_view library, std::string_view id) {
  return "/combinations/" + http::percent_encode(library) + '/' + http::percent_encode(id);
}

std::string run_url(std::int64_t run) { return "/runs/" + std::to_string(run); }

std::string job_url(std::int64_t job) { return "/jobs/" + std::to_string(job); }

}  // namespace crosswarp::ui
