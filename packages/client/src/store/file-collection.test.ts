import { expect, test, vi } from "vitest";
import { aFile } from "../../test/runtime.js";
import { createFileCollection } from "./file-collection.js";

const noUsage = { files: 0, bytes: 0 };
const completed = { type: "completed", result: {} as never, data: null } as const;

function aCollection() {
  const onEvent = vi.fn();
  return { ...createFileCollection(onEvent), onEvent };
}

test("keeps the order in which files were added when a file changes", () => {
  const files = aCollection();
  const [first, second] = [files.add(aFile("a")), files.add(aFile("b"))];
  files.dispatch(first, { type: "cancelled" });
  expect(Array.from(files.all(), ({ item }) => item.id)).toEqual([first, second]);
});

test("counts each file once, by its current status", () => {
  const files = aCollection();
  const [first, second] = [files.add(aFile("a", 100)), files.add(aFile("b", 20))];
  files.dispatch(first, completed);
  files.dispatch(second, {
    type: "bytes-sent",
    sentBytes: 5,
    bytesPerSecond: null,
    isStorageReceiving: false,
  });
  expect(files.counts()).toMatchObject({ files: 2, active: 1, done: 1, totalBytes: 120, sentBytes: 105 });
  files.remove(first);
  files.dispatch(second, { type: "cancelled" });
  expect(files.counts()).toMatchObject({ files: 1, active: 0, done: 0, cancelled: 1, totalBytes: 0 });
});

test("reports each event with the new state of the file, and ignores unknown ids", () => {
  const files = aCollection();
  const id = files.add(aFile());
  const event = { type: "preparing" } as const;
  files.dispatch(id, event);
  files.dispatch("unknown", event);
  files.remove("unknown");
  files.unlist("unknown");
  expect(files.onEvent.mock.calls).toEqual([[event, files.get(id)]]);
});

test("counts active and done files toward the limits, and a done file that left the list until a new session starts", () => {
  const files = aCollection();
  const [done, active, cancelled] = [100, 20, 3].map((size) => files.add(aFile("a", size))) as [
    string,
    string,
    string,
  ];
  files.dispatch(done, completed);
  files.dispatch(cancelled, { type: "cancelled" });
  expect(files.usage()).toEqual({ files: 2, bytes: 120 });
  files.unlist(done);
  files.unlist(cancelled);
  expect(files.usage()).toEqual({ files: 2, bytes: 120 });
  files.remove(active);
  expect(files.usage()).toEqual({ files: 1, bytes: 100 });
  files.startSession();
  expect(files.usage()).toEqual(noUsage);
});

test("for a page with `transform`, adds up the prepared sizes of all other files", () => {
  const files = aCollection();
  const [first, second, third] = ["a", "b", "c"].map((name) => files.add(aFile(name, 5000))) as [
    string,
    string,
    string,
  ];
  files.dispatch(first, { type: "size-known", sizeBytes: 400 });
  files.dispatch(second, { type: "size-known", sizeBytes: 300 });
  files.dispatch(third, { type: "queued", usageBefore: { files: 2, bytes: 10_000 } });
  expect(files.preparedUsage(third)).toEqual({ files: 2, bytes: 700 });
  expect(files.preparedUsage(second)).toEqual({ files: 0, bytes: 400 });
});
