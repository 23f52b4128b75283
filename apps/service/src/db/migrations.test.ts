import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDir } from "#paths.js";

/** The last migration that no distributed database runs. */
const LAST_BEFORE_CITUS = "0009";

/** `drizzle-kit generate` writes `"files"."size"`, which has to be changed to `"size"` by hand. */
test("a check that is added to a table names no table, because its shards on Citus have other names", () => {
  const added = readdirSync(migrationsDir)
    .filter((name) => name.endsWith(".sql") && name.slice(0, 4) > LAST_BEFORE_CITUS)
    .flatMap((name) => readFileSync(join(migrationsDir, name), "utf8").match(ADDED_CHECK) ?? []);
  expect(added.length).toBeGreaterThan(0);
  expect(added.filter((statement) => /"\."/.test(statement))).toEqual([]);
});

const ADDED_CHECK = /ADD CONSTRAINT "\w+" CHECK .*/g;
