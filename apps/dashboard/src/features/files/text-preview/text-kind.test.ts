import { expect, test } from "vitest";
import { textKindOf } from "./text-kind.js";

test.each([
  ["text/plain; charset=utf-8", "a.txt", "text"],
  ["text/markdown", "a.md", "text"],
  ["TEXT/CSV", "a.csv", "table"],
  ["application/vnd.ms-excel", "a.CSV", "table"],
  ["application/vnd.ms-excel", "a.xls", null],
  ["text/tab-separated-values", "a.tsv", "table"],
  ["application/json", "a.json", "json"],
  ["application/geo+json", "a.geojson", "json"],
  ["application/jsonl", "a.jsonl", "text"],
  ["application/octet-stream", "a.log", "text"],
  ["application/octet-stream", "a.bin", null],
  ["text/x-python", "a.py", "text"],
  ["application/typescript", "a.ts", "text"],
  ["application/xml", "a.xml", "text"],
  ["text/html", "a.html", null],
  ["text/html", "a.txt", null],
  ["application/xhtml+xml", "a.xhtml", null],
  ["image/svg+xml", "a.svg", null],
  ["application/zip", "a.txt", null],
])("%s of %s is shown as %s", (contentType, filename, kind) => {
  expect(textKindOf({ contentType, filename })).toBe(kind);
});
