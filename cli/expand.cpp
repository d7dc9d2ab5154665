// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"
#include "cli/conversation.hpp"
#include "cli/environment.hpp"
#include "cli/exit_code.hpp"
#include "cli/matrix_file.hpp"
#include "cli/outline.hpp"

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

void print_item(const OutlineItem& item, const ExpandOptions& options) {
  if (options.json) {
    boost::json::object axes;
    for (const auto& [axis, value] : item.combination) axes[axis] = value;
    print_json({{"library", item.library},
                {"version", value_of(item.combination, item.library)},
                {"combination", std::move(axes)},
                {"id", combination_id(item.combination)},
                {"unsupported", item.unsupported ? boost::json::value(*item.unsupported) : boost::json::value()}});
  } else if (options.list) {
    print(item.library + ' ' + axes_text(item.combination) +
          (item.unsupported ? ": unsupported: " + *item.unsupported : std::string()) + '\n');
  }
}

void print_summary(const Spec& spec, const Outline& outline) {
  print(spec.library + ": " + std::to_string(outline.combinations) + " combinations, " +
        std::to_string(outline.combinations - outline.unsupported) + " to be tried by " +
        std::to_string(outline.jobs) + " jobs\n");
  for (const auto& [reason, count] : outline.reasons) {
    print("  unsupported " + std::to_string(count) + ": " + reason + '\n');
  }
}

int expand_one(const Spec& spec, const runs::RecipeSource& recipes, const MatrixFile& file,
               const ExpandOptions& options) {
  const Result<OutlineRecipe> recipe = outline_recipe(spec, recipes);
  if (!recipe) return fail(recipe.error());
  for (const Diagnostic& diagnostic : recipe->diagnostics) tell(diagnostic, file);
  if (has_errors(recipe->diagnostics)) return kUsage;
  const Result<Outline> outline =
      outline_of(spec, *recipe, options.limit, [&](const OutlineItem& item) { print_item(item, options); });
  if (!outline) return fail(in_context(file.name, outline.error()));
  if (!options.json) print_summary(spec, *outline);
  return kYes;
}

int execute(const ExpandOptions& options) {
  const Result<MatrixFile> file = read_matrix_file(options.file);
  if (!file) return fail(file.error());
  const auto specs = parse_and_tell(*file);
  if (!specs) return kUsage;
  const runs::RecipeSource recipes(library_dirs(options.libraries, process_environment(), program_dir()));
  int code = kYes;
  for (const Spec& spec : *specs) code = std::max(code, expand_one(spec, recipes, *file, options));
  return code;
}

}  // namespace

void add_expand(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<ExpandOptions>();
  CLI::App* command = root.add_subcommand("expand", "show what a matrix stands for, without a server");
  command->footer(
      "Tells for each library how many combinations there are, how many jobs serve them, and what cannot work and why.\n"
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
