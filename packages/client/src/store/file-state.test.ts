import { expect, test } from "vitest";
import { aFile } from "../../test/runtime.js";
import type { UploadTicket } from "../transport.js";
import type { UploadFailure } from "../upload-item.js";
import { createFileState, type FileEvent, type FileState, reduceFile } from "./file-state.js";

const failure: UploadFailure = { code: "timed_out", message: "Lost.", status: 0, canRetry: true };
const result = { file_path: "p/1", size: 1000 } as never;
const usageBefore = { files: 2, bytes: 50 };

const after = (...events: FileEvent[]): FileState =>
  events.reduce(reduceFile, createFileState("1", aFile("a.jpg", 1000)));

function putStarted(path: string): FileEvent & { type: "put-started" } {
  const ticket = { file_path: path } as UploadTicket;
  return { type: "put-started", ticket: { ticket, validMs: () => 1000, size: 1000, type: "" } };
}

test("starts as a queued item with the name, size and folder of the file", () => {
  const inFolder = Object.assign(aFile("a.jpg", 1000), { relativePath: "./x/a.jpg" });
  expect(createFileState("7", inFolder).item).toEqual({
    id: "7",
    file: inFolder,
    name: "a.jpg",
    path: "x/a.jpg",
    size: 1000,
    sentBytes: 0,
    progress: 0,
    bytesPerSecond: null,
    remainingMs: null,
    status: "queued",
  });
});

test("never changes the state it is given", () => {
  const before = Object.freeze(after({ type: "queued", usageBefore }));
  Object.freeze(before.item);
  const next = reduceFile(before, {
    type: "bytes-sent",
    sentBytes: 10,
    bytesPerSecond: 5,
    isStorageReceiving: false,
  });
  expect(next.item).not.toBe(before.item);
  expect(before.item.sentBytes).toBe(0);
});

test("keeps the same item when an event shows nothing", () => {
  const before = after({ type: "preparing" });
  expect(reduceFile(before, { type: "size-known", sizeBytes: 4 }).item).toBe(before.item);
  expect(reduceFile(before, { type: "bytes-stored", path: "p/1" }).item).toBe(before.item);
});

test("shows progress and remaining time while bytes are sent", () => {
  const { item } = after(putStarted("p/1"), {
    type: "bytes-sent",
    sentBytes: 400,
    bytesPerSecond: 200,
    isStorageReceiving: false,
  });
  expect(item).toMatchObject({
    status: "uploading",
    sentBytes: 400,
    progress: 0.4,
    bytesPerSecond: 200,
    remainingMs: 3000,
  });
});

test("does not set sent bytes back when a second PUT starts", () => {
  const { item } = after(
    putStarted("p/1"),
    { type: "bytes-sent", sentBytes: 400, bytesPerSecond: null, isStorageReceiving: false },
    { type: "requesting", retry: null },
    putStarted("p/1"),
    { type: "bytes-sent", sentBytes: 100, bytesPerSecond: null, isStorageReceiving: false },
  );
  expect(item.sentBytes).toBe(400);
});

test("remembers where a PUT started and finished, and forgets the ticket of a cancelled upload", () => {
  const second = putStarted("p/2");
  const { resume, item } = after(
    putStarted("p/1"),
    { type: "cancelled" },
    { type: "queued", usageBefore },
    second,
    { type: "bytes-stored", path: "p/2" },
    { type: "failed", failure },
    { type: "queued", usageBefore },
  );
  expect(resume).toEqual({ triedPath: "p/2", sentPath: "p/2", ticket: second.ticket });
  expect(item.sentBytes).toBe(0);
  expect(after(putStarted("p/1"), { type: "cancelled" }).resume).toEqual({ triedPath: "p/1" });
});

test("stays at 99% while it is confirmed, and is done with the result", () => {
  const confirming = after({ type: "confirming", retry: null });
  expect(confirming.item).toMatchObject({ sentBytes: 1000, progress: 0.99 });
  const done = reduceFile(confirming, { type: "completed", result, data: 7 });
  expect(done.item).toMatchObject({ status: "done", result, data: 7, error: null, progress: 1 });
});

test("shows the size of what transform returned", () => {
  const { item, preparedBytes } = after({ type: "size-known", sizeBytes: 40 }, putStarted("p/1"), {
    type: "bytes-sent",
    sentBytes: 10,
    bytesPerSecond: null,
    isStorageReceiving: false,
  });
  expect(preparedBytes).toBe(40);
  expect(item).toMatchObject({ size: 40, progress: 0.25 });
});

test("keeps what the other files used up when it was queued or refused", () => {
  expect(after({ type: "queued", usageBefore }).usageBefore).toBe(usageBefore);
  const refused = after({ type: "refused", usageBefore, failure });
  expect(refused.usageBefore).toBe(usageBefore);
  expect(refused.item).toMatchObject({ status: "failed", error: failure });
});

test("is done again, with the reason, when its deletion fails", () => {
  const deleting = after({ type: "completed", result, data: 7 }, { type: "delete-started" });
  expect(deleting.item.status).toBe("deleting");
  const { item } = reduceFile(deleting, { type: "delete-failed", failure });
  expect(item).toMatchObject({ status: "done", result, data: 7, error: failure });
});

test("is failed again, with its own reason, when the deletion of a failed file fails", () => {
  const own: UploadFailure = { ...failure, code: "unauthorized" };
  const { item } = after(
    { type: "failed", failure: own },
    { type: "delete-started" },
    { type: "delete-failed", failure },
  );
  expect(item).toMatchObject({ status: "failed", error: own });
});
