import { expect, test } from "vitest";
import { localPath } from "./local-path.js";

test.each(["/", "/account?cursor=1", "/projects/x#part"])("accepts %s", (path) => {
  expect(localPath(path)).toBe(path);
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "https://evil.example",
  "account",
  "",
  1,
])("refuses %s", (path) => {
  expect(localPath(path)).toBeUndefined();
});
