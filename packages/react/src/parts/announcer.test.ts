import { beforeEach, expect, it } from "vitest";
import { anItemIn } from "../../test/items.js";
import { aFile } from "../../test/runtime.js";
import { isActive, type UploadFailure, type UploadItem, type UploadState } from "../core/upload-item.js";
import type { UploadSnapshot } from "../core/upload-settings.js";
import { createAnnouncer } from "./announcer.js";
import { englishLabels } from "./labels.js";

const words = { ...englishLabels, locale: "en" };

let nowMs = 0;
let announcer: ReturnType<typeof createAnnouncer>;
/** What is said once everything that happens at once has happened. */
let said: () => string;
let say: (...items: UploadItem[]) => string;
let sayOf: (snapshot: UploadSnapshot) => string;
beforeEach(() => {
  nowMs = 0;
  const timers: (() => void)[] = [];
  let spoken = "";
  const after = (_: number, run: () => void) => {
    timers.push(run);
    return () => {};
  };
  announcer = createAnnouncer({ uptimeMs: () => nowMs, after }, snapshotOf([]), (text) => (spoken = text));
  said = () => {
    spoken = "";
    for (const run of timers.splice(0)) run();
    return spoken;
  };
  sayOf = (snapshot) => {
    announcer.note(snapshot, words);
    return said();
  };
  say = (...items) => sayOf(snapshotOf(items));
});

function snapshotOf(items: UploadItem[], isOffline = false): UploadSnapshot {
  const count = (status: string) => items.filter((item) => item.status === status).length;
  const sum = (of: "size" | "sentBytes") => items.reduce((bytes, item) => bytes + item[of], 0);
  const totals = {
    files: items.length,
    active: items.filter(isActive).length,
    done: count("done"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    totalBytes: sum("size"),
    sentBytes: sum("sentBytes"),
    progress: items.length > 0 ? sum("sentBytes") / sum("size") : 0,
    bytesPerSecond: null,
    remainingMs: null,
  };
  return { items, totals, isOffline, limits: {} };
}
const anItem = (id: string, state: UploadState = { status: "queued" }, sentBytes = 0) =>
  anItemIn(state, { id, file: aFile(`${id}.jpg`, 1000), sentBytes });
const done = { status: "done", result: {} as never, data: null, error: null } as const;
const error: UploadFailure = { code: "quota_exceeded", message: "It is full.", status: 403, canRetry: true };
const failed = { status: "failed", error } as const;

it("says additions as a number", () => {
  expect(say(anItem("a"))).toBe("1 file added.");
  expect(say(anItem("a"), anItem("b"), anItem("c"))).toBe("2 files added.");
});

it("says progress by quarters, and not within 5 s of the last word on it", () => {
  const at = (sent: number) => say(anItem("a", { status: "uploading" }, sent));
  at(0);
  nowMs = 4_999;
  expect(at(600)).toBe("");
  nowMs = 5_000;
  expect(at(610)).toBe("61% uploaded.");
  nowMs = 20_000;
  expect(at(700)).toBe("");
  expect(at(760)).toBe("76% uploaded.");
});

it("says each failure by name, and how it all ended", () => {
  say(anItem("a"), anItem("b"));
  expect(say(anItem("a", failed), anItem("b"))).toBe("a.jpg failed. It is full.");
  expect(say(anItem("a", failed), anItem("b", done))).toBe("1 file uploaded. 1 file failed.");
});

it("does not count what was refused on adding, nor sum up what was just said", () => {
  expect(say(anItem("a", failed))).toBe("a.jpg failed. It is full.");
  expect(say(anItem("a", failed), anItem("b"), anItem("c", failed))).toBe(
    "1 file added. c.jpg failed. It is full.",
  );
});

it("does not read out a hundred failures", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `f${index}`);
  say(...ids.map((id) => anItem(id)));
  const each = (id: string) => `${id}.jpg failed. It is full.`;
  expect(say(...ids.map((id) => anItem(id, failed)))).toBe(
    [...ids.slice(0, 3).map(each), "No files uploaded. 100 files failed."].join(" "),
  );
});

it("says a cancellation, and nothing about what is taken off the list", () => {
  say(anItem("a"));
  expect(say(anItem("a", { status: "cancelled" }))).toBe("a.jpg cancelled.");
  expect(say()).toBe("");
});

it("adds up what is added before it is said", () => {
  announcer.note(snapshotOf([anItem("a")]), words);
  announcer.note(snapshotOf([anItem("a"), anItem("b")]), words);
  expect(said()).toBe("2 files added.");
  expect(said()).toBe("");
});

it("sums up when the last file on its way is taken off the list", () => {
  say(anItem("a"), anItem("b"));
  expect(say(anItem("a", done), anItem("b"))).toBe("");
  expect(say(anItem("a", done))).toBe("1 file uploaded.");
});

it("says once that the connection is gone, and once that it is back", () => {
  say(anItem("a"));
  expect(sayOf(snapshotOf([anItem("a")], true))).toBe(englishLabels.offline);
  expect(sayOf(snapshotOf([anItem("a")], true))).toBe("");
  expect(sayOf(snapshotOf([anItem("a")]))).toBe(englishLabels.online);
});

it("says what was deleted on the server, and what could not be", () => {
  say(anItem("a", done), anItem("b", done));
  say(anItem("a", { status: "deleting" }), anItem("b", { status: "deleting" }));
  expect(say(anItem("b", { ...done, error }))).toBe("b.jpg was not deleted. It is full. a.jpg deleted.");
});

it("says that a file which failed was not deleted, not that it failed again", () => {
  say(anItem("a", done), anItem("b", failed));
  say(anItem("a", done), anItem("b", { status: "deleting" }));
  expect(say(anItem("a", done), anItem("b", failed))).toContain("b.jpg was not deleted. It is full.");
});
