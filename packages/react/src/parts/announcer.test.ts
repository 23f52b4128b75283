import { beforeEach, expect, it } from "vitest";
import { aFile } from "../../test/runtime.js";
import { totalsOf } from "../core/totals.js";
import {
  createItem,
  type UploadFailure,
  type UploadItem,
  type UploadState,
  withState,
} from "../core/upload-item.js";
import { createAnnouncer } from "./announcer.js";
import { englishLabels } from "./labels.js";

let nowMs = 0;
let say: (...items: UploadItem[]) => string[];
beforeEach(() => {
  nowMs = 0;
  const sentencesFor = createAnnouncer(snapshotOf([]));
  say = (...items) => sentencesFor(snapshotOf(items), nowMs, { labels: englishLabels, locale: "en" });
});

const snapshotOf = (items: UploadItem[]) => ({ items, totals: totalsOf(items, (item) => item.sentBytes, 0) });
const anItem = (id: string, state: UploadState = { status: "queued" }, sentBytes = 0) =>
  withState(createItem(id, aFile(`${id}.jpg`, 1000), { status: "queued" }), state, sentBytes);
const done = { status: "done", result: {} as never } as const;
const error: UploadFailure = { code: "quota_exceeded", message: "It is full.", status: 403, canRetry: true };
const failed = { status: "failed", error } as const;

it("says additions as a number", () => {
  expect(say(anItem("a"))).toEqual(["1 file added."]);
  expect(say(anItem("a"), anItem("b"), anItem("c"))).toEqual(["2 files added."]);
});

it("says progress by quarters, and not within 5 s of the last word on it", () => {
  const at = (sent: number) => say(anItem("a", { status: "uploading" }, sent));
  at(0);
  nowMs = 4_999;
  expect(at(600)).toEqual([]);
  nowMs = 5_000;
  expect(at(610)).toEqual(["61% uploaded."]);
  nowMs = 20_000;
  expect(at(700)).toEqual([]);
  expect(at(760)).toEqual(["76% uploaded."]);
});

it("says each failure by name, and how it all ended", () => {
  say(anItem("a"), anItem("b"));
  expect(say(anItem("a", failed), anItem("b"))).toEqual(["a.jpg failed. It is full."]);
  expect(say(anItem("a", failed), anItem("b", done))).toEqual(["1 file uploaded. 1 file failed."]);
});

it("does not count what was refused on adding, nor sum up what was just said", () => {
  expect(say(anItem("a", failed))).toEqual(["a.jpg failed. It is full."]);
  expect(say(anItem("a", failed), anItem("b"), anItem("c", failed))).toEqual([
    "1 file added.",
    "c.jpg failed. It is full.",
  ]);
});

it("does not read out a hundred failures", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `f${index}`);
  say(...ids.map((id) => anItem(id)));
  const sentences = say(...ids.map((id) => anItem(id, failed)));
  expect(sentences).toHaveLength(4);
  expect(sentences.at(-1)).toBe("No files uploaded. 100 files failed.");
});

it("says a cancellation, and nothing about what is taken off the list", () => {
  say(anItem("a"));
  expect(say(anItem("a", { status: "cancelled" }))).toEqual(["a.jpg cancelled."]);
  expect(say()).toEqual([]);
});
