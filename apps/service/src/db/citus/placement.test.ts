import { getTableColumns, getTableName, is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import * as schema from "#db/schema/index.js";
import { colocatedWith, DISTRIBUTION_COLUMN, distributedTables } from "./placement.js";

/** Few rows of a project, which only operators write. They stay on the coordinator. */
const ON_THE_COORDINATOR = ["audit_log", "invitations", "project_members", "storage_moves"];

test("every table with rows of a project is either distributed or chosen to stay on the coordinator", () => {
  const withProjects = Object.values(schema)
    .filter((member) => is(member, PgTable))
    .filter((table) => Object.values(getTableColumns(table)).some(({ name }) => name === DISTRIBUTION_COLUMN))
    .map(getTableName);
  const distributed = distributedTables.map(getTableName);
  expect([...distributed, ...ON_THE_COORDINATOR].toSorted()).toEqual(withProjects.toSorted());
  expect(distributed[0]).toBe(colocatedWith);
});
