import { expect, test } from "vitest";
import { createSummarize } from "./statement-summary.js";

test.each([
  [`select "id" from "files" where "id" = $1`, "SELECT", "files", false],
  [
    `select number from mark_stored($1::bigint, $2::text::json) as marked (number)`,
    "SELECT",
    "mark_stored",
    true,
  ],
  [`select emit_file_events($1::bigint, $2)`, "SELECT", "emit_file_events", true],
  [`select 1`, "SELECT", undefined, false],
  [
    `select number from (select * from json_to_recordset($1) as call (id bigint)) call cross join lateral mark_stored(call.id) as m`,
    "SELECT",
    "mark_stored",
    true,
  ],
  [`\n  INSERT INTO "tenants" ("id") values ($1)`, "INSERT", "tenants", false],
  [`update files set status = 'x' from unnest($1::bigint[]) as u (id)`, "UPDATE", "files", false],
  [`delete from "sessions" where id = $1`, "DELETE", "sessions", false],
  [`with found as (select id from files for update) update files set x = 1`, "UPDATE", "files", false],
  [`with found as (select id from files) select * from found`, "SELECT", "files", false],
  [`select id from files where metadata ->> 'update x' = $1 for update`, "SELECT", "files", false],
  [``, "OTHER", undefined, false],
])("%s", (statement, operation, target, isFunction) => {
  expect(createSummarize()(statement)).toEqual({ operation, target, isFunction });
});

test("a list of a length that was not seen yet has the same summary", () => {
  const summarize = createSummarize();
  for (let length = 1; length < 3000; length++) {
    const list = Array.from({ length: length % 5 }, (_, index) => `$${index + 1}`).join();
    expect(summarize(`select * from files where id in (${list}) -- ${length}`).target).toBe("files");
  }
});
