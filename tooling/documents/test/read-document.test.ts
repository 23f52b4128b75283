import { expect, test } from "vitest";
import { readPieces } from "../src/read-document.js";

test("finds blocks, code in sentences and links, with their lines", () => {
  const page =
    "# `A`\n\n1. Run\n   ```sh\n   npm start # `not inline` [no](link)\n   ```\n   [`b`](c.md#d) and `` e`f ``.\n\n```\ng\n```\n";
  expect(readPieces(page)).toEqual([
    { kind: "block", language: "sh", text: "   npm start # `not inline` [no](link)\n", line: 4 },
    { kind: "block", language: "", text: "g\n", line: 9 },
    { kind: "inline", language: "", text: "A", line: 1 },
    { kind: "inline", language: "", text: "b", line: 7 },
    { kind: "inline", language: "", text: " e`f ", line: 7 },
    { kind: "link", language: "", text: "c.md#d", line: 7 },
  ]);
});
