import { expect, test } from "vitest";
import { parseTable } from "./parse-table.js";

const parse = (text: string, isWhole = true) => parseTable({ text, isWhole, isTabSeparated: false }, 200);

test.each([
  ["commas", "name,price\nTea,3.50\n"],
  ["semicolons, as German Excel writes them", "name;price\r\nTea;3.50\r\n"],
  ["tabs", "name\tprice\nTea\t3.50"],
  ["bars", "name|price\nTea|3.50"],
  ["the separator that the first line names", "sep=;\r\nname;price\r\nTea;3.50"],
  ["line ends of old Macs, and an empty last line", "name,price\rTea,3.50\r\r"],
])("reads %s", (_, text) => {
  expect(parse(text).rows).toEqual([
    ["name", "price"],
    ["Tea", "3.50"],
  ]);
});

test("a quoted field has separators, quotes and line ends", () => {
  expect(parse('a,b\n"x, ""y""\nz",=1+1').rows[1]).toEqual(['x, "y"\nz', "=1+1"]);
});

test("counts the columns of the longest row", () => {
  expect(parse("a\n1,2,3\n4,5")).toMatchObject({ columnCount: 3, hasMore: false });
});

test("leaves out a row that may be cut, and says whether there are more than it gives", () => {
  expect(parse("a,b\n1,2\n3,", false).rows).toHaveLength(2);
  expect(parse("a,b\n1,2\n3,").rows).toHaveLength(3);
  expect(parse("only one ro", false).rows).toEqual([["only one ro"]]);
  const rows = (count: number) => "a,b\n".repeat(count);
  expect(parse(rows(200))).toMatchObject({ hasMore: false, rows: { length: 200 } });
  expect(parse(rows(201))).toMatchObject({ hasMore: true, rows: { length: 200 } });
  expect(parse(rows(9000), false)).toMatchObject({ hasMore: true, rows: { length: 200 } });
});

test("text without a separator is one column", () => {
  expect(parse("one\ntwo words\n")).toMatchObject({ columnCount: 1, rows: [["one"], ["two words"]] });
});
