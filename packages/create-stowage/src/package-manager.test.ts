import { expect, test } from "vitest";
import { addCommand, packageManagerOf, runPrefix } from "./package-manager.js";

test.each([
  ["npm/11.0.0 node/v24.0.0 linux x64", "npm"],
  ["pnpm/12.21.0 npm/? node/v24.0.0 linux x64", "pnpm"],
  ["yarn/4.0.0 npm/? node/v24.0.0 linux x64", "yarn"],
  ["bun/1.3.0 npm/? node/v24.0.0 linux x64", "bun"],
  ["something-else/1.0.0", "npm"],
  [undefined, "npm"],
])("finds the package manager of %j", (userAgent, manager) => {
  expect(packageManagerOf(userAgent)).toBe(manager);
});

test("knows the commands of each package manager", () => {
  expect(runPrefix("npm")).toBe("npm run");
  expect(runPrefix("pnpm")).toBe("pnpm");
  expect(addCommand("npm", ["a"])).toEqual(["npm", "install", "a"]);
  expect(addCommand("bun", ["a"])).toEqual(["bun", "add", "a"]);
});
