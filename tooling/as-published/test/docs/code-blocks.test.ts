import { expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.js";

test("finds complete examples with their first line, and skips fragments and other languages", () => {
  const page = [
    "# Page",
    "```ts",
    "one;",
    "",
    "two;",
    "```",
    "```ts fragment",
    "half",
    "```",
    "```sh",
    "ls",
    "```",
    "```tsx",
    "<a />;",
    "```",
  ];
  expect(codeBlocks(page.join("\n"))).toEqual([
    { language: "ts", line: 3, code: "one;\n\ntwo;" },
    { language: "tsx", line: 14, code: "<a />;" },
  ]);
});

test("throws for a code block without an end", () => {
  expect(() => codeBlocks("```ts\none;")).toThrow("line 1");
});
