// @vitest-environment happy-dom
import { createFakeTransport, type FakeTransport, type FakeTransportOptions } from "@stowage/client/testing";
import { act, cleanup, render, renderHook, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { ticketFor } from "@stowage/client-fixtures/ticket";
import { createUploader } from "./create-uploader.js";
import { useFiles, type UseFilesOptions } from "./use-files.js";
import { useUpload } from "./use-upload.js";

afterEach(cleanup);

const signal = new AbortController().signal;

/** A backend in which the user has stored these files, the last one last. */
async function aBackend(names: string[], options: FakeTransportOptions = {}): Promise<FakeTransport> {
  const transport = createFakeTransport(options);
  for (const name of names) await store(transport, name);
  return transport;
}

async function store(transport: FakeTransport, name: string, route?: string) {
  const file = aFile(name, 10);
  const ticket = await ticketFor(transport, { filename: name, size: file.size, route });
  await transport.put(ticket, file, { signal, onProgress: () => {} });
  await transport.complete({ file_path: ticket.file_path }, signal);
}

const hook = (transport: FakeTransport, options: UseFilesOptions = {}) =>
  renderHook((more: UseFilesOptions) => useFiles({ transport, ...options, ...more }), {
    initialProps: {},
    wrapper: StrictMode,
  });
type Hook = ReturnType<typeof hook>;

const names = ({ result }: Hook) => result.current.files.map(({ filename }) => filename);
const isReady = ({ result }: Hook) => waitFor(() => expect(result.current.status).toBe("ready"));
/** @param after the number of calls to leave out */
const steps = (transport: FakeTransport, after = 0) => transport.calls.slice(after).map(({ step }) => step);

test("lists the newest files first, and the next page on demand", async () => {
  const list = hook(await aBackend(["1", "2", "3", "4", "5"]), { pageSize: 2 });
  expect(list.result.current).toMatchObject({ status: "loading", files: [], hasMore: false });
  await isReady(list);
  expect(names(list)).toEqual(["5", "4"]);
  await act(() => list.result.current.loadMore());
  expect(names(list)).toEqual(["5", "4", "3", "2"]);
  expect(list.result.current.hasMore).toBe(true);
  await act(() => list.result.current.loadMore());
  expect(names(list)).toEqual(["5", "4", "3", "2", "1"]);
  expect(list.result.current.hasMore).toBe(false);
});

test("loads one page at a time, however often loadMore is called, and says so", async () => {
  const transport = await aBackend(["1", "2", "3"]);
  const list = hook(transport, { pageSize: 1 });
  await isReady(list);
  const before = transport.calls.length;
  const held = transport.holdNext("list");
  act(() => {
    void list.result.current.loadMore();
    void list.result.current.loadMore();
  });
  await held.arrived;
  expect(list.result.current.status).toBe("loading-more");
  await act(async () => held.release());
  await isReady(list);
  expect(steps(transport, before)).toEqual(["list"]);
  expect(names(list)).toEqual(["3", "2"]);
});

test("shows uploads and deletions of the same backend without a refresh, and keeps the loaded pages", async () => {
  const transport = await aBackend(["1", "2", "3"]);
  const list = hook(transport, { pageSize: 2, usage: true });
  await isReady(list);
  await act(() => list.result.current.loadMore());
  const upload = renderHook(() => useUpload({ transport, deleteOnRemove: true }));
  act(() => upload.result.current.add([aFile("4", 5)]));
  await waitFor(() => expect(names(list)).toEqual(["4", "3", "2", "1"]));
  await waitFor(() => expect(list.result.current.usage).toMatchObject({ used_bytes: 35, file_count: 4 }));
  act(() => upload.result.current.remove("1"));
  await waitFor(() => expect(names(list)).toEqual(["3", "2", "1"]));
});

test("a batch of uploads does not load the list once for each file", async () => {
  const transport = await aBackend([]);
  const list = hook(transport);
  await isReady(list);
  const before = transport.calls.length;
  const startedMs = performance.now();
  const upload = renderHook(() => useUpload({ transport }));
  act(() => upload.result.current.add(Array.from({ length: 30 }, (_, index) => aFile(`${index}`, 1))));
  await waitFor(() => expect(names(list)).toHaveLength(30));
  const seconds = (performance.now() - startedMs) / 1000;
  // One at once, one when the files have arrived, and one for each second that a busy machine needs.
  expect(steps(transport, before).filter((step) => step === "list").length).toBeLessThanOrEqual(2 + seconds);
});

test("lists the files of one route, and loads again when the route changes", async () => {
  const transport = createFakeTransport({ routes: { avatar: {}, documents: {} } });
  await store(transport, "face.png", "avatar");
  await store(transport, "letter.pdf", "documents");
  const list = hook(transport, { route: "avatar" });
  await isReady(list);
  expect(names(list)).toEqual(["face.png"]);
  list.rerender({ route: "documents" });
  expect(list.result.current).toMatchObject({ status: "loading", files: [] });
  await isReady(list);
  expect(names(list)).toEqual(["letter.pdf"]);
  expect(list.result.current.files[0]).toMatchObject({ route: "documents", size: 10 });
});

test("continues by itself over pages in which the helper found no file", async () => {
  const transport = await aBackend(["old"]);
  const { list } = transport;
  transport.list = async (query, callSignal) =>
    query.cursor === "2" ? list({}, callSignal) : { files: [], next_cursor: query.cursor ? "2" : "1" };
  const files = hook(transport);
  await isReady(files);
  expect(names(files)).toEqual(["old"]);
});

test("removes a file, also one that is already gone, and says why one cannot be removed", async () => {
  const transport = await aBackend(["1", "2", "3"]);
  const list = hook(transport);
  await isReady(list);
  const [three, two, one] = list.result.current.files;
  await act(() => list.result.current.remove(two!));
  expect(names(list)).toEqual(["3", "1"]);
  await transport.delete({ file_path: one!.file_path }, signal);
  await act(() => list.result.current.remove(one!));
  expect(names(list)).toEqual(["3"]);
  transport.failNext("delete", "delete_refused");
  await act(() => list.result.current.remove(three!));
  expect(names(list)).toEqual(["3"]);
  expect(list.result.current.error).toMatchObject({
    code: "delete_refused",
    message: "This file cannot be deleted.",
    status: 403,
  });
  await act(() => list.result.current.refresh());
  expect(list.result.current).toMatchObject({ status: "ready", error: null });
});

test("an error has a code and a sentence that the page can replace, and refresh tries again", async () => {
  const transport = await aBackend(["1"], {});
  transport.failNext("list", "list_refused", 2);
  const list = hook(transport, { errorMessages: { list_refused: "Gesperrt." } });
  await waitFor(() => expect(list.result.current.status).toBe("failed"));
  expect(list.result.current.error).toMatchObject({
    code: "list_refused",
    status: 403,
    message: "Gesperrt.",
  });
  await act(() => list.result.current.refresh());
  expect(names(list)).toEqual(["1"]);
});

test("keeps the files when the next page fails, and loads it when asked again", async () => {
  const transport = await aBackend(["1", "2"]);
  const list = hook(transport, { pageSize: 1 });
  await isReady(list);
  transport.failNext("list", "network_error");
  await act(() => list.result.current.loadMore());
  expect(list.result.current).toMatchObject({ status: "failed", hasMore: true, error: { status: 0 } });
  expect(names(list)).toEqual(["2"]);
  await act(() => list.result.current.loadMore());
  expect(names(list)).toEqual(["2", "1"]);
});

test("a list or a page that the network has kept from the person is loaded when the network is back", async () => {
  const transport = await aBackend(["1", "2"]);
  transport.failNext("list", "network_error", 2);
  const list = hook(transport, { pageSize: 1 });
  await waitFor(() => expect(list.result.current.status).toBe("failed"));
  act(() => void dispatchEvent(new Event("online")));
  await isReady(list);
  expect(names(list)).toEqual(["2"]);
  transport.failNext("list", "network_error");
  await act(() => list.result.current.loadMore());
  expect(list.result.current.status).toBe("failed");
  act(() => void dispatchEvent(new Event("online")));
  await isReady(list);
  expect(names(list)).toEqual(["2", "1"]);

  // A refusal is no matter of the network, and neither is a list without a failure.
  transport.failNext("list", "list_refused");
  await act(() => list.result.current.refresh());
  const before = transport.calls.length;
  act(() => void dispatchEvent(new Event("online")));
  await act(() => list.result.current.refresh());
  act(() => void dispatchEvent(new Event("online")));
  expect(steps(transport, before)).toEqual(["list"]);
});

test("a usage that is refused does not hide the files, and is not asked for by default", async () => {
  const transport = await aBackend(["1"], { allowUsage: false });
  const list = hook(transport);
  await isReady(list);
  expect(steps(transport)).not.toContain("usage");
  const withUsage = hook(transport, { usage: true });
  await waitFor(() => expect(withUsage.result.current.error?.code).toBe("usage_refused"));
  await isReady(withUsage);
  expect(names(withUsage)).toEqual(["1"]);
});

test("addresses a file, and creates a URL of it or says why not", async () => {
  const transport = await aBackend(["1"]);
  const list = hook(transport);
  await isReady(list);
  const [file] = list.result.current.files;
  expect(list.result.current.hrefOf(file!)).toContain("/download?file_path=projects%2Ffake");
  expect(await list.result.current.urlOf(file!, { disposition: "inline" })).toContain("disposition=inline");
  await expect(list.result.current.urlOf({ file_path: "gone" })).rejects.toMatchObject({
    name: "UploadError",
    code: "file_not_found",
    message: "This file was not found. It may have been deleted.",
  });
});

test("creates the URLs of many files, a hundred with each call, without those that are gone", async () => {
  const transport = await aBackend(Array.from({ length: 150 }, (_, index) => `${index}`));
  const list = hook(transport, { pageSize: 100 });
  await isReady(list);
  await act(() => list.result.current.loadMore());
  const { files, urlsOf } = list.result.current;
  const [first] = files;
  await transport.delete({ file_path: first!.file_path }, signal);
  const before = transport.calls.length;
  const urls = await urlsOf([...files, ...files], { disposition: "inline", reuse: true });
  expect([...urls.keys()]).toEqual(files.slice(1).map(({ file_path }) => file_path));
  expect(urls.get(files[1]!.file_path)).toContain("disposition=inline");
  const bodies = transport.calls.slice(before).map(({ body }) => body);
  expect(bodies.map(({ file_paths, reuse }) => [(file_paths as string[]).length, reuse])).toEqual([
    [100, true],
    [50, true],
  ]);
  transport.failNext("downloads", "download_refused");
  await expect(urlsOf(files)).rejects.toMatchObject({
    name: "UploadError",
    message: "This file cannot be downloaded here.",
  });
});

test("thumbnails that are not made yet are left out, and one alone says whether to try again", async () => {
  const transport = await aBackend(["new", "text", "ready"]);
  const list = hook(transport);
  await isReady(list);
  const [ready, text, fresh] = list.result.current.files;
  const { downloads } = transport;
  transport.downloads = async (body, callSignal) => {
    const refused = [
      { file_path: fresh!.file_path, code: "variant_pending", detail: "" },
      { file_path: text!.file_path, code: "variant_impossible", detail: "" },
    ];
    const answer = await downloads(body, callSignal);
    return { ...answer, downloads: answer.downloads.slice(0, 1), refused } as typeof answer;
  };
  const { urlOf, urlsOf, files } = list.result.current;
  expect([...(await urlsOf(files, { variant: "thumb" })).keys()]).toEqual([ready!.file_path]);
  for (const [code, status, message] of [
    ["variant_pending", 409, "This picture is still being prepared. Try again in a moment."],
    ["variant_impossible", 415, "This file cannot be downloaded here."],
    ["preset_not_found", 404, "This file cannot be downloaded here."],
  ] as const) {
    transport.failNext("download", code);
    await expect(urlOf(fresh!, { variant: "thumb" })).rejects.toMatchObject({ code, status, message });
  }
});

test("aborts its calls when the component unmounts, and ignores later uploads", async () => {
  const transport = await aBackend(["1"]);
  const held = transport.holdNext("list");
  const aborted = new Promise<void>((resolve) => {
    const { list } = transport;
    transport.list = (query, callSignal) => {
      callSignal.addEventListener("abort", () => resolve());
      return list(query, callSignal);
    };
  });
  const { unmount } = renderHook(() => useFiles({ transport }));
  await held.arrived;
  unmount();
  await aborted;
  const before = transport.calls.length;
  await store(transport, "2");
  expect(steps(transport, before)).toEqual(["request", "put", "complete"]);
});

test("returns the same object while nothing changes, and renders on a server", async () => {
  const transport = await aBackend(["1"]);
  const list = hook(transport);
  await isReady(list);
  const first = list.result.current;
  list.rerender({});
  expect(list.result.current).toBe(first);
  const Page = () => <p>{useFiles({ transport }).status}</p>;
  expect(renderToString(<Page />)).toBe("<p>loading</p>");
});

test("the hook of an uploader has the uploader's backend and messages", async () => {
  const transport = await aBackend(["mine.txt"]);
  const uploader = createUploader({ transport, messages: { errors: { list_refused: "Gesperrt." } } });
  function Page() {
    const { files, error } = uploader.useFiles();
    return <p>{error?.message ?? files.map(({ filename }) => filename).join()}</p>;
  }
  const page = render(<Page />);
  expect(await screen.findByText("mine.txt")).toBeTruthy();
  page.unmount();
  transport.failNext("list", "list_refused");
  render(<Page />);
  expect(await screen.findByText("Gesperrt.")).toBeTruthy();
});

test("creates share links, lists all of them and ends one, or says why not", async () => {
  const transport = await aBackend(["1", "2"]);
  const list = hook(transport);
  await isReady(list);
  const { files, share, linksOf, revokeLink } = list.result.current;
  const [file, other] = files;
  const made = await share(file!, { expiresAfter: 3600, maxDownloads: 5, password: "correct horse" });
  expect(made).toMatchObject({ max_downloads: 5, has_password: true, url: expect.stringContaining("/s/") });
  await share(other!);
  for (let count = 0; count < 100; count++) await share(file!);
  const links = await linksOf(file!);
  expect(links).toHaveLength(101);
  const { url: _url, ...oldest } = made;
  expect(links.at(-1)).toEqual(oldest);
  // A link that is gone counts as revoked.
  for (const _time of [1, 2]) await revokeLink(oldest);
  expect(await linksOf(file!)).toHaveLength(100);
  expect(await linksOf(other!)).toHaveLength(1);
  transport.failNext("share", "share_refused");
  await expect(share(file!)).rejects.toMatchObject({
    name: "UploadError",
    code: "share_refused",
    message: "This file cannot be shared here.",
  });
});

test("lists the versions of a file, restores one, and lists it in place of the file", async () => {
  let replaces: string | undefined;
  const transport = createFakeTransport({ routes: { draft: { replaces: () => replaces } } });
  await store(transport, "1", "draft");
  const [first] = transport.uploads;
  replaces = first!.path;
  await store(transport, "2", "draft");
  const list = hook(transport);
  await isReady(list);
  expect(names(list)).toEqual(["2"]);
  const { files, versionsOf, restoreVersion, urlOf } = list.result.current;
  const [file] = files;
  const [version] = await versionsOf(file!);
  expect(version).toMatchObject({ file_path: first!.path, filename: "1", replaced_by: file!.file_path });
  expect(await urlOf(file!, { version: version!.file_path })).toContain(version!.file_path);
  await act(async () => {
    expect(await restoreVersion(file!, version!)).toMatchObject({ filename: "1", status: "stored" });
  });
  await waitFor(() => expect(names(list)).toEqual(["1"]));
  expect((await versionsOf(version!)).map(({ filename }) => filename)).toEqual(["2"]);
  transport.failNext("versions", "versions_refused");
  await expect(versionsOf(version!)).rejects.toMatchObject({
    code: "versions_refused",
    message: "The versions of this file cannot be shown or restored here.",
  });
});
