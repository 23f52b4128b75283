import { describe, expect, test } from "vitest";
import type { CitusDistribution } from "#db/citus/read-distribution.js";
import { checkDatabase, judge } from "./check-database.js";

const distributed: CitusDistribution = {
  workers: 2,
  shards: 32,
  distributed: ["files", "tenants"],
  missing: [],
  highestGroup: 2,
};
const judgeCitus = (change: Partial<CitusDistribution>) =>
  judge({ postgresVersion: "15.20", encoding: "UTF8", citus: { ...distributed, ...change } });

describe("the doctor's finding about the database", () => {
  test("names plain PostgreSQL", () => {
    expect(judge({ postgresVersion: "18.4", encoding: "UTF8", citus: null })).toEqual({
      verdict: "ok",
      found: "PostgreSQL 18.4 on one machine",
      whatToDo: null,
    });
  });

  test("names the workers, tables and shards of Citus", () => {
    expect(judgeCitus({})).toMatchObject({
      verdict: "ok",
      found:
        "Citus on PostgreSQL 15.20 with 2 workers: 2 tables in 32 shards each, by project (files, tenants)",
    });
    expect(judgeCitus({ workers: 1 }).found).toContain("with 1 worker:");
  });

  test("says how to distribute tables that are not distributed", () => {
    const whatToDo = "Run: stowage migrate --citus";
    expect(judgeCitus({ distributed: [], missing: ["files"] })).toMatchObject({ verdict: "warn", whatToDo });
    expect(judgeCitus({ missing: ["tombstones"] })).toEqual({
      verdict: "fail",
      found: "Citus on PostgreSQL 15.20: not distributed as this version needs: tombstones",
      whatToDo,
    });
  });

  test("warns of nodes whose ids JavaScript cannot represent", () => {
    expect(judgeCitus({ highestGroup: 31 }).verdict).toBe("ok");
    expect(judgeCitus({ highestGroup: 32 }).verdict).toBe("warn");
  });

  test("refuses an encoding that cannot store all names", () => {
    expect(judge({ postgresVersion: "15.20", encoding: "SQL_ASCII", citus: null })).toMatchObject({
      verdict: "fail",
      whatToDo: "Create the database with encoding 'UTF8', on every node.",
    });
  });

  test("is only information if no database is configured", async () => {
    expect(await checkDatabase({ db: null })).toMatchObject({ name: "Database", verdict: "info" });
  });

  test("names the cause, but no address, if the database does not answer", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), { code: "ECONNREFUSED" });
    const db = { run: () => Promise.reject(refused), execute: () => Promise.reject(refused) };
    expect(await checkDatabase({ db })).toMatchObject({
      verdict: "fail",
      found: "does not answer as expected (ECONNREFUSED)",
    });
  });
});
