import { beforeEach, expect, test } from "vitest";
import { anItemIn } from "../../test/items.js";
import { aFile } from "../../test/runtime.js";
import { englishLabels } from "../labels/labels.js";
import { isActive, type UploadFailure, type UploadItem, type UploadState } from "../upload-item.js";
import type { UploadSnapshot } from "../upload-settings.js";
import { createAnnouncer } from "./announcer.js";

const labels = { ...englishLabels, locale: "en" };

let nowMs = 0;
let announcer: ReturnType<typeof createAnnouncer>;
/** Runs the timers, and returns what was announced. */
let flush: () => string;
/** Updates the announcer with these items, and returns what was announced. */
let announced: (...items: UploadItem[]) => string;
let announcedFor: (snapshot: UploadSnapshot) => string;
beforeEach(() => {
  nowMs = 0;
  const timers: (() => void)[] = [];
  let spoken = "";
  const after = (_: number, run: () => void) => {
    timers.push(run);
    return () => {};
  };
  announcer = createAnnouncer({ uptimeMs: () => nowMs, after }, snapshotOf([]), (text) => (spoken = text));
  flush = () => {
    spoken = "";
    for (const run of timers.splice(0)) run();
    return spoken;
  };
  announcedFor = (snapshot) => {
    announcer.update(snapshot, labels);
    return flush();
  };
  announced = (...items) => announcedFor(snapshotOf(items));
});

function snapshotOf(
  items: UploadItem[],
  connection: UploadSnapshot["connection"] = "online",
): UploadSnapshot {
  const count = (status: string) => items.filter((item) => item.status === status).length;
  const sum = (of: "size" | "sentBytes") => items.reduce((bytes, item) => bytes + item[of], 0);
  const totals = {
    files: items.length,
    active: items.filter(isActive).length,
    paused: count("paused"),
    done: count("done"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    totalBytes: sum("size"),
    sentBytes: sum("sentBytes"),
    progress: items.length > 0 ? sum("sentBytes") / sum("size") : 0,
    bytesPerSecond: null,
    remainingMs: null,
  };
  return {
    items,
    totals,
    isOffline: connection === "offline",
    connection,
    limits: {},
    resumable: [],
    lost: [],
    leftOut: [],
  };
}
const anItem = (id: string, state: UploadState = { status: "queued" }, sentBytes = 0) =>
  anItemIn(state, { id, file: aFile(`${id}.jpg`, 1000), sentBytes });
const done = { status: "done", result: {} as never, data: null, error: null } as const;
const error: UploadFailure = { code: "quota_exceeded", message: "It is full.", status: 403, canRetry: true };
const failed = { status: "failed", error } as const;

test("announces added files as a number", () => {
  expect(announced(anItem("a"))).toBe("1 file added.");
  expect(announced(anItem("a"), anItem("b"), anItem("c"))).toBe("2 files added.");
});

test("announces once how many system files were left out", () => {
  const next = { ...snapshotOf([anItem("a")]), leftOut: [aFile(".DS_Store"), aFile("._a.jpg")] };
  expect(announcedFor(next)).toBe("1 file added. 2 system files were left out.");
  expect(announcedFor({ ...next })).toBe("");
  expect(announcedFor({ ...next, leftOut: [] })).toBe("");
  expect(announcedFor({ ...next, leftOut: [aFile(".DS_Store")] })).toBe("1 system file was left out.");
});

test("announces progress at each quarter, and not within 5 s of the last time", () => {
  const at = (sent: number) => announced(anItem("a", { status: "uploading" }, sent));
  at(0);
  nowMs = 4_999;
  expect(at(600)).toBe("");
  nowMs = 5_000;
  expect(at(610)).toBe("61% uploaded.");
  nowMs = 20_000;
  expect(at(700)).toBe("");
  expect(at(760)).toBe("76% uploaded.");
});

test("announces each failure by name, and a summary at the end", () => {
  announced(anItem("a"), anItem("b"));
  expect(announced(anItem("a", failed), anItem("b"))).toBe("a.jpg failed. It is full.");
  expect(announced(anItem("a", failed), anItem("b", done))).toBe("1 file uploaded. 1 file failed.");
});

test("does not count refused files as added, and gives no summary of what it just announced", () => {
  expect(announced(anItem("a", failed))).toBe("a.jpg failed. It is full.");
  expect(announced(anItem("a", failed), anItem("b"), anItem("c", failed))).toBe(
    "1 file added. c.jpg failed. It is full.",
  );
});

test("announces only the first three of a hundred failures by name", () => {
  const ids = Array.from({ length: 100 }, (_, index) => `f${index}`);
  announced(...ids.map((id) => anItem(id)));
  const sentence = (id: string) => `${id}.jpg failed. It is full.`;
  expect(announced(...ids.map((id) => anItem(id, failed)))).toBe(
    [...ids.slice(0, 3).map(sentence), "No files uploaded. 100 files failed."].join(" "),
  );
});

test("announces a cancelled file, and nothing when it is removed from the list", () => {
  announced(anItem("a"));
  expect(announced(anItem("a", { status: "cancelled" }))).toBe("a.jpg cancelled.");
  expect(announced()).toBe("");
});

test("adds up the files that are added before the announcement", () => {
  announcer.update(snapshotOf([anItem("a")]), labels);
  announcer.update(snapshotOf([anItem("a"), anItem("b")]), labels);
  expect(flush()).toBe("2 files added.");
  expect(flush()).toBe("");
});

test("gives the summary when the last active file is removed from the list", () => {
  announced(anItem("a"), anItem("b"));
  expect(announced(anItem("a", done), anItem("b"))).toBe("");
  expect(announced(anItem("a", done))).toBe("1 file uploaded.");
});

test("announces once that the connection is lost, and once that it is back", () => {
  announced(anItem("a"));
  expect(announcedFor(snapshotOf([anItem("a")], "offline"))).toBe(englishLabels.offline);
  expect(announcedFor(snapshotOf([anItem("a")], "offline"))).toBe("");
  expect(announcedFor(snapshotOf([anItem("a")]))).toBe(englishLabels.online);
});

test("announces that the server does not answer, and that it answers again", () => {
  announced(anItem("a"));
  expect(announcedFor(snapshotOf([anItem("a")], "unreachable"))).toBe(englishLabels.unreachable);
  expect(announcedFor(snapshotOf([anItem("a")]))).toBe(englishLabels.reachable);
});

test("does not announce that the connection is back when the files that needed it were cancelled", () => {
  announcedFor(snapshotOf([anItem("a")], "offline"));
  expect(announced(anItem("a", { status: "cancelled" }))).toBe("a.jpg cancelled.");
});

test("announces which files were deleted on the server, and which could not be", () => {
  announced(anItem("a", done), anItem("b", done));
  announced(anItem("a", { status: "deleting" }), anItem("b", { status: "deleting" }));
  expect(announced(anItem("b", { ...done, error }))).toBe(
    "b.jpg was not deleted. It is full. a.jpg deleted.",
  );
});

test("announces that a failed file was not deleted, not that it failed again", () => {
  announced(anItem("a", done), anItem("b", failed));
  announced(anItem("a", done), anItem("b", { status: "deleting" }));
  expect(announced(anItem("a", done), anItem("b", failed))).toContain("b.jpg was not deleted. It is full.");
});

test("announces one file that is paused or continues by name, and several together", () => {
  const uploading = { status: "uploading" } as const;
  const paused = { status: "paused" } as const;
  announced(anItem("a", uploading), anItem("b", uploading));
  expect(announced(anItem("a", paused), anItem("b", uploading))).toBe("a.jpg paused.");
  expect(announced(anItem("a"), anItem("b", uploading))).toBe("a.jpg resumed.");
  expect(announced(anItem("a", paused), anItem("b", paused))).toBe("Uploads paused.");
  expect(announced(anItem("a"), anItem("b"))).toBe("Uploads resumed.");
});
