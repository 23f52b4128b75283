import { expect, test } from "vitest";
import { aFile, aRuntime } from "../../test/runtime.js";
import { ticketFor } from "../../test/ticket.js";
import { createFakeTransport, type FakeTransport, type FakeTransportOptions } from "../testing/index.js";
import { createFilesStore } from "./files-store.js";
import type { FolderSettings } from "./folder-settings.js";
import { createFolderStore } from "./folder-store.js";

const signal = new AbortController().signal;

/** Stores a file, such as `reports/2026/a.txt`, whose last segment is its name. Returns its path. */
async function store(transport: FakeTransport, address: string): Promise<string> {
  const name = address.slice(address.lastIndexOf("/") + 1);
  const file = aFile(name, 10);
  const { file_path, ...ticket } = await ticketFor(transport, { filename: name, size: file.size });
  await transport.put({ ...ticket, file_path }, file, { signal, onProgress: () => {} });
  await transport.complete({ file_path }, signal);
  const folder = address.slice(0, Math.max(address.lastIndexOf("/"), 0));
  await transport.update({ file_path, folder }, signal);
  return file_path;
}

async function aFolder(
  addresses: string[],
  settings: FolderSettings = {},
  options: FakeTransportOptions = {},
) {
  const transport = createFakeTransport(options);
  for (const address of addresses) await store(transport, address);
  const runtime = aRuntime();
  const folder = createFolderStore({ transport, ...settings }, runtime);
  const stop = folder.start();
  const is = (status: string) => expect.poll(() => folder.getSnapshot().status).toBe(status);
  const names = () => folder.getSnapshot().files.map(({ filename }) => filename);
  const fileOf = (name: string) => folder.getSnapshot().files.find(({ filename }) => filename === name)!;
  return { transport, runtime, folder, stop, is, names, fileOf };
}

const inFolders = ["old.txt", "reports/2025/a.txt", "reports/2026/b.txt", "reports/c.txt", "new.txt"];

test("lists the folders in a folder, and its own files, newest first", async () => {
  const { folder, is, names, transport } = await aFolder(inFolders);
  await is("ready");
  expect(folder.getSnapshot().folders).toEqual([{ folder: "reports", file_count: 3, used_bytes: 30 }]);
  expect(names()).toEqual(["new.txt", "old.txt"]);
  folder.configure({ transport, folder: "reports" });
  expect(folder.getSnapshot()).toMatchObject({ status: "loading", files: [], folders: [] });
  await is("ready");
  expect(folder.getSnapshot().folders.map(({ folder: name }) => name)).toEqual([
    "reports/2025",
    "reports/2026",
  ]);
  expect(names()).toEqual(["c.txt"]);
});

test("loads all pages of folders before it shows the files", async () => {
  const addresses = Array.from({ length: 101 }, (_, index) => `f${String(index).padStart(3, "0")}/a.txt`);
  const { folder, is, names, transport } = await aFolder([...addresses, "root.txt"], { folder: "elsewhere" });
  await is("ready");
  const [first, second] = [transport.holdNext("folders"), transport.holdNext("folders")];
  folder.configure({ transport });
  await first.arrived;
  first.release();
  await second.arrived;
  expect(names()).toEqual([]);
  second.release();
  await is("ready");
  expect(folder.getSnapshot().folders).toHaveLength(101);
  expect(names()).toEqual(["root.txt"]);
});

test("renames a file in its place, also on a later page", async () => {
  const { folder, is, names, fileOf } = await aFolder(["1", "2", "3"], { pageSize: 1 });
  await is("ready");
  await folder.loadMore();
  await folder.loadMore();
  expect(await folder.update(fileOf("1"), { filename: "one" })).toBe(true);
  expect(names()).toEqual(["3", "2", "one"]);
  expect(await folder.update(fileOf("one"), { filename: "uno" })).toBe(true);
  expect(names()).toEqual(["3", "2", "uno"]);
});

test("takes a file out that is moved, and counts it in its folder", async () => {
  const { folder, is, names, fileOf, runtime } = await aFolder(["a", "b", "sub/c"]);
  await is("ready");
  expect(await folder.update(fileOf("a"), { folder: "sub" })).toBe(true);
  expect(names()).toEqual(["b"]);
  runtime.advance(1_000);
  await expect.poll(() => folder.getSnapshot().folders[0]?.file_count).toBe(2);
});

test("deletes a file, and restores it to its place", async () => {
  const { folder, is, names, fileOf } = await aFolder(["1", "2", "3"], { pageSize: 2 });
  await is("ready");
  await folder.loadMore();
  const file = fileOf("2");
  await folder.remove(file);
  expect(names()).toEqual(["3", "1"]);
  expect(folder.getSnapshot().lastDeleted).toEqual({ file, isRestorable: true });
  expect(await folder.restore(file)).toBe(true);
  expect(names()).toContain("2");
  expect(folder.getSnapshot()).toMatchObject({ lastDeleted: null, error: null });
});

test("says that a deletion cannot be undone, and counts a file that is gone as deleted", async () => {
  const { folder, is, names, fileOf, transport } = await aFolder(["1", "2"], {}, { allowRestore: false });
  await is("ready");
  await folder.remove(fileOf("2"));
  expect(folder.getSnapshot().lastDeleted?.isRestorable).toBe(false);
  transport.failNext("delete", "file_not_found");
  await folder.remove(fileOf("1"));
  expect(names()).toEqual([]);
  expect(folder.getSnapshot().error).toBeNull();
});

test("deletes and restores a file once, if it is asked twice", async () => {
  const { folder, is, fileOf, transport } = await aFolder(["1"]);
  await is("ready");
  const file = fileOf("1");
  await Promise.all([folder.remove(file), folder.remove(file)]);
  expect(folder.getSnapshot()).toMatchObject({ lastDeleted: { isRestorable: true }, error: null });
  expect(await Promise.all([folder.restore(file), folder.restore(file)])).toEqual([true, false]);
  expect(folder.getSnapshot()).toMatchObject({ lastDeleted: null, error: null });
  const steps = transport.calls.map(({ step }) => step);
  expect(steps.filter((step) => step === "delete" || step === "restore")).toEqual(["delete", "restore"]);
});

test("takes the message of a failure away before the next command", async () => {
  const { folder, is, fileOf, transport } = await aFolder(["1"]);
  await is("ready");
  const messages: (string | undefined)[] = [];
  folder.subscribe(() => void messages.push(folder.getSnapshot().error?.code));
  for (let attempt = 0; attempt < 2; attempt++) {
    transport.failNext("update", "update_refused");
    await folder.update(fileOf("1"), { filename: "x" });
  }
  expect(messages).toEqual(["update_refused", undefined, "update_refused"]);
});

test("says why a command failed, with a text for people, and keeps the file", async () => {
  const { folder, is, names, fileOf, transport } = await aFolder(["1"]);
  await is("ready");
  for (const [step, code, act] of [
    ["update", "update_refused", () => folder.update(fileOf("1"), { filename: "x" })],
    ["delete", "delete_refused", () => folder.remove(fileOf("1"))],
    ["restore", "restore_refused", () => folder.restore(fileOf("1"))],
  ] as const) {
    transport.failNext(step, code);
    expect(await act()).not.toBe(true);
    expect(folder.getSnapshot().error).toMatchObject({ code, message: expect.stringMatching(/^This file/) });
    expect(names()).toEqual(["1"]);
  }
});

test("shares a file, and ends its link", async () => {
  const { folder, is, fileOf } = await aFolder(["1"]);
  await is("ready");
  const { url, ...link } = await folder.share(fileOf("1"));
  expect(url).toContain("/s/");
  expect(await folder.linksOf(fileOf("1"))).toEqual([link]);
  await folder.revokeLink(link);
  expect(await folder.linksOf(fileOf("1"))).toEqual([]);
});

test("lists the versions of a file, and restores one", async () => {
  let replaces: string | undefined;
  const { folder, is, names, fileOf, transport } = await aFolder(
    ["1"],
    {},
    { routes: { "": { replaces: () => replaces } } },
  );
  replaces = transport.uploads[0]!.path;
  await store(transport, "2");
  await folder.refresh();
  await is("ready");
  expect(names()).toEqual(["2"]);
  const [version] = await folder.versionsOf(fileOf("2"));
  await folder.restoreVersion(fileOf("2"), version!);
  await folder.refresh();
  expect(names()).toEqual(["1"]);
});

test("fails if the folders cannot be read, and tries again", async () => {
  const { folder, is, names, transport } = await aFolder(["1"], { folder: "" }, { allowFolders: true });
  await is("ready");
  transport.failNext("folders", "folder_refused");
  folder.configure({ transport, folder: "other" });
  await is("failed");
  expect(folder.getSnapshot()).toMatchObject({ files: [], error: { code: "folder_refused" } });
  folder.configure({ transport, folder: "" });
  await is("ready");
  expect(names()).toEqual(["1"]);
  transport.failNext("folders", "network_error");
  folder.configure({ transport, folder: "other" });
  await is("failed");
  await folder.loadMore();
  await is("ready");
});

test("keeps what it shows if a later reading of the folders fails", async () => {
  const { folder, is, names, transport, runtime } = await aFolder(["1", "a/2"]);
  await is("ready");
  transport.failNext("folders", "unavailable");
  await folder.update(folder.getSnapshot().files[0]!, { filename: "one" });
  runtime.advance(1_000);
  await expect.poll(() => transport.calls.filter(({ step }) => step === "folders").length).toBeGreaterThan(1);
  expect(folder.getSnapshot()).toMatchObject({ status: "ready", error: null });
  expect(names()).toEqual(["one"]);
});

test("tells other lists of the page, and follows them", async () => {
  const { folder, is, names, fileOf, transport, runtime } = await aFolder(["1", "2"]);
  const other = createFilesStore({ transport }, runtime);
  other.start();
  await is("ready");
  await expect.poll(() => other.getSnapshot().status).toBe("ready");
  await folder.remove(fileOf("1"));
  expect(other.getSnapshot().files.map(({ filename }) => filename)).toEqual(["2"]);
  await other.remove(fileOf("2"));
  expect(names()).toEqual([]);
});

test("drops the answers of a folder that was left, and makes no call after its end", async () => {
  const { folder, is, names, stop, transport, runtime } = await aFolder(["1", "a/2"]);
  await is("ready");
  const held = transport.holdNext("folders");
  folder.configure({ transport, folder: "a" });
  await held.arrived;
  folder.configure({ transport, folder: "" });
  held.release();
  await is("ready");
  expect(names()).toEqual(["1"]);
  stop();
  const before = transport.calls.length;
  await folder.refresh();
  expect(transport.calls).toHaveLength(before);
  expect(runtime.connectionListeners()).toBe(0);
});

const steps = (transport: FakeTransport) => transport.calls.map(({ step }) => step);
const countOf = (transport: FakeTransport, step: string) =>
  steps(transport).filter((each) => each === step).length;

test("renames and deletes a folder with everything below", async () => {
  const { folder, is, transport } = await aFolder(["a.txt", "old/b.txt", "old/deep/c.txt"]);
  await is("ready");
  expect(await folder.moveFolder("old", "new")).toEqual({
    folder: "old",
    to: "new",
    state: "done",
    total: 2,
    done: 2,
    kept: 0,
  });
  expect(folder.getSnapshot().folders).toEqual([{ folder: "new", file_count: 2, used_bytes: 20 }]);
  expect(transport.uploads.map((upload) => upload.folder)).toEqual(["", "new", "new/deep"]);
  expect(await folder.removeFolder("new")).toMatchObject({ folder: "new", to: null, state: "done", done: 2 });
  expect(folder.getSnapshot()).toMatchObject({ folders: [], error: null, job: { state: "done" } });
  expect(transport.uploads).toHaveLength(1);
});

test("leaves a deleted folder out while only files in the trash count, but not one with files that stay", async () => {
  const { folder, is, transport } = await aFolder(["old/b.txt", "new/c.txt"]);
  await is("ready");
  const { folders, job } = transport;
  let count = 1;
  // The service counts files in the trash.
  const countsTrash = async (...args: Parameters<typeof folders>) => {
    const page = await folders(...args);
    return { ...page, folders: [...page.folders, { folder: "old", file_count: count, used_bytes: 10 }] };
  };
  const keeps = async (...args: Parameters<typeof job>) => ({ ...(await job(...args)), kept: 1 });
  Object.assign(transport, { folders: countsTrash });
  const names = () => folder.getSnapshot().folders.map((listed) => listed.folder);
  await folder.removeFolder("old");
  expect(names()).toEqual(["new"]);
  count = 2;
  await folder.refresh();
  expect(names()).toEqual(["new", "old"]);
  Object.assign(transport, { job: keeps });
  await folder.removeFolder("old");
  expect(names()).toEqual(["new", "old"]);
});

test("follows a job that runs, less and less often, also in another folder and without a connection", async () => {
  const { folder, is, transport, runtime } = await aFolder(["old/b.txt"]);
  await is("ready");
  const job = transport.job;
  const counts = [0, 3, 10];
  const slow = async (...args: Parameters<typeof job>) => {
    const answer = await job(...args);
    const done = counts.shift();
    return done === undefined ? answer : { ...answer, state: "running" as const, total: 20, done };
  };
  Object.assign(transport, { job: slow });
  transport.failNext("job", "unavailable");
  const ended = folder.moveFolder("old", "new");
  expect(folder.getSnapshot().job).toMatchObject({ folder: "old", to: "new", state: "running", total: 0 });
  expect(await folder.removeFolder("old")).toBeNull();
  folder.configure({ transport, folder: "elsewhere" });
  for (const [calls, pauseMs] of [
    [1, 250],
    [2, 500],
    [3, 1_000],
    [4, 2_000],
  ] as const) {
    await expect.poll(() => countOf(transport, "job")).toBe(calls);
    await expect.poll(() => runtime.pendingMs()).toContain(pauseMs);
    if (calls === 3) expect(folder.getSnapshot().job).toMatchObject({ total: 20, done: 3 });
    runtime.advance(pauseMs);
  }
  expect(await ended).toMatchObject({ state: "done", total: 1 });
  expect(countOf(transport, "deleteFolder")).toBe(0);
});

test("says why a job was not started, or cannot be followed", async () => {
  const { folder, is, transport } = await aFolder(["old/b.txt"]);
  await is("ready");
  for (const [step, code] of [
    ["moveFolder", "folder_busy"],
    ["moveFolder", "folder_job_refused"],
    ["job", "job_not_found"],
  ] as const) {
    transport.failNext(step, code);
    expect(await folder.moveFolder("old", "new")).toBeNull();
    expect(folder.getSnapshot()).toMatchObject({ job: null, error: { code } });
  }
});

test("stops following a job with the list, and with another backend", async () => {
  const { folder, is, transport, stop } = await aFolder(["old/b.txt"]);
  await is("ready");
  const held = transport.holdNext("job");
  const first = folder.moveFolder("old", "new");
  await held.arrived;
  folder.configure({ transport: createFakeTransport() });
  expect(await first).toBeNull();
  await is("ready");
  expect(folder.getSnapshot()).toMatchObject({ job: null, error: null });
  folder.configure({ transport });
  await is("ready");
  const heldAgain = transport.holdNext("deleteFolder");
  const second = folder.removeFolder("new");
  await heldAgain.arrived;
  stop();
  expect(await second).toBeNull();
  expect(await folder.removeFolder("new")).toBeNull();
});
