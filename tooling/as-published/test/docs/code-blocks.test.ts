import { expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.js";

test("finds the examples with their first line and their path, and no other languages", () => {
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
    "// app/api/[...action]/page.tsx: the page",
    "<a />;",
    "```",
  ];
  expect(codeBlocks(page.join("\n"))).toEqual([
    { language: "ts", line: 3, code: "one;\n\ntwo;", isFragment: false },
    { language: "ts", line: 8, code: "half", isFragment: true },
    {
      language: "tsx",
      line: 14,
      code: "// app/api/[...action]/page.tsx: the page\n<a />;",
      path: "app/api/[...action]/page.tsx",
      isFragment: false,
    },
  ]);
});

test("throws for a code block without an end", () => {
  expect(() => codeBlocks("```ts\none;")).toThrow("line 1");
});
