import * as fakeIndexedDb from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { toFailure } from "../messages.js";
import { createNetwork } from "../network/network.js";
import { createFakeTransport, UploadError } from "../testing/index.js";
import type { UploadSettings } from "../upload-settings.js";
import { fingerprintOf } from "./fingerprint.js";
import { createResumeSession } from "./resume-session.js";
import { createResumeStore } from "./resume-store.js";

const neverAborted = new AbortController().signal;
const aVideo = (fill = 1, name = "video.mp4") => new File([new Uint8Array(1000).fill(fill)], name);

beforeEach(() => {
  for (const [name, value] of Object.entries(fakeIndexedDb)) {
    if (name.startsWith("IDB")) vi.stubGlobal(name, value);
  }
  vi.stubGlobal("indexedDB", new fakeIndexedDb.IDBFactory());
});

/** A list of a user with one backend. `aList` makes another page of the same user in the same browser. */
function aUser(settings: Partial<UploadSettings> = {}) {
  const runtime = aRuntime();
  const transport = createFakeTransport({
    multipartFrom: 1,
    partSize: 100,
    ...(settings.route !== undefined && { routes: { films: {}, albums: {} } }),
    now: () => new Date(runtime.now()),
  });
  function aList(own: Partial<UploadSettings> = settings) {
    const listed = new Set<File>();
    const onChange = vi.fn<() => void>();
    const session = createResumeSession({
      runtime,
      network: createNetwork(
        runtime,
        () => transport,
        () => {},
      ),
      transport: () => transport,
      settings: () => ({ transport, ...own }),
      listedFiles: () => listed,
      failureOf: (cause, item, errors) => toFailure(cause, item, {}, {}, errors),
      onStored: () => {},
      onChange,
    });
    return { ...session, listed, onChange, names: () => session.current().map(({ name }) => name) };
  }
  /** Opens an upload, as a page that is closed afterwards. @returns its path */
  async function open(file: File, { route, input }: Partial<UploadSettings> = settings): Promise<string> {
    const ticket = await transport.request(
      {
        filename: file.name,
        size: file.size,
        accepts_parts: true,
        fingerprint: await fingerprintOf(file, input),
        route,
      },
      neverAborted,
    );
    return ticket.file_path;
  }
  return { runtime, transport, aList, open };
}

test("shows the open uploads that the backend lists, with what is stored of them", async () => {
  const { transport, aList, open } = aUser();
  const file_path = await open(aVideo());
  const bytes = {
    file_path,
    number: 1,
    size: 100,
    presigned_url: "",
    headers: {},
    expires_at: "",
    expires_in: 9,
  };
  await transport.putPart(bytes, new Blob([new Uint8Array(100)]), {
    signal: neverAborted,
    onProgress: () => {},
  });
  const list = aList();
  await list.refresh();
  expect(list.current()).toEqual([
    {
      path: file_path,
      name: "video.mp4",
      size: 1000,
      storedBytes: 100,
      progress: 0.1,
      expiresAt: "2026-01-08T00:00:00.000Z",
      canContinueWithoutChoosing: false,
      status: "waiting",
      error: null,
    },
  ]);
  expect(list.current()).toBe(list.current());
});

test("shows only uploads of its route, with its input, that run on no other page and have not expired", async () => {
  const { runtime, aList, open } = aUser({ route: "films", input: { album: 7 } });
  await open(aVideo(1, "expired.mp4"));
  runtime.advance(7 * 86_400_000);
  await open(aVideo(1, "other route.mp4"), { route: "albums", input: { album: 7 } });
  await open(aVideo(1, "other input.mp4"), { route: "films", input: { album: 8 } });
  runtime.markPath(await open(aVideo(1, "running.mp4")));
  await open(aVideo(1, "mine.mp4"));
  const list = aList();
  await list.refresh();
  expect(list.names()).toEqual(["mine.mp4"]);
});

test("shows uploads of each input if the input depends on the file", async () => {
  const { aList, open } = aUser();
  await open(aVideo(), { input: { album: 8 } });
  const list = aList({ input: () => ({ album: 7 }) });
  await list.refresh();
  expect(list.names()).toEqual(["video.mp4"]);
});

test("shows nothing that the backend does not list, even if this browser remembers it", async () => {
  const { runtime, aList } = aUser();
  const store = createResumeStore(runtime);
  const expiresAtMs = runtime.now() + 1000;
  await store.save({ path: "projects/p/tenants/someone else/1_a", scope: '["",""]', expiresAtMs });
  const list = aList();
  expect(await list.isRemembered()).toBe(true);
  await list.refresh();
  expect(list.current()).toEqual([]);
});

/** A list whose backend does not answer this many times. */
async function aListWithoutBackend(failures: number) {
  const { runtime, transport, aList, open } = aUser();
  await open(aVideo());
  transport.failNext("open", "server_unreachable", failures);
  const list = aList();
  void list.refresh();
  const calls = () => transport.calls.filter(({ step }) => step === "open").length;
  /** Moves the clock second by second, so that what waits for a timer can plan the next one. */
  async function pass(seconds: number) {
    for (let second = 0; second < seconds; second++) {
      await new Promise((resolve) => setImmediate(resolve));
      runtime.advance(1000);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ...list, runtime, calls, pass };
}

test("shows what the backend lists when it answers again, and asks no more then", async () => {
  const { names, runtime, calls, pass } = await aListWithoutBackend(12);
  await pass(10);
  expect([names(), calls()]).toEqual([[], 5]);
  await pass(90);
  await expect.poll(() => names()).toEqual(["video.mp4"]);
  expect(calls()).toBe(13);
  expect(runtime.pendingMs()).toEqual([]);
  expect(runtime.connectionListeners()).toBe(0);
});

test("asks for five minutes, and again as soon as the browser is online", async () => {
  const { names, runtime, calls, pass } = await aListWithoutBackend(55);
  await pass(400);
  expect([names(), calls()]).toEqual([[], 55]);
  expect(runtime.pendingMs()).toEqual([]);
  runtime.setOnline(false);
  await pass(1);
  expect(calls()).toBe(55);
  runtime.setOnline(true);
  await expect.poll(() => names()).toEqual(["video.mp4"]);
  expect(runtime.connectionListeners()).toBe(0);
});

test("asks no more for a list that was emptied", async () => {
  const { close, runtime, calls, pass } = await aListWithoutBackend(100);
  await pass(10);
  close();
  await pass(100);
  runtime.setOnline(true);
  await pass(1);
  expect(calls()).toBe(5);
  expect(runtime.connectionListeners()).toBe(0);
});

test("does not ask again if the backend refuses to list", async () => {
  const { runtime, transport, aList } = aUser();
  transport.failNext("open", new UploadError("unauthorized", { status: 401 }));
  await aList().refresh();
  expect(runtime.connectionListeners()).toBe(0);
  expect(runtime.pendingMs().filter((delayMs) => delayMs > 2000)).toEqual([]);
});

test("a file with the name, content and input of an open upload continues it", async () => {
  const { aList, open } = aUser({ input: { album: 7 } });
  const path = await open(aVideo());
  const list = aList();
  const file = aVideo();
  const found = await list.find({ original: file, prepared: file }, { album: 7 });
  expect(found).toMatchObject({ size: 1000, sent: null, ticket: { file_path: path, part_count: 10 } });
});

test("reads a file while the backend answers which uploads are open", async () => {
  const file = aVideo();
  const slice = vi.spyOn(file, "slice");
  const finding = aUser().aList().find({ original: file, prepared: file }, undefined);
  expect(slice).toHaveBeenCalledTimes(3);
  expect(await finding).toBeNull();
});

test.each([
  ["another content", aVideo(2), undefined],
  ["another name", aVideo(1, "film.mp4"), undefined],
  ["another size", new File(["x"], "video.mp4"), undefined],
  ["another input", aVideo(), { album: 8 }],
])("a file with %s starts an upload of its own", async (_, file, input) => {
  const { aList, open } = aUser();
  await open(aVideo());
  expect(await aList().find({ original: file, prepared: file }, input)).toBeNull();
});

test("of two equal files, only the first one continues the upload", async () => {
  const { aList, open } = aUser();
  await open(aVideo());
  const list = aList();
  const [first, second] = [aVideo(), aVideo()];
  for (const file of [first, second]) list.listed.add(file);
  const found = await Promise.all(
    [first, second].map((file) => list.find({ original: file, prepared: file }, undefined)),
  );
  expect(found.filter(Boolean)).toHaveLength(1);
});

test("an upload that a file of the list continues is not shown, until the file is removed", async () => {
  const { aList, open } = aUser();
  await open(aVideo());
  const list = aList();
  const file = aVideo();
  list.listed.add(file);
  await list.find({ original: file, prepared: file }, undefined);
  expect(list.current()).toEqual([]);
  list.listed.clear();
  expect(list.names()).toEqual(["video.mp4"]);
});

test("continues an upload with the file that the person chose for it, also after it was renamed", async () => {
  const { aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList();
  await list.refresh();
  const file = aVideo(1, "renamed.mp4");
  expect(await list.fileFor(path, file)).toBe(file);
  const found = await list.find({ original: file, prepared: file }, { album: 9 });
  expect(found?.ticket.file_path).toBe(path);
});

test("refuses another file of the same name and size, and says which one to choose", async () => {
  const { aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList();
  await list.refresh();
  expect(await list.fileFor(path, aVideo(2))).toBeNull();
  const [upload] = list.current();
  expect(upload).toMatchObject({
    status: "waiting",
    error: { code: "different_file", message: "This is another file. Choose video.mp4 (1 kB)." },
  });
});

test("with transform, what is sent must have the size of the upload", async () => {
  const { aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList({ transform: (file) => file });
  await list.refresh();
  const original = new File(["original"], "video.mp4");
  expect(await list.fileFor(path, original)).toBe(original);
  expect(await list.find({ original, prepared: aVideo() }, undefined)).not.toBeNull();
  const other = list.find({ original, prepared: new File(["x"], "video.mp4") }, undefined);
  await expect(other).rejects.toMatchObject({ code: "different_file" });
});

/** A handle as a browser gives one for a dropped file. The fake IndexedDB cannot store functions, so the store is in memory. */
function aHandle(file: File | null, permission: PermissionState) {
  return {
    requestPermission: async () => permission,
    async getFile() {
      if (!file) throw new DOMException("gone", "NotFoundError");
      return file;
    },
  } as unknown as FileSystemFileHandle;
}

async function aListWithHandle(file: File | null, permission: PermissionState) {
  const { runtime, transport, open } = aUser();
  const path = await open(aVideo());
  const session = createResumeSession(
    {
      runtime,
      network: createNetwork(
        runtime,
        () => transport,
        () => {},
      ),
      transport: () => transport,
      settings: () => ({ transport }),
      listedFiles: () => [],
      failureOf: (cause, item, errors) => toFailure(cause, item, {}, {}, errors),
      onStored: () => {},
      onChange: () => {},
    },
    {
      save: async () => {},
      remove: async () => {},
      list: async () => [
        { path, scope: "", handle: aHandle(file, permission), expiresAtMs: Infinity, savedAtMs: 0 },
      ],
    },
  );
  await session.refresh();
  return { ...session, path };
}

test("with a handle, an upload continues without choosing the file", async () => {
  const file = aVideo();
  const { current, fileFor, path } = await aListWithHandle(file, "granted");
  expect(current()).toMatchObject([{ canContinueWithoutChoosing: true }]);
  expect(await fileFor(path, undefined)).toBe(file);
});

test("if the person does not allow to read the file, it has to be chosen", async () => {
  const { current, fileFor, path } = await aListWithHandle(aVideo(), "denied");
  expect(await fileFor(path, undefined)).toBeNull();
  expect(current()).toMatchObject([{ canContinueWithoutChoosing: false, error: null, status: "waiting" }]);
});

test("if the file of the handle is gone or is another one, it has to be chosen", async () => {
  const gone = await aListWithHandle(null, "granted");
  expect(await gone.fileFor(gone.path, undefined)).toBeNull();
  expect(gone.current()).toMatchObject([
    { canContinueWithoutChoosing: false, error: { code: "file_unreadable" } },
  ]);
  const changed = await aListWithHandle(aVideo(2), "granted");
  expect(await changed.fileFor(changed.path, undefined)).toBeNull();
  expect(changed.current()).toMatchObject([{ error: { code: "different_file" } }]);
});

test("a discarded upload is gone at the backend, in the list, and from the memory of the browser", async () => {
  const { runtime, transport, aList, open } = aUser();
  const path = await open(aVideo());
  const store = createResumeStore(runtime);
  await store.save({ path, scope: '["",""]', expiresAtMs: runtime.now() + 1000 });
  const list = aList();
  await list.refresh();
  await list.discard(path);
  expect(list.current()).toEqual([]);
  expect(transport.uploads).toEqual([]);
  await expect.poll(() => list.isRemembered()).toBe(false);
});

test("discards an upload also if the list is emptied meanwhile", async () => {
  const { runtime, transport, aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList();
  await list.refresh();
  transport.failNext("cancel", "server_unreachable");
  const discarded = list.discard(path);
  list.close();
  await expect.poll(() => runtime.pendingMs()).toContain(250);
  runtime.advance(250);
  await discarded;
  expect(transport.uploads).toEqual([]);
});

test("says why an upload could not be discarded", async () => {
  const { transport, aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList();
  await list.refresh();
  transport.failNext("cancel", new UploadError("unauthorized", { status: 401 }));
  await list.discard(path);
  expect(list.current()).toMatchObject([{ status: "waiting", error: { code: "unauthorized" } }]);
});

test("an upload that has ended is not shown again by an answer that was on its way", async () => {
  const { transport, aList, open } = aUser();
  const path = await open(aVideo());
  const list = aList();
  await list.refresh();
  const held = transport.holdNext("open");
  const refreshed = list.refresh();
  await held.arrived;
  list.forget(path);
  held.release();
  await refreshed;
  expect(list.current()).toEqual([]);
});
