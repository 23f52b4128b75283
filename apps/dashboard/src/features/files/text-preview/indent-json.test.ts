import { expect, test } from "vitest";
import { indentJson } from "./indent-json.js";

test.each([{ a: [1, { b: null }, [], {}], "c d": 'x, y: {["\\', e: "" }, [[[1]], [], [{}]], "text", 3])(
  "indents %j as JSON.stringify does",
  (value) => {
    for (const indent of [0, 1, "\t"])
      expect(indentJson(JSON.stringify(value, null, indent), 500)).toBe(JSON.stringify(value, null, 2));
  },
);

test("keeps the digits of a number, and a name that occurs twice", () => {
  expect(indentJson('{"id":12345678901234567890,"id":1.0e+2}', 500)).toBe(
    '{\n  "id": 12345678901234567890,\n  "id": 1.0e+2\n}',
  );
});

test("stops after so many lines, also in values that are nested deeply", () => {
  const nested = "[".repeat(30_000) + "]".repeat(30_000);
  const lines = indentJson(nested, 500)!.split("\n");
  expect(lines).toHaveLength(501);
  expect(lines.at(-1)!.length).toBeLessThan(1100);
});

test.each(["", "{", '{"a":1}{"b":2}', "{'a': 1}"])("%j is no JSON", (text) => {
  expect(indentJson(text, 500)).toBeNull();
});
