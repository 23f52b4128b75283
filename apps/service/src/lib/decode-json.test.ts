import type { StowageError } from "@stowage/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeJson, decodeJsonText } from "./decode-json.js";

const refusal = (text: string | Buffer): StowageError => {
  try {
    decodeJson(Buffer.from(text));
  } catch (error) {
    return error as StowageError;
  }
  throw new Error("the body was accepted");
};

test("refuses JSON that is nested deeper than 64 levels", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
    ['[{"a":', "}]"],
  ] as const) {
    const levels = open === '[{"a":' ? 2 : 1;
    const nested = (depth: number) => open.repeat(depth / levels) + "1" + close.repeat(depth / levels);
    expect(decodeJson(Buffer.from(nested(64)))).toBeDefined();
    for (const depth of [66, 8000, 30_000]) {
      expect(refusal(nested(depth))).toMatchObject({ code: "invalid_json", status: 400 });
    }
  }
});

test("does not count brackets in strings", () => {
  const text = JSON.stringify({ a: '"\\"[{'.repeat(1000), ["[".repeat(1000)]: "\\" });
  expect(decodeJson(Buffer.from(text))).toEqual(JSON.parse(text));
});

test("refuses what is not UTF-8, and what is not JSON", () => {
  for (const body of [Buffer.from('"\xff"', "latin1"), "", "{", '{"a":"', `${'"\\'.repeat(20_000)}`]) {
    expect(refusal(body)).toMatchObject({ code: "invalid_json", message: "Request body must be valid JSON" });
  }
});

test("reads every JSON value like JSON.parse", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value);
      expect(decodeJsonText(Buffer.from(text))).toBe(text);
      expect(decodeJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 300, seed: 16 },
  );
});
