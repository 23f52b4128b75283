import { describe, expect, test } from "vitest";
import { detectDrift, type ObjectAtPath, type RowAtPath } from "./detect-drift.js";

const now = new Date("2026-11-21T12:00:00Z");
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const old: ObjectAtPath = { sizeBytes: 5, lastModified: secondsAgo(3600) };
const stored: RowAtPath = { status: "stored", size: 5 };
const pending: RowAtPath = { status: "pending", size: null };

const judge = (row: RowAtPath | null, object: ObjectAtPath | null) =>
  detectDrift({ projectRef: "p", path: "projects/p/x", isProjectKnown: true }, { row, object }, now);

describe("row and object of one path", () => {
  test.each<[string, RowAtPath | null, ObjectAtPath | null]>([
    ["a stored file with its object", stored, old],
    ["an upload that nobody made yet", pending, null],
    ["an upload that was just made", pending, { sizeBytes: 5, lastModified: secondsAgo(59) }],
    ["an upload that the listing did not have yet", pending, { sizeBytes: 5, lastModified: null }],
    ["an expired upload", { status: "expired", size: null }, null],
    ["a file that is being deleted", { status: "deleting", size: 5 }, old],
    ["a file that is being deleted, its object gone", { status: "deleting", size: 5 }, null],
    ["nothing", null, null],
  ])("agree: %s", (_what, row, object) => {
    expect(judge(row, object)).toBeNull();
  });

  test.each<[string, RowAtPath | null, ObjectAtPath | null, object]>([
    ["a stored file without an object", stored, null, { kind: "missing", recordedBytes: 5 }],
    [
      "a stored file of another size",
      stored,
      { ...old, sizeBytes: 6 },
      { kind: "size", recordedBytes: 5, foundBytes: 6 },
    ],
    [
      "an upload nobody looked at for a minute",
      pending,
      { sizeBytes: 5, lastModified: secondsAgo(60) },
      { kind: "unsettled", status: "pending", foundBytes: 5 },
    ],
    [
      "an expired upload with an object",
      { status: "expired", size: null },
      old,
      { kind: "unsettled", status: "expired", foundBytes: 5 },
    ],
    ["an object that no row knows", null, old, { kind: "orphan", foundBytes: 5, isProjectKnown: true }],
  ])("disagree: %s", (_what, row, object, drift) => {
    expect(judge(row, object)).toMatchObject({ projectRef: "p", path: "projects/p/x", ...drift });
  });
});
