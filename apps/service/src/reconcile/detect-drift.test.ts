import { describe, expect, test } from "vitest";
import { detectDrift, type ObjectAtPath, type RowAtPath } from "./detect-drift.js";

const now = new Date("2026-11-21T12:00:00Z");
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const old: ObjectAtPath = { sizeBytes: 5, etag: "a", lastModified: secondsAgo(3600) };
const stored: RowAtPath = { status: "stored", size: 5, etag: "a" };
const pending: RowAtPath = { status: "pending", size: null, etag: null };

const detect = (row: RowAtPath | null, object: ObjectAtPath | null) =>
  detectDrift(
    { projectRef: "p", path: "projects/p/x", place: "private" as const, isProjectKnown: true },
    { row, object },
    now,
  );

describe("the row and the object of one path", () => {
  test.each<[string, RowAtPath | null, ObjectAtPath | null]>([
    ["a stored file with its object", stored, old],
    ["a pending upload without an object", pending, null],
    ["a pending upload with a new object", pending, { ...old, lastModified: secondsAgo(59) }],
    ["a pending upload whose object is not in the listing yet", pending, { ...old, lastModified: null }],
    ["an expired upload", { status: "expired", size: null, etag: null }, null],
    ["a file that is being deleted", { status: "deleting", size: 5, etag: "a" }, old],
    ["a file that is being deleted, without an object", { status: "deleting", size: 5, etag: "a" }, null],
    ["no row and no object", null, null],
    ["a stored file whose ETag was not recorded", { ...stored, etag: null }, old],
    ["a stored file in storage without ETags", stored, { ...old, etag: "" }],
  ])("agree: %s", (_what, row, object) => {
    expect(detect(row, object)).toBeNull();
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
      "a stored file whose bytes were replaced by as many other ones",
      stored,
      { ...old, etag: "b" },
      { kind: "bytes", recordedBytes: 5 },
    ],
    [
      "a pending upload whose object is a minute old",
      pending,
      { ...old, lastModified: secondsAgo(60) },
      { kind: "unsettled", status: "pending", foundBytes: 5 },
    ],
    [
      "an expired upload with an object",
      { status: "expired", size: null, etag: null },
      old,
      { kind: "unsettled", status: "expired", foundBytes: 5 },
    ],
    [
      "an object without a row",
      null,
      old,
      { kind: "orphan", foundBytes: 5, place: "private" as const, isProjectKnown: true },
    ],
  ])("disagree: %s", (_what, row, object, drift) => {
    expect(detect(row, object)).toMatchObject({ projectRef: "p", path: "projects/p/x", ...drift });
  });
});
