// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/environment.hpp"
#include "cli/exit_code.hpp"
#include "cli/matrix_file.hpp"
#include "server/runs/preparation.hpp"

#include <boost/json/object.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace crosswarp::cli {
namespace {

struct ExpandOptions {
  std::string file;
  std::vector<std::filesystem::path> libraries;
  std::uint64_t limit = 1'000'000;
  bool list = false;
  bool json = false;
};

std::string axes_text(const Combination& combination) {
  std::string text;
  for (const auto& [axis, value] : combination) text += (text.empty() ? "" : " ") + axis + '=' + value;
  return text;
}

void print_item(const std::string& library, const runs::PreparedCombination& item, const ExpandOptions& options) {
  if (options.json) {
    boost::json::object axes;
    for (const auto& [axis, value] : item.axes) axes[axis] = value;
    print_json({{"library", library},
                {"version", value_of(item.axes, library)},
                {"combination", std::move(axes)},
                {"id", combination_id(item.axes)},
                {"unsupported", item.unsupported ? boost::json::value(item.unsupported->reason) : nullptr}});
  } else if (options.list) {
    print(library + ' ' + axes_text(item.axes) +
          (item.unsupported ? ": unsupported: " + item.unsupported->reason : std::string()) + '\n');
  }
}

/// How many combinations there are, how many distinct jobs serve them, and what cannot work, by its reason.
void print_summary(const runs::PreparedMatrix& matrix) {
  std::map<std::string, std::size_t> reasons;
  std::size_t unsupported = 0;
  for (const runs::PreparedCombination& item : matrix.combinations) {
    if (!item.unsupported) continue;
    ++unsupported;
    ++reasons[item.unsupported->reason];
  }
  const auto jobs = std::count(matrix.needed.begin(), matrix.needed.end(), true);
  print(matrix.library + ": " + std::to_string(matrix.combinations.size()) + " combinations, " +
        std::to_string(matrix.combinations.size() - unsupported) + " to be tried by " + std::to_string(jobs) +
        " jobs\n");
  for (const auto& [reason, count] : reasons) print("  unsupported " + std::to_string(count) + ": " + reason + '\n');
}

int execute(const ExpandOptions& options) {
  const Result<MatrixFile> file = read_matrix_file(options.file);
  if (!file) return fail(file.error());
  const auto folders = library_dirs(options.libraries, process_environment(), program_dir());
  if (folders.empty()) {
    return fail({ErrorCode::invalid_argument,
                 "no folder of recipes is found; name one by --libraries or $CROSSWARP_LIBRARIES"});
  }
  const runs::RecipeSource recipes(folders);
  const Result<runs::Preparation> prepared = runs::prepare(file->text, recipes, false, options.limit);
  if (!prepared) return fail(in_context(file->name, prepared.error()));
  for (const Diagnostic& diagnostic : prepared->diagnostics) tell(diagnostic, *file);
  if (!prepared->ok()) return kUsage;
  for (const runs::PreparedMatrix& matrix : prepared->matrices) {
    for (const auto& item : matrix.combinations) print_item(matrix.library, item, options);
    if (!options.json) print_summary(matrix);
  }
  return kYes;
}

}  // namespace

void add_expand(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ExpandOptions>();
  CLI::App* command = root.add_subcommand("expand", "show what a matrix stands for, without a server");
  command->footer(
      "Tells for each library how many combinations there are, how many jobs serve them, and what cannot work and\n"
      "why.\n"
      "Examples:\n"
      "  crosswarp expand matrix.yaml\n"
      "  crosswarp expand matrix.yaml --json | jq -r .id");
  command->add_option("file", options->file, "the matrix; - is standard input")->required()->type_name("FILE");
  command->add_option("--libraries", options->libraries,
                      "folders of recipes (else $CROSSWARP_LIBRARIES, else those that came with the program)")
      ->type_name("DIR");
  command->add_option("--limit", options->limit, "refuse a matrix of more combinations")->check(CLI::PositiveNumber);
  command->add_flag("--list", options->list, "list the combinations, one a line");
  add_json_flag(*command, options->json);
  command->callback([options, &chosen] { chosen = [options] { return execute(*options); }; });
}

}  // namespace crosswarp::cli
