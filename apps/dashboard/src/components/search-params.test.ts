import { describe, expect, test } from "vitest";
import { validateFilesSearch } from "../features/files/files-search.js";
import { changeSearch } from "./list-search.js";
import { day, oneOf, someOf, text } from "./search-params.js";

describe("parsers", () => {
  test.each([
    ["acme", "acme"],
    [2026, "2026"],
    [true, "true"],
    ["", undefined],
    [null, undefined],
    [{}, undefined],
    [["acme"], undefined],
  ])("text reads %j as %j", (value, parsed) => {
    expect(text(value)).toBe(parsed);
  });

  test("oneOf accepts its own values only", () => {
    const parse = oneOf([7, 30]);
    expect([7, 30, "7", 8, undefined].map(parse)).toEqual([7, 30, undefined, undefined, undefined]);
  });

  test("someOf drops other values, and accepts one value without an array", () => {
    const parse = someOf(["a", "b", "c"]);
    expect([["c", "x", "a"], "b", ["x"], [], undefined].map(parse)).toEqual([
      ["a", "c"],
      ["b"],
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each(["2026-02-29", "2026-13-01", "2026-1-1", "20260101", "2026-01-01T00:00", 20260101])(
    "day drops %j",
    (value) => {
      expect(day(value)).toBeUndefined();
    },
  );

  test("day accepts a leap day", () => {
    expect(day("2028-02-29")).toBe("2028-02-29");
  });
});

test("the list of files accepts all of its parameters", () => {
  const search = {
    q: "report",
    tenantId: "acme",
    states: ["stored", "unfinished"],
    kind: "pdf",
    from: "2026-01-01",
    to: "2026-01-01",
    sort: "size",
    order: "asc",
    cursor: "abc",
  };
  expect(validateFilesSearch(search)).toEqual(search);
});

test("the list of files drops a range of days that ends before it begins", () => {
  expect(validateFilesSearch({ q: "a", from: "2026-01-02", to: "2026-01-01" })).toEqual({ q: "a" });
});

test("the list of files offers no filter for files that are being deleted", () => {
  expect(validateFilesSearch({ states: ["deleting"] })).toEqual({});
});

test("a changed list starts at its first page, unless the change names a page", () => {
  const current = { q: "a", sort: "name", cursor: "page2" };
  expect(changeSearch(current, { sort: "size" })).toEqual({ q: "a", sort: "size" });
  expect(changeSearch(current, { cursor: "page3" })).toEqual({ q: "a", sort: "name", cursor: "page3" });
});

test("a changed list drops empty parameters", () => {
  expect(
    changeSearch<Record<string, unknown>>({ q: "a", states: ["stored"] }, { q: "", states: [] }),
  ).toEqual({});
});
