import { expect, it } from "vitest";
import { aFile } from "../../test/runtime.js";
import { totalsOf } from "./totals.js";
import { createItem, type UploadItem, type UploadState, withState } from "./upload-item.js";

function anItem(size: number, state: UploadState, sentBytes = 0): UploadItem {
  return withState(createItem("1", aFile("a", size), { status: "queued" }), state, sentBytes);
}
const done = { status: "done", result: {} as never } as const;
const sent = (item: UploadItem) => item.sentBytes;

it("weighs by bytes", () => {
  const items = [anItem(900, { status: "uploading" }, 450), anItem(100, done)];
  expect(totalsOf(items, sent, 0)).toMatchObject({
    active: 1,
    done: 1,
    totalBytes: 1000,
    sentBytes: 550,
    progress: 0.55,
  });
});

it("stays at 99% until the last file is confirmed", () => {
  const confirming = anItem(100, { status: "confirming", retry: null }, 100);
  expect(confirming.progress).toBe(0.99);
  expect(totalsOf([confirming], sent, 0).progress).toBe(0.99);
  expect(totalsOf([anItem(100, done)], sent, 0).progress).toBe(1);
});

it("does not fall when a file is cancelled or starts over", () => {
  const items = [anItem(100, { status: "cancelled" }), anItem(100, { status: "uploading" }, 10)];
  expect(totalsOf(items, sent, 0.5).progress).toBe(0.5);
  expect(totalsOf([anItem(100, { status: "requesting", retry: null })], () => 70, 0).progress).toBe(0.7);
});

it("counts files where there are no bytes to count", () => {
  expect(totalsOf([anItem(0, done), anItem(0, { status: "queued" })], sent, 0).progress).toBe(0.5);
});

it("is nothing of nothing", () => {
  expect(totalsOf([], sent, 0)).toMatchObject({ files: 0, progress: 0 });
});
