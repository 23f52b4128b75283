import { expect, test } from "vitest";
import { readPattern } from "./key-pattern.js";
import { placeObject, type PlacingRules } from "./place-object.js";

const MAX_BYTES = 100;

function place(key: string, rules: Partial<PlacingRules>, sizeBytes = 1) {
  const object = { key, name: key.slice(key.lastIndexOf("/") + 1), text: key, sizeBytes, etag: "" };
  return placeObject(object, { pattern: null, tenantId: null, owners: null, ...rules }, MAX_BYTES);
}

const byPattern = { pattern: readPattern("{tenant}/{folder}/{filename}") };

test("an object gets tenant, folder and name of its key", () => {
  expect(place("u1/a/b.txt", byPattern)).toEqual({ tenantId: "u1", folder: "a", filename: "b.txt" });
});

test("without a pattern the name is the last segment, and the file is in the root", () => {
  expect(place("x/y/b.txt", { tenantId: "t" })).toEqual({ tenantId: "t", folder: "", filename: "b.txt" });
});

test("a list of owners decides by the whole key", () => {
  const owners = new Map([["x/b.txt", "t"]]);
  expect(place("x/b.txt", { owners })).toMatchObject({ tenantId: "t" });
  expect(place("b.txt", { owners })).toBe("no_tenant");
});

test("names are normalised as those of uploads", () => {
  expect(place("u1/e\u0301.txt", byPattern)).toMatchObject({ filename: "\u00e9.txt" });
});

test.each([
  ["a key that the pattern does not match", "b.txt", "no_match"],
  ["an empty object that stands for a folder", "u1/a/", "folder_marker", 0],
  ["a tenant that is too long", `${"t".repeat(256)}/a/b`, "invalid_tenant_id"],
  ["a tenant that is blank", " /a/b", "invalid_tenant_id"],
  ["an empty segment of the folder", "u1/a//b/c", "invalid_folder"],
  ["a segment that is ..", "u1/../b", "invalid_folder"],
  ["a folder that is too deep", `u1/${"d/".repeat(17)}b`, "invalid_folder"],
  ["a name with a control character", "u1/a/b\u0007", "invalid_filename"],
  ["a name that is too long", `u1/a/${"n".repeat(256)}`, "invalid_filename"],
  ["a file that is too large", "u1/a/b", "file_too_large", MAX_BYTES + 1],
])("skips %s", (_, key, reason, sizeBytes = 1) => {
  expect(place(key, byPattern, sizeBytes)).toBe(reason);
});

test("the root is no tenant: an object without one is skipped", () => {
  expect(place("a/b", { pattern: readPattern("a/{filename}") })).toBe("no_tenant");
});
