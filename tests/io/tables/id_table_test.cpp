// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/id_table.h"

#include <gtest/gtest.h>

namespace heatfront {
namespace {

using Numbers = std::vector<IdTable::Number>;
using Names = std::vector<std::string>;

IdTable table_of(const Names& ids) {
  IdTable table(10);
  for (const std::string& id : ids) table.number(id);
  return table;
}

TEST(IdTable, NumbersByFirstAppearance) {
  IdTable table = table_of({"b", "7", "a", "b"});
  EXPECT_EQ(table.number("7"), 1);
  EXPECT_EQ(table.find("a"), 2);
  EXPECT_EQ(table.find("c"), std::nullopt);
  EXPECT_EQ(table.names(), (Names{"b", "7", "a"}));
  EXPECT_FALSE(table.all_integers());
  EXPECT_TRUE(table.settle().empty());
}

TEST(IdTable, SettlesIntegersByValueNearOrFar) {
  IdTable table = table_of({"5", "-3", "9000000000000", "0"});
  EXPECT_EQ(table.settle(), (Numbers{2, 0, 3, 1}));
  EXPECT_EQ(table.names(), (Names{"-3", "0", "5", "9000000000000"}));
  EXPECT_EQ(table.find("5"), 2);
  EXPECT_EQ(table.find("-3"), 0);
  EXPECT_EQ(table.find("9000000000000"), 3);
  EXPECT_FALSE(table.is_numbering());
}

TEST(IdTable, KnowsWhenIdsAreTheirOwnNumbers) {
  IdTable table = table_of({"1", "2", "0"});
  EXPECT_FALSE(table.is_numbering());
  table.settle();
  EXPECT_TRUE(table.is_numbering());
}

TEST(IdTable, KeepsOtherSpellingsOfANumberApart) {
  const IdTable table = table_of({"7", "07", "-0", "7.0", "99999999999999999999"});
  EXPECT_EQ(table.count(), 5);
  EXPECT_EQ(table.names(), (Names{"7", "07", "-0", "7.0", "99999999999999999999"}));
}

}  // namespace
}  // namespace heatfront
