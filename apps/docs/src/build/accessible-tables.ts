import type { Element, Root } from "hast";
import { visit } from "unist-util-visit";

/**
 * A plugin of rehype for the tables of Markdown. An empty cell in the first row is no header. A table that is wider than the page scrolls,
 * so the keyboard must reach it.
 */
export function accessibleTables() {
  return (root: Root): void =>
    visit(root, "element", (element: Element) => {
      if (element.tagName === "table") element.properties["tabIndex"] = 0;
      if (element.tagName === "th" && element.children.length === 0) element.tagName = "td";
    });
}
