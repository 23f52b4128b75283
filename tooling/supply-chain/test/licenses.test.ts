import { beforeAll, expect, test } from "vitest";
import { covers, DEVELOPMENT_EXCEPTIONS, EXCEPTIONS, findRefused } from "../src/license-policy.js";
import { type InstalledPackage, listPackages } from "../src/list-packages.js";

const SHIPPED = ["./apps/service", "./apps/dashboard", "./packages/*"];

let shipped: InstalledPackage[];
let all: InstalledPackage[];
beforeAll(async () => {
  const filters = SHIPPED.map((path) => `--filter=${path}`);
  [shipped, all] = await Promise.all([listPackages("--prod", ...filters), listPackages("--recursive")]);
});

test("every package that we ship has an allowed license", () => {
  expect(shipped.length).toBeGreaterThan(150);
  expect(findRefused(shipped, EXCEPTIONS)).toEqual([]);
});

test("every package that builds or tests the project has an allowed license", () => {
  expect(all.length).toBeGreaterThan(shipped.length);
  expect(findRefused(all, [...EXCEPTIONS, ...DEVELOPMENT_EXCEPTIONS])).toEqual([]);
});

test("every exception is needed", () => {
  for (const exception of EXCEPTIONS) expect(shipped.some((each) => covers(exception, each))).toBe(true);
  const unused = DEVELOPMENT_EXCEPTIONS.filter((exception) => !all.some((each) => covers(exception, each)));
  expect(unused).toEqual([]);
});

test.each([
  "GPL-3.0-only",
  "AGPL-3.0-or-later",
  "MIT AND MPL-2.0",
  "UNLICENSED",
  "SEE LICENSE IN LICENSE",
  "none",
])("refuses a new package with the license %s", (license) => {
  const planted = { name: "planted", version: "1.0.0", license };
  expect(findRefused([planted], EXCEPTIONS)).toEqual([`planted 1.0.0: ${license}`]);
});

test("refuses a package whose license has changed since its exception", () => {
  const changed = { name: "@fontsource-variable/inter", version: "6.0.0", license: "GPL-3.0-only" };
  expect(findRefused([changed], EXCEPTIONS)).toHaveLength(1);
});
