import { expect, test } from "vitest";
import { workKinds } from "./work-kinds.js";
import { isClaimed, pauseAfter } from "./work-queue.js";

test("the pause after a failure doubles, up to the longest of its kind", () => {
  const pauses = { firstMs: 15, longestMs: 100 };
  expect([0, 1, 2, 3, 4, 1000].map((failures) => pauseAfter(failures, pauses))).toEqual([
    15, 30, 60, 100, 100, 100,
  ]);
});

test("a claim is named by its number, or by the end of its lease where the table counts no claims", () => {
  expect(isClaimed(workKinds.scans)).toBe(
    "t.project_id = $1::bigint and t.file_id = $2 and t.claim = $3::integer and t.kind = 'scan'",
  );
  expect(isClaimed(workKinds.projectPurges)).toBe(
    "t.id = $1::bigint and t.id = $2 and t.next_purge_at = $3::timestamptz",
  );
});
