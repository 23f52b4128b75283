import { expect, test } from "vitest";
import { aFile, aRuntime } from "../../test/runtime.js";
import { ended, failureOf } from "../../test/store.js";
import { createFakeTransport } from "../testing/index.js";
import { UploadError } from "../upload-error.js";
import { createUploadStore } from "./upload-store.js";

const neverAborted = new AbortController().signal;

/** A quota of 2,000 bytes. An upload of a page that died holds 1,500 of them. */
async function aHeldQuota() {
  const runtime = aRuntime();
  const transport = createFakeTransport({ quota: 2000 });
  await transport.request({ filename: "dead.mov", size: 1500 }, neverAborted);
  const store = createUploadStore({ transport }, runtime);
  const names = () => transport.uploads.map(({ name }) => name);
  return { runtime, transport, store, names };
}

test("says what unfinished uploads hold, discards them on demand, and then uploads the file", async () => {
  const { store, names } = await aHeldQuota();
  store.add([aFile("again.mov", 1500)]);
  await ended(store, "failed");
  expect(failureOf(store)).toMatchObject({
    code: "quota_exceeded",
    message: "Uploads that were not finished hold 1.5 kB of your storage.",
    heldBytes: 1500,
  });
  store.discardUnfinished("1");
  await ended(store, "done");
  expect(names()).toEqual(["again.mov"]);
});

test("keeps uploads of this list and of other pages of this browser", async () => {
  const { runtime, transport, store, names } = await aHeldQuota();
  const other = await transport.request({ filename: "other tab.mov", size: 100 }, neverAborted);
  runtime.markPath(other.file_path);
  const put = transport.holdNext("put");
  store.add([aFile("running.mov", 300)]);
  await put.arrived;
  store.add([aFile("again.mov", 1500)]);
  await expect.poll(() => failureOf(store, 1)?.heldBytes).toBe(1600);
  store.discardUnfinished("2");
  await expect.poll(() => store.getSnapshot().items[1]?.status).toBe("done");
  expect(names()).toEqual(["other tab.mov", "running.mov", "again.mov"]);
  put.release();
  await ended(store, "done", "done");
});

test("offers nothing when only uploads of this list hold the quota, or the file would not fit without them", async () => {
  const transport = createFakeTransport({ quota: 2000 });
  const store = createUploadStore({ transport }, aRuntime());
  const put = transport.holdNext("put");
  store.add([aFile("running.mov", 1500)]);
  await put.arrived;
  store.add([aFile("too.mov", 1500), aFile("huge.mov", 2500)]);
  await expect.poll(() => failureOf(store, 2)).toBeDefined();
  for (const index of [1, 2]) {
    expect(failureOf(store, index)).toMatchObject({
      message: expect.stringContaining("There is not enough storage left"),
    });
    expect(failureOf(store, index)).not.toHaveProperty("heldBytes");
  }
  put.release();
});

test("does not call a file of the same list unfinished whose ticket is under way", async () => {
  const transport = createFakeTransport({ quota: 2000 });
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  // The service reserves the bytes of a file before its answer arrives.
  const slow = {
    ...transport,
    async request(...of: Parameters<typeof transport.request>) {
      const ticket = await transport.request(...of);
      await arrived;
      return ticket;
    },
  };
  const store = createUploadStore({ transport: slow }, aRuntime());
  store.add([aFile("first.mov", 1500), aFile("second.mov", 1500)]);
  await expect.poll(() => failureOf(store, 1)?.message).toMatch(/^There is not enough storage left/);
  arrive();
  await ended(store, "done", "failed");
});

test("does not call a file of the same list unfinished that the service has not confirmed yet", async () => {
  const transport = createFakeTransport({ quota: 2000 });
  const store = createUploadStore({ transport }, aRuntime());
  const complete = transport.holdNext("complete");
  store.add([aFile("first.mov", 1500)]);
  await complete.arrived;
  const request = transport.holdNext("request");
  store.add([aFile("second.mov", 1500)]);
  await request.arrived;
  // The refusal that is under way knows nothing of this.
  request.fail(new UploadError("quota_exceeded", { status: 403, reservedBytes: 1500 }));
  complete.release();
  await ended(store, "done", "failed");
  expect(failureOf(store, 1)?.message).toMatch(/^There is not enough storage left/);
});

test("fails with the reason when the uploads cannot be discarded, and does not discard at the next retry", async () => {
  const { transport, store } = await aHeldQuota();
  store.add([aFile("again.mov", 1500)]);
  await ended(store, "failed");
  transport.failNext("discard", "unauthorized");
  store.discardUnfinished("1");
  await expect.poll(() => failureOf(store)?.code).toBe("unauthorized");
  store.retry("1");
  await expect.poll(() => failureOf(store)?.code).toBe("quota_exceeded");
  expect(transport.calls.filter(({ step }) => step === "discard")).toHaveLength(1);
});
