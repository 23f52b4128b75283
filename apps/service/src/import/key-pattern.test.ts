import { expect, test } from "vitest";
import { PatternError, readPattern } from "./key-pattern.js";

const match = (pattern: string, key: string) => readPattern(pattern).match(key);

test("finds tenant, folder and filename", () => {
  const pattern = "users/{tenant}/{folder}/{filename}";
  expect(match(pattern, "users/u1/reports/2026/a.pdf")).toEqual({
    tenantId: "u1",
    folder: "reports/2026",
    filename: "a.pdf",
  });
  expect(match(pattern, "users/u1/a.pdf")).toEqual({ tenantId: "u1", folder: "", filename: "a.pdf" });
  expect(match(pattern, "users/ü 1/a.pdf")).toMatchObject({ tenantId: "ü 1" });
});

test("matches only whole keys", () => {
  const pattern = "users/{tenant}/{filename}";
  for (const key of ["x/users/u1/a", "users/u1/a/b", "users//a", "users/u1/", "users/u1", "Users/u1/a"])
    expect(match(pattern, key), key).toBe(null);
});

test("takes text between two placeholders as it is", () => {
  expect(match("{tenant}--{filename}", "u1--a--b.png")).toMatchObject({
    tenantId: "u1",
    filename: "a--b.png",
  });
  expect(match("a.b+c/({tenant})", "a.b+c/(u1)")).toMatchObject({ tenantId: "u1" });
  expect(match("a.b/{tenant}", "axb/u1")).toBe(null);
  expect(match("toString/{tenant}", "toString/u1")).toMatchObject({ tenantId: "u1" });
});

test("ignores what stands for * and **", () => {
  expect(match("*/{tenant}/**/{filename}", "v2/u1/x/y/a.png")).toEqual({
    tenantId: "u1",
    folder: undefined,
    filename: "a.png",
  });
  expect(match("*/{filename}", "a/b/c.png")).toBe(null);
  expect(match("{tenant}:*", "u1:7f")).toMatchObject({ tenantId: "u1", filename: undefined });
});

test.each([
  ["{user}/{filename}", /has \{user\}/],
  ["{tenant/{filename}", /has \{/],
  ["{tenant}/{tenant}", /twice/],
  ["{tenant}*", /text between \{tenant\} and \*/],
  ["***", /text between/],
  ["{filename}/{tenant}", /end with/],
  ["a{folder}/{filename}", /\/ before/],
  ["{tenant}/{folder}", /\/ after/],
  ["*a*b*c", /2 times/],
  ["**/a/{folder}/{filename}", /not both/],
  ["{tenant}-*-{filename}", /2 placeholders between/],
])("refuses the pattern %s", (pattern, message) => {
  expect(() => readPattern(pattern)).toThrow(PatternError);
  expect(() => readPattern(pattern)).toThrow(message);
});

test("a key that nearly matches takes little time", () => {
  for (const key of [`${"-".repeat(1023)}/`, `${"-/".repeat(512)}`])
    for (const pattern of [
      "**/{tenant}-{filename}",
      "{tenant}-{filename}",
      "*/{tenant}/{folder}/*-{filename}",
    ])
      expect(match(pattern, key)).toBe(null);
});
