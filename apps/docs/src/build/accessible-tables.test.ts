import type { Element, Root } from "hast";
import { expect, test } from "vitest";
import { accessibleTables } from "./accessible-tables.js";

const element = (tagName: string, ...children: Element["children"]): Element => ({
  type: "element",
  tagName,
  properties: {},
  children,
});

test("the keyboard reaches a table, and an empty cell of its first row is no header", () => {
  const empty = element("th");
  const named = element("th", { type: "text", value: "member" });
  const table = element("table", element("tr", empty, named));
  const root: Root = { type: "root", children: [table] };
  accessibleTables()(root);
  expect(table.properties).toEqual({ tabIndex: 0 });
  expect([empty.tagName, named.tagName]).toEqual(["td", "th"]);
});
