import { expect, test } from "vitest";
import { aFile, aRuntimeWithoutPauses } from "../../test/runtime.js";
import { aMoment } from "../../test/store.js";
import { createFakeTransport } from "../testing/index.js";
import { createUploadStore } from "./upload-store.js";

/** A list with one file whose first part is on its way. */
async function aRunningList(resumable: boolean | undefined) {
  const runtime = aRuntimeWithoutPauses();
  const transport = createFakeTransport({ multipartFrom: 1, partSize: 500 });
  const store = createUploadStore({ transport, resumable }, runtime);
  const put = transport.holdNext("putPart");
  store.add([aFile()]);
  await put.arrived;
  const steps = () => transport.calls.map(({ step }) => step);
  return { runtime, transport, store, steps };
}

test.each([
  [undefined, []],
  [true, []],
  [false, ["cancel"]],
])(
  "when the page is left, an upload by parts stays open unless resumable is false: %s",
  async (resumable, cancels) => {
    const { runtime, store, steps } = await aRunningList(resumable);
    runtime.hidePage();
    expect(steps().filter((step) => step === "cancel")).toEqual(cancels);
    store.reset();
  },
);

test("Cancel ends an upload by parts on the server", async () => {
  const { transport, store } = await aRunningList(undefined);
  store.cancelAll();
  await expect.poll(() => transport.uploads).toEqual([]);
});

/** A list without a file, on a page where a large file will be added. */
function aListForLargeFiles() {
  const runtime = aRuntimeWithoutPauses();
  const transport = createFakeTransport({ multipartFrom: "5MiB", partSize: "5MiB" });
  const store = createUploadStore({ transport }, runtime);
  const opens = () => transport.calls.filter(({ step }) => step === "open").length;
  return { transport, store, opens };
}

test("a large file asks once for the open uploads", async () => {
  const { transport, store, opens } = aListForLargeFiles();
  const list = transport.holdNext("open");
  store.add([aFile("film.mp4", 6 * 1024 ** 2)]);
  await list.arrived;
  list.release();
  await expect.poll(() => store.getSnapshot().items[0]?.status).toBe("done");
  expect(opens()).toBe(1);
});

test("open uploads are asked for again if the first call fails", async () => {
  const { transport, store, opens } = aListForLargeFiles();
  transport.failNext("open", "unavailable");
  store.add([aFile("film.mp4", 6 * 1024 ** 2)]);
  await expect.poll(() => store.getSnapshot().items[0]?.status).toBe("done");
  expect(opens()).toBe(2);
});

test("a small file asks for no open uploads", async () => {
  const { store, opens } = aListForLargeFiles();
  store.add([aFile("photo.jpg", 1000)]);
  await expect.poll(() => store.getSnapshot().items[0]?.status).toBe("done");
  expect(opens()).toBe(0);
});

/** A user who has left an upload, and a list that shows it. */
async function aListWithAnOldUpload() {
  const transport = createFakeTransport({ multipartFrom: 1, partSize: 500 });
  const file = aFile("secret.pdf", 1000);
  const { name: filename, size } = file;
  await transport.request({ filename, size, accepts_parts: true }, new AbortController().signal);
  const list = transport.holdNext("open");
  const store = createUploadStore({ transport, resumable: true }, aRuntimeWithoutPauses());
  const unsubscribe = store.subscribe(() => {});
  await list.arrived;
  const names = () => store.getSnapshot().resumable.map(({ name }) => name);
  return { transport, file, list, store, names, unsubscribe };
}

test("a list that is emptied, because the user signs out, shows no upload of that user", async () => {
  const { list, store, names, unsubscribe } = await aListWithAnOldUpload();
  list.release();
  await expect.poll(() => names()).toEqual(["secret.pdf"]);
  store.reset();
  expect(names()).toEqual([]);
  unsubscribe();
  // The next user sees the uploads that the backend lists then.
  store.subscribe(() => {})();
  await expect.poll(() => names()).toEqual(["secret.pdf"]);
});

test("an answer that comes after the list was emptied is not shown", async () => {
  const { list, store, names } = await aListWithAnOldUpload();
  store.reset();
  list.release();
  await aMoment();
  expect(names()).toEqual([]);
});

test("a file that is compared while the list is emptied is not uploaded", async () => {
  const { transport, file, list, store, names } = await aListWithAnOldUpload();
  list.release();
  await expect.poll(() => names()).toEqual(["secret.pdf"]);
  store.continueUpload(transport.uploads[0]!.path, file);
  store.reset();
  await aMoment();
  expect(store.getSnapshot().items).toEqual([]);
});

test("without a method of the transport that lists open uploads, none are shown and the page works", async () => {
  const transport = createFakeTransport();
  const { open: _, ...older } = transport;
  const store = createUploadStore({ transport: older, resumable: true }, aRuntimeWithoutPauses());
  const unsubscribe = store.subscribe(() => {});
  store.add([aFile()]);
  await expect.poll(() => store.getSnapshot().totals.done).toBe(1);
  expect(store.getSnapshot().resumable).toEqual([]);
  store.continueUpload("unknown");
  store.discardResumable("unknown");
  expect(store.getSnapshot().items).toHaveLength(1);
  unsubscribe();
});
