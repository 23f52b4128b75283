import { expect, it } from "vitest";
import { codeBlocks } from "./code-blocks.js";

it("finds whole examples with the line where they begin, and leaves fragments and other languages out", () => {
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

it("refuses a block that never ends", () => {
  expect(() => codeBlocks("```ts\none;")).toThrow("line 1");
});
