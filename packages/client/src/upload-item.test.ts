import { expect, test } from "vitest";
import { anItemIn } from "../test/items.js";
import {
  canRetry,
  countedAs,
  countsTowardLimits,
  isActive,
  isEnded,
  type UploadFailure,
  type UploadStatus,
} from "./upload-item.js";

test.each<[UploadStatus, string, { isActive: boolean; isEnded: boolean; countsTowardLimits: boolean }]>([
  ["queued", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["preparing", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["requesting", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["uploading", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["paused", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["confirming", "active", { isActive: true, isEnded: false, countsTowardLimits: true }],
  ["done", "done", { isActive: false, isEnded: true, countsTowardLimits: true }],
  ["deleting", "done", { isActive: false, isEnded: false, countsTowardLimits: true }],
  ["failed", "failed", { isActive: false, isEnded: true, countsTowardLimits: false }],
  ["cancelled", "cancelled", { isActive: false, isEnded: true, countsTowardLimits: false }],
])("counts a file that is %s as %s, %j", (status, kind, rules) => {
  const item = { status };
  expect(countedAs(item)).toBe(kind);
  expect({
    isActive: isActive(item),
    isEnded: isEnded(item),
    countsTowardLimits: countsTowardLimits(item),
  }).toEqual(rules);
});

test("lets a person retry a cancelled file, and a failed file unless it would fail again", () => {
  const error: UploadFailure = { code: "timed_out", message: "", status: 0, canRetry: true };
  expect(canRetry(anItemIn({ status: "cancelled" }))).toBe(true);
  expect(canRetry(anItemIn({ status: "failed", error }))).toBe(true);
  expect(canRetry(anItemIn({ status: "failed", error: { ...error, canRetry: false } }))).toBe(false);
  expect(canRetry(anItemIn({ status: "queued" }))).toBe(false);
});
