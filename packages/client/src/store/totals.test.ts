import { expect, test } from "vitest";
import { anItemIn } from "../../test/items.js";
import { aFile } from "../../test/runtime.js";
import type { UploadItem, UploadState } from "../upload-item.js";
import { countItem, noCounts, totalsOf } from "./totals.js";

function anItem(size: number, state: UploadState, sentBytes = 0): UploadItem {
  return anItemIn(state, { file: aFile("a", size), sentBytes });
}
const done = { status: "done", result: {} as never, data: null, error: null } as const;
function totals(items: UploadItem[], floor = 0, bytesPerSecond: number | null = null) {
  const counts = noCounts();
  for (const item of items) countItem(counts, item, 1);
  return totalsOf(counts, floor, bytesPerSecond);
}

const sending = (bytesPerSecond: number, remainingMs: number): UploadItem => ({
  ...anItem(1000, { status: "uploading" }),
  bytesPerSecond,
  remainingMs,
});
const paceOf = (items: UploadItem[], bytesPerSecond: number) => {
  const counts = noCounts();
  for (const item of items) countItem(counts, item, 1);
  const uploading = items.filter(({ status }) => status === "uploading");
  const { remainingMs, ...totals } = totalsOf(counts, 0, bytesPerSecond, uploading);
  return [totals.bytesPerSecond, remainingMs];
};

test("has the speed and the time left of the only active file", () => {
  expect(paceOf([sending(100, 9_000), anItem(500, done)], 80)).toEqual([100, 9_000]);
});

test("never has less time left than one of its files", () => {
  expect(paceOf([sending(10, 90_000), sending(490, 1_000)], 500)).toEqual([500, 90_000]);
  expect(paceOf([sending(250, 3_000), sending(250, 3_500)], 500)).toEqual([500, 4_000]);
});

test("counts the files that wait in the time left", () => {
  expect(paceOf([sending(500, 2_000), anItem(3000, { status: "queued" })], 500)).toEqual([500, 8_000]);
});

test("weights files by bytes", () => {
  const items = [anItem(900, { status: "uploading" }, 450), anItem(100, done)];
  expect(totals(items)).toMatchObject({
    active: 1,
    done: 1,
    totalBytes: 1000,
    sentBytes: 550,
    progress: 0.55,
  });
});

test("stays at 99% until the last file is confirmed", () => {
  const confirming = anItem(100, { status: "confirming", retry: null }, 100);
  expect(confirming.progress).toBe(0.99);
  expect(totals([confirming]).progress).toBe(0.99);
  expect(totals([anItem(100, done)]).progress).toBe(1);
});

test("does not fall below the shown progress when a file is cancelled", () => {
  const items = [anItem(100, { status: "cancelled" }), anItem(100, { status: "uploading" }, 10)];
  expect(totals(items, 0.5).progress).toBe(0.5);
});

test("counts files when all files are empty", () => {
  expect(totals([anItem(0, done), anItem(0, { status: "queued" })]).progress).toBe(0.5);
});

test("counts a file that is being deleted as done, and is empty again after all items are taken out", () => {
  expect(totals([anItem(5, { status: "deleting" })])).toMatchObject({ active: 0, done: 1, sentBytes: 5 });
  const counts = noCounts();
  for (const sign of [1, -1] as const) {
    for (const state of [done, { status: "uploading" }, { status: "cancelled" }] as const) {
      countItem(counts, anItem(100, state, 30), sign);
    }
  }
  expect(counts).toEqual(noCounts());
});

test("computes the remaining time from bytes and speed, and null without a speed", () => {
  const items = [anItem(900, { status: "uploading" }, 400)];
  expect(totals(items, 0, 250)).toMatchObject({ bytesPerSecond: 250, remainingMs: 2000 });
  expect(totals(items)).toMatchObject({ bytesPerSecond: null, remainingMs: null });
});

test("is 0 for an empty list", () => {
  expect(totals([])).toMatchObject({ files: 0, progress: 0 });
});
