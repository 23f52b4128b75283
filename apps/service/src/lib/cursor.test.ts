import { expect, test } from "vitest";
import { readCursor, writeCursor } from "./cursor.js";

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("reads the key that was written", () => {
  const key: [string, number] = ["見積書 🙂", 7];
  expect(readCursor("files", ["string", "number"], writeCursor("files", key))).toEqual(key);
  expect(readCursor("audit", ["number"], writeCursor("audit", [0]))).toEqual([0]);
});

test.each([
  ["text that is not base64url", "%"],
  ["text that is not JSON", Buffer.from("f1.2").toString("base64url")],
  ["a value that is not an array", encode({})],
  ["too few parts", encode(["files"])],
  ["too many parts", encode(["files", 1, 2])],
  ["a number as text", encode(["files", "1"])],
  ["a negative number", encode(["files", -1])],
  ["a fraction", encode(["files", 1.5])],
  ["an unsafe integer", encode(["files", 2 ** 53])],
])("refuses %s", (_what, cursor) => {
  expect(() => readCursor("files", ["number"], cursor, "other list")).toThrow("cursor is not valid");
});

test("refuses a text with a null character", () => {
  expect(() => readCursor("files", ["string"], encode(["files", "a\0"]))).toThrow("cursor is not valid");
});

test("refuses a cursor of another list", () => {
  const cursor = writeCursor("tenants", [1]);
  expect(() => readCursor("files", ["number"], cursor)).toThrow("cursor is not valid");
  expect(() => readCursor("files", ["number"], cursor, "other list")).toThrow("other list");
});
