// SPDX-License-Identifier: Apache-2.0
#include "server/table/table.hpp"

#include "tests/support/store.hpp"

namespace crosswarp::table {
namespace {

constexpr const char* kMatrix =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['3.2.0', '3.3.0', '3.10.0']\n  python: ['3.11']\n"
    "  arch: [sm_80, sm_90]\n";
constexpr const char* kOne =
    "version: 1\nlibrary: toy\naxes:\n  toy: ['3.2.0']\n  python: ['3.11']\n  arch: [sm_90]\n";

class TableTest : public tests::StoreTest {
 protected:
  std::vector<std::string> ask(std::map<std::string, std::vector<std::string>> axes,
                               std::vector<Status> statuses = {}) {
    VerdictFilter filter;
    filter.library = "toy";
    filter.axes = std::move(axes);
    filter.statuses = std::move(statuses);
    std::vector<std::string> found;
    for (const auto& verdict : verdicts(filter))
      found.push_back(verdict.version + ' ' + verdict.combination.at("arch"));
    return found;
  }
  std::int64_t history() {
    static constexpr db::Query kHistory{"test.history", "select count(*) as n from verdict_history"};
    return wait(db::query(pool_, kHistory)).value().front().integer("n");
  }
};

TEST_F(TableTest, ShowsEveryCombinationAsSoonAsItIsSubmitted) {
  submit(kMatrix);
  const auto all = verdicts();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0].status, Status::untested);
  EXPECT_EQ(all[0].proved, Rung::feasible);
  EXPECT_EQ(all[0].id, combination_id(all[0].combination));
}

TEST_F(TableTest, FiltersAxesBySpecifiersAndExactValues) {
  submit(kMatrix);
  using Found = std::vector<std::string>;
  EXPECT_EQ(ask({{"toy", {">=3.3"}}, {"arch", {"sm_90"}}}), (Found{"3.3.0 sm_90", "3.10.0 sm_90"}));
  EXPECT_EQ(ask({{"toy", {"==3.2.*", ">3.9"}}, {"arch", {"<sm_90"}}}), (Found{"3.2.0 sm_80", "3.10.0 sm_80"}));
  EXPECT_EQ(ask({{"toy", {"3.3"}}}), (Found{"3.3.0 sm_80", "3.3.0 sm_90"}));
  EXPECT_EQ(ask({{"toy", {">=4"}}}), Found{});
  EXPECT_EQ(ask({{"python", {"none"}}}), Found{});
}

TEST_F(TableTest, FiltersByStatus) {
  submit(kMatrix);
  work_off(join("a"), {"sm_90"});
  EXPECT_EQ(ask({{"toy", {">=3.3"}}}, {Status::failed}), (std::vector<std::string>{"3.3.0 sm_90", "3.10.0 sm_90"}));
  EXPECT_EQ(ask({}, {Status::passed, Status::failed}).size(), 6u);
  VerdictFilter filter;
  filter.rungs = {Rung::build};
  filter.evidences = {Evidence::compiled};
  EXPECT_EQ(verdicts(filter).size(), 3u);
}

TEST_F(TableTest, SaysWhatIsWrongWithAFilter) {
  submit(kMatrix);
  VerdictFilter filter;
  filter.library = "toy";
  filter.axes = {{"colour", {"red"}}};
  const auto unknown = wait(table_.query(filter));
  ASSERT_TRUE(unknown.has_error());
  EXPECT_EQ(unknown.error().message, "unknown axis \"colour\"; known: arch, python, toy");
  filter.axes = {{"toy", {">=x"}}};
  const auto malformed = wait(table_.query(filter));
  ASSERT_TRUE(malformed.has_error());
  EXPECT_EQ(malformed.error().code, ErrorCode::invalid_argument);
  EXPECT_TRUE(malformed.error().message.starts_with("axis \"toy\": ")) << malformed.error().message;
}

TEST_F(TableTest, PagesWithoutGapOrRepeat) {
  submit(kMatrix);
  VerdictFilter filter;
  filter.limit = 4;
  const auto first = wait(table_.query(filter)).value();
  ASSERT_EQ(first.verdicts.size(), 4u);
  filter.cursor = first.next.value();
  const auto second = wait(table_.query(filter)).value();
  ASSERT_EQ(second.verdicts.size(), 2u);
  EXPECT_EQ(second.next, std::nullopt);
  EXPECT_GT(second.verdicts[0].row, first.verdicts[3].row);
}

TEST_F(TableTest, KeepsADecidedWordUntilAnotherIsDecided) {
  const auto first = submit(kOne);
  const auto agent = join("a");
  work_off(agent);
  const auto before = verdicts().at(0);
  EXPECT_EQ(before.status, Status::passed);
  const auto second = submit(kOne);
  EXPECT_EQ(verdicts().at(0).run, first);
  wait(runs_.cancel(second)).value();
  EXPECT_EQ(verdicts().at(0).status, Status::passed);
  const auto third = submit(kOne);
  work_off(agent);
  const auto after = verdicts().at(0);
  EXPECT_EQ(after.run, third);
  EXPECT_EQ(after.since, before.since);
  EXPECT_GT(after.checked, before.checked);
  EXPECT_EQ(history(), 2);
}

TEST_F(TableTest, ListsLibrariesAndTheirAxes) {
  EXPECT_EQ(wait(table_.axes_of("toy")).error().code, ErrorCode::not_found);
  submit(kMatrix);
  const auto libraries = wait(table_.libraries()).value();
  ASSERT_EQ(libraries.size(), 1u);
  EXPECT_EQ(libraries[0].total, 6);
  EXPECT_EQ(libraries[0].by_status.at(Status::untested), 6);
  const auto axes = wait(table_.axes_of("toy")).value();
  ASSERT_EQ(axes.size(), 3u);
  EXPECT_EQ(axes[2].axis, "toy");
  EXPECT_EQ(axes[2].values, (std::vector<std::string>{"3.2.0", "3.3.0", "3.10.0"}));
}

}  // namespace
}  // namespace crosswarp::table
