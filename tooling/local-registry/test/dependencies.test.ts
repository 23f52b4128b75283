import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPublishedPackages } from "../src/published-packages.js";

test("every package that a release publishes is a dependency here, so that it is built before it is published", async () => {
  const manifest = await readFile(join(import.meta.dirname, "../package.json"), "utf8");
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  const names = (await readPublishedPackages()).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => devDependencies[name] !== "workspace:*")).toEqual([]);
});
