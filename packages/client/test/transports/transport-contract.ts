import { afterEach, describe, expect, test } from "vitest";
import { canSendParts, isMultipart } from "../../src/transport.js";
import { UploadError } from "../../src/upload-error.js";
import { ticketFor } from "../ticket.js";
import type { StartFixture, TransportFixture } from "./transport-fixtures.js";

const neverAborted = new AbortController().signal;
const note = { route: "note", filename: "a b/ü.txt", content_type: "text/plain", size: 5 };

/** Declares the tests that every transport passes. `@stowage/react` declares them for the hooks of tRPC. */
export function testTransport(name: string, start: StartFixture): void {
  describe(`a transport over ${name}`, () => {
    let fixture: TransportFixture;
    const open = async (options: Parameters<StartFixture>[0] = {}) => (fixture = await start(options));
    afterEach(() => fixture.close());

    /** The error of a call that must fail. */
    async function refusal(call: Promise<unknown>) {
      const error = await call.then(
        () => expect.fail("the call did not fail"),
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof UploadError)) throw error;
      return error;
    }

    test("uploads a file, and completes it twice with the same result of onComplete", async () => {
      const { transport, put } = await open();
      const ticket = await ticketFor(transport, note);
      expect(ticket).toMatchObject({
        presigned_url: expect.stringMatching(/^https?:/),
        file_path: expect.stringContaining("/"),
        content_type: "text/plain",
        headers: { "Content-Type": "text/plain" },
        max_bytes: 5,
      });
      expect(ticket.expires_in).toBeGreaterThan(3500);
      expect(ticket.expires_in).toBeLessThanOrEqual(3600);
      await put(ticket, "hello");
      for (let time = 0; time < 2; time++) {
        const file = await transport.complete({ file_path: ticket.file_path }, neverAborted);
        expect(file).toMatchObject({
          file_path: ticket.file_path,
          filename: "a b/ü.txt",
          content_type: "text/plain",
          size: 5,
          status: "stored",
          result: { path: ticket.file_path, at: "1970-01-01T00:00:00.000Z" },
        });
        expect(file).not.toHaveProperty("tenant_id");
      }
    });

    test("refuses to complete a file that has not arrived or is unknown", async () => {
      const { transport } = await open();
      const { file_path } = await ticketFor(transport, note);
      expect(await refusal(transport.complete({ file_path }, neverAborted))).toMatchObject({
        code: "upload_not_found",
        status: 409,
      });
      expect(await refusal(transport.complete({ file_path: "projects/x" }, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
    });

    test.each([
      [{ filename: " " }, "filename_required", 400, "filename is required"],
      [
        { route: "nowhere" },
        "route_not_found",
        404,
        '"nowhere" is not an upload route. There are: film, note',
      ],
      [{ size: undefined }, "size_required", 400, "size is required"],
      [{ content_type: "image/png" }, "file_type_not_accepted", 400, "File type is not accepted"],
      [{ size: 1001 }, "file_too_large", 400, "size must be at most 1000 bytes"],
      [{ size: 0 }, "file_too_small", 400, "size must be at least 1 bytes"],
      [{ files_before: 2 }, "too_many_files", 400, "Too many files"],
    ])("refuses %j as %s", async (changes, code, status, detail) => {
      const { transport } = await open();
      expect(await refusal(transport.request({ ...note, ...changes }, neverAborted))).toMatchObject({
        code,
        status,
        detail,
      });
    });

    test("throws the refusals of the service", async () => {
      const { transport, refuseNext } = await open();
      const quota = {
        code: "quota_exceeded",
        status: 403,
        detail: "Storage quota exceeded for this tenant",
      } as const;
      refuseNext(quota);
      expect(await refusal(transport.request(note, neverAborted))).toMatchObject(quota);
    });

    test("throws how long to wait, if the protocol carries it", async () => {
      const { transport, refuseNext } = await open();
      const busy = { code: "too_many_requests", status: 429, detail: "Too many requests" } as const;
      refuseNext({ ...busy, retryAfterSeconds: 7 });
      const retryAfterMs = name.includes("without the formatter") ? undefined : 7000;
      expect(await refusal(transport.request(note, neverAborted))).toMatchObject({ ...busy, retryAfterMs });
    });

    test("refuses a user who is signed out", async () => {
      const { transport, signOut } = await open();
      signOut();
      expect(await refusal(transport.request(note, neverAborted))).toMatchObject({
        code: "unauthorized",
        status: 401,
      });
    });

    test("cancels an upload twice, and refuses to cancel one whose bytes have arrived", async () => {
      const { transport, put } = await open({ allowDelete: false });
      const path = { file_path: (await transport.request(note, neverAborted)).file_path };
      for (let time = 0; time < 2; time++) await transport.cancel(path, neverAborted);
      expect(await refusal(transport.complete(path, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
      const arrived = await ticketFor(transport, note);
      await put(arrived, "hello");
      expect(await refusal(transport.cancel({ file_path: arrived.file_path }, neverAborted))).toMatchObject({
        code: "upload_already_stored",
        status: 409,
      });
      expect(await refusal(transport.cancel({ file_path: "projects/x" }, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
    });

    test("deletes a file, and refuses to delete it again", async () => {
      const { transport, put } = await open();
      const ticket = await ticketFor(transport, note);
      const path = { file_path: ticket.file_path };
      await put(ticket, "hello");
      await transport.complete(path, neverAborted);
      expect(await transport.delete(path, neverAborted)).toEqual({ restorable: true });
      expect(await refusal(transport.delete(path, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
      expect(await refusal(transport.complete(path, neverAborted))).toMatchObject({ code: "file_not_found" });
    });

    test("refuses to delete where the helper does not allow it", async () => {
      const { transport } = await open({ allowDelete: false });
      const { file_path } = await ticketFor(transport, note);
      expect(await refusal(transport.delete({ file_path }, neverAborted))).toMatchObject({
        code: "delete_refused",
        status: 403,
      });
    });

    test("renames, moves and restores a file, and lists folders, where the transport can", async () => {
      const { transport, put } = await open();
      // The hooks of tRPC take no input when they are called.
      if (!transport.list) return expect(name).toBe("the hooks of tRPC");
      const ticket = await ticketFor(transport, note);
      const path = { file_path: ticket.file_path };
      await put(ticket, "hello");
      await transport.complete(path, neverAborted);
      const renamed = await transport.update({ ...path, filename: "new.txt" }, neverAborted);
      expect(renamed).toMatchObject({ ...path, filename: "new.txt", size: 5, status: "stored" });
      await transport.update({ ...path, folder: "reports" }, neverAborted);
      const folder = { folder: "reports", file_count: 1, used_bytes: 5 };
      expect(await transport.folders({}, neverAborted)).toEqual({ folders: [folder], next_cursor: null });
      const pathsIn = async (name: string) =>
        (await transport.list({ folder: name }, neverAborted)).files.map(({ file_path }) => file_path);
      expect(await pathsIn("")).toEqual([]);
      expect(await pathsIn("reports")).toEqual([ticket.file_path]);
      await transport.delete(path, neverAborted);
      expect(await pathsIn("reports")).toEqual([]);
      expect(await transport.restore(path, neverAborted)).toEqual({});
      expect(await pathsIn("reports")).toEqual([ticket.file_path]);
      expect(await refusal(transport.restore(path, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
    });

    test("moves and deletes a folder, and reads the jobs, where the transport can", async () => {
      const { transport, put } = await open();
      // The hooks of tRPC take no input when they are called.
      if (!transport.list) return expect(name).toBe("the hooks of tRPC");
      const ticket = await ticketFor(transport, note);
      const { file_path } = ticket;
      await put(ticket, "hello");
      await transport.complete({ file_path }, neverAborted);
      await transport.update({ file_path, folder: "drafts" }, neverAborted);
      const namesOf = async () =>
        (await transport.folders({}, neverAborted)).folders.map(({ folder }) => folder);
      const move = await transport.moveFolder({ from: "drafts", to: "old" }, neverAborted);
      expect(await namesOf()).toEqual(["old"]);
      const done = { state: "done", total: 1, done: 1, kept: 0 };
      expect(await transport.job(move, neverAborted)).toEqual({
        ...move,
        kind: "move_folder",
        ...done,
        created_at: expect.any(String),
        ended_at: expect.any(String),
      });
      const removal = await transport.deleteFolder({ folder: "old" }, neverAborted);
      expect(await transport.job(removal, neverAborted)).toMatchObject({ kind: "delete_folder", ...done });
      expect(await namesOf()).toEqual([]);
      expect(await refusal(transport.job({ job_id: "none" }, neverAborted))).toMatchObject({
        code: "job_not_found",
        status: 404,
      });
    });

    test("lists stored files in pages, and reads usage, where the transport can", async () => {
      const { transport, put } = await open();
      // The hooks of tRPC take no input when they are called.
      if (!transport.list) return expect(name).toBe("the hooks of tRPC");
      const paths: string[] = [];
      for (let count = 0; count < 3; count++) {
        const ticket = await ticketFor(transport, note);
        await put(ticket, "hello");
        await transport.complete({ file_path: ticket.file_path }, neverAborted);
        paths.unshift(ticket.file_path);
      }
      const first = await transport.list({ route: "note", limit: 2 }, neverAborted);
      expect(first.files.map(({ file_path }) => file_path)).toEqual(paths.slice(0, 2));
      expect(first.files[0]).toMatchObject({
        filename: "a b/ü.txt",
        size: 5,
        status: "stored",
        route: "note",
      });
      const second = await transport.list({ limit: 2, cursor: first.next_cursor ?? "" }, neverAborted);
      expect(second.files.map(({ file_path }) => file_path)).toEqual(paths.slice(2));
      expect(second.next_cursor).toBeNull();
      expect(await transport.usage(neverAborted)).toMatchObject({ used_bytes: 15, file_count: 3 });
      expect(await refusal(transport.list({ route: "nowhere" }, neverAborted))).toMatchObject({
        code: "route_not_found",
        status: 404,
        detail: '"nowhere" is not an upload route. There are: film, note',
      });
    });

    test("uploads a file by parts, where the transport can", async () => {
      const { transport, putPart } = await open();
      // The hooks of tRPC take no input when they are called.
      if (!canSendParts(transport)) return expect(name).toBe("the hooks of tRPC");
      const size = 6_000_000;
      const film = {
        route: "film",
        filename: "film.mp4",
        content_type: "video/mp4",
        size,
        accepts_parts: true,
      };
      const ticket = await transport.request({ ...film, fingerprint: "w1.a.b" }, neverAborted);
      if (!isMultipart(ticket)) expect.fail("the answer is one PUT");
      expect(ticket).toMatchObject({ part_size: 5 * 1024 ** 2, part_count: 2, max_bytes: size });
      expect(ticket.expires_in).toBeGreaterThan(6 * 24 * 3600);
      const { file_path } = ticket;
      expect(await refusal(transport.complete({ file_path }, neverAborted))).toMatchObject({
        code: "upload_incomplete",
        status: 409,
        detail: "Upload is incomplete: 0 of 2 parts are stored",
      });
      const numbers = [{ number: 1 }, { number: 2 }];
      const { parts } = await transport.signParts({ file_path, parts: numbers }, neverAborted);
      expect(parts.map((part) => part.size)).toEqual([5 * 1024 ** 2, size - 5 * 1024 ** 2]);
      expect(parts[0]?.expires_in).toBeGreaterThan(3500);
      await putPart(file_path, parts[0]!);
      expect(await transport.listParts({ file_path }, neverAborted)).toEqual({
        parts: [{ number: 1, size: 5 * 1024 ** 2, etag: expect.any(String) }],
        next_cursor: null,
      });
      expect(await transport.open?.({}, neverAborted)).toMatchObject({
        uploads: [
          {
            file_path,
            filename: "film.mp4",
            declared_size: size,
            part_count: 2,
            fingerprint: "w1.a.b",
            route: "film",
          },
        ],
        next_cursor: null,
      });
      await putPart(file_path, parts[1]!);
      expect(await transport.complete({ file_path }, neverAborted)).toMatchObject({ size, status: "stored" });
      expect(await transport.open?.({}, neverAborted)).toMatchObject({ uploads: [] });
    });

    test("creates a URL of a stored file, and not of an unknown one, where the transport can", async () => {
      const { transport, put } = await open();
      if (!transport.download) return expect(name).toBe("the hooks of tRPC");
      const ticket = await ticketFor(transport, note);
      await put(ticket, "hello");
      await transport.complete({ file_path: ticket.file_path }, neverAborted);
      const body = { file_path: ticket.file_path, disposition: "inline" } as const;
      expect(await transport.download(body, neverAborted)).toMatchObject({
        file_path: ticket.file_path,
        filename: "a b/ü.txt",
        size: 5,
        presigned_url: expect.stringMatching(/^https?:/),
      });
      const unknown = transport.download({ file_path: "projects/x" }, neverAborted);
      expect(await refusal(unknown)).toMatchObject({ code: "file_not_found", status: 404 });
    });

    test("creates the URLs of many files, without the unknown ones, where the transport can", async () => {
      const { transport, put } = await open();
      if (!transport.downloads) return expect(name).toBe("the hooks of tRPC");
      const ticket = await ticketFor(transport, note);
      await put(ticket, "hello");
      await transport.complete({ file_path: ticket.file_path }, neverAborted);
      const file_paths = ["projects/x", ticket.file_path];
      const body = { file_paths, disposition: "inline" as const, reuse: true };
      expect(await transport.downloads(body, neverAborted)).toMatchObject({
        downloads: [
          { file_path: ticket.file_path, size: 5, presigned_url: expect.stringMatching(/^https?:/) },
        ],
        not_found: ["projects/x"],
      });
    });

    test("creates, lists and ends a share link, where the transport can", async () => {
      const { transport, put } = await open();
      if (!transport.share) return expect(name).toBe("the hooks of tRPC");
      const { file_path, ...ticket } = await ticketFor(transport, note);
      expect(await refusal(transport.share({ file_path }, neverAborted))).toMatchObject({
        code: "file_not_found",
        status: 404,
      });
      await put({ file_path, ...ticket }, "hello");
      await transport.complete({ file_path }, neverAborted);
      const options = { expires_after: 3600, max_downloads: 5, password: "correct horse" };
      const { url, ...link } = await transport.share({ file_path, ...options }, neverAborted);
      expect(url).toMatch(/^https?:.*\/s\//);
      expect(link).toEqual({
        link_id: expect.any(String),
        file_path,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        max_downloads: 5,
        downloads: 0,
        has_password: true,
        disposition: "attachment",
      });
      expect(await transport.links({ file_path }, neverAborted)).toEqual({
        links: [link],
        next_cursor: null,
      });
      const { link_id } = link;
      expect(await transport.revoke({ file_path, link_id }, neverAborted)).toEqual({});
      expect(await refusal(transport.revoke({ file_path, link_id }, neverAborted))).toMatchObject({
        code: "link_not_found",
        status: 404,
      });
      expect(await transport.links({ file_path }, neverAborted)).toEqual({ links: [], next_cursor: null });
    });

    test("lists, downloads and restores the versions of a file, where the transport can", async () => {
      const { transport, put } = await open();
      if (!transport.versions) return expect(name).toBe("the hooks of tRPC");
      const store = async (filename: string, input?: string) => {
        const film = { route: "film", filename, content_type: "text/plain", size: 5, input };
        const ticket = await ticketFor(transport, film);
        await put(ticket, "hello");
        await transport.complete({ file_path: ticket.file_path }, neverAborted);
        return ticket.file_path;
      };
      const first = await store("first.txt");
      const file_path = await store("second.txt", first);
      const listOf = async (path: string) =>
        (await transport.versions({ file_path: path }, neverAborted)).versions;
      expect(await listOf(file_path)).toMatchObject([
        { file_path: first, filename: "first.txt", size: 5, status: "trashed" },
      ]);
      const ofVersion = { file_path, version: first };
      expect(await transport.download(ofVersion, neverAborted)).toMatchObject({
        file_path: first,
        filename: "first.txt",
      });
      const unknown = { file_path, version: `${first}x` };
      const notFound = { code: "file_not_found", status: 404 };
      expect(await refusal(transport.download(unknown, neverAborted))).toMatchObject(notFound);
      expect(await refusal(transport.restoreVersion(unknown, neverAborted))).toMatchObject(notFound);
      const restored = await transport.restoreVersion(ofVersion, neverAborted);
      expect(restored).toMatchObject({ file_path: first, filename: "first.txt", status: "stored" });
      expect(restored).not.toHaveProperty("tenant_id");
      expect(await listOf(first)).toMatchObject([{ file_path, filename: "second.txt" }]);
      expect(await refusal(listOf(file_path))).toMatchObject(notFound);
    });

    test("returns the limits of each route, also for a user who is signed out", async () => {
      const { transport, signOut } = await open();
      signOut();
      const limits = { accept: ["text/plain"], max_size: 1000, min_size: 1, max_files: 2 };
      expect(await transport.routes(neverAborted)).toEqual({ routes: { film: {}, note: limits } });
    });

    test("throws a network error without a network", async () => {
      const { transport, goOffline } = await open();
      // The widget calls `routes` when a transport has no `probe`.
      const probe = () => transport.probe?.(neverAborted) ?? transport.routes(neverAborted);
      await expect(probe()).resolves.not.toThrow();
      goOffline();
      const none = { code: "network_error", status: 0 };
      expect(await refusal(transport.request(note, neverAborted))).toMatchObject(none);
      expect(await refusal(transport.routes(neverAborted))).toMatchObject(none);
      expect(await refusal(probe())).toMatchObject(none);
    });

    test("rejects with the signal's reason, before and during a call", async () => {
      const { transport, hangNext } = await open();
      const reason = new Error("the page stopped the call");
      await expect(transport.request(note, AbortSignal.abort(reason))).rejects.toBe(reason);
      const page = new AbortController();
      const hanging = hangNext();
      const asked = transport.request(note, page.signal);
      await hanging;
      page.abort(reason);
      await expect(asked).rejects.toBe(reason);
    });
  });
}
