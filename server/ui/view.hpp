// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "server/http/message.hpp"

#include <kainjow/mustache.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What templates are filled with.
namespace crosswarp::ui {

using View = kainjow::mustache::data;

View list();
/// Sets `name`, and `has_name` to whether there is something to show. Control characters become text.
void set_text(View& view, const std::string& name, std::string_view text);
/// Sets `name` to the list, and `has_name` to whether it has items.
void set_list(View& view, const std::string& name, const View& items);
void set_number(View& view, const std::string& name, std::int64_t number);

/// The template `name` filled with `view`; throws std::logic_error for a template that is not there or malformed.
std::string render(std::string_view name, View view);
/// The same as a whole page. `live`: it is fetched again while it is shown.
std::string render_page(std::string_view title, std::string_view name, const View& view, bool live = false);

/// "triton 3.3.0 · sm_90a · Python 3.11"
std::string combination_name(const Combination& combination, std::string_view library);
std::string library_url(std::string_view library, const http::Parameters& parameters = {});
std::string combination_url(std::string_view library, std::string_view id);
std::string run_url(std::int64_t run);
std::string job_url(std::int64_t job);

}  // namespace crosswarp::ui
