import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedFilesPage } from "#files/list/browse-files.js";
import { thumbnailMaxBytes } from "@stowage/operator-schemas";
import type { FileLinks } from "#deliver/create-links.js";
import type { Thumbnail } from "#deliver/create-thumbnails.js";
import type { FileDetails } from "#files/list/read-file.js";
import {
  aMember,
  anOperator,
  anOwnedProject,
  type Person,
  type DashboardAnswer,
} from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

const missing = { status: 404, code: "file_not_found" };

/** Returns every file of a list, page by page. */
async function listAll(query: { projectRef: string } & Record<string, unknown>, limit = 3) {
  const files: ListedFilesPage["files"] = [];
  let cursor: string | null = null;
  do {
    const answer: DashboardAnswer<ListedFilesPage> = await owner.query("files.list", {
      ...query,
      limit,
      cursor: cursor ?? undefined,
    });
    if (answer.status !== 200) throw new Error(answer.text);
    files.push(...answer.data.files);
    cursor = answer.data.nextCursor;
  } while (cursor);
  return files;
}
const namesOf = (files: { filename: string }[]) => files.map(({ filename }) => filename);

/** Inserts file rows whose objects are not in storage. The ids follow the order of `rows`. */
async function seed(
  projectRef: string,
  rows: {
    name: string;
    size?: number;
    declared?: number;
    type?: string;
    status?: string;
    at?: string;
    tenant?: string;
  }[],
) {
  await queryDatabase(
    `insert into tenants (project_id, tenant_id, ref, created_at)
     select distinct p.id, r.tenant, md5(r.tenant), now()
     from projects p, json_to_recordset($2::text::json) as r(tenant text) where p.ref = $1
     on conflict do nothing`,
    [projectRef, JSON.stringify(rows.map(({ tenant = "t" }) => ({ tenant })))],
  );
  await queryDatabase(
    `insert into files (project_id, tenant, path, filename, content_type, size, declared_size, status, url_expires_at, created_at)
     select p.id, t.id, 'projects/' || p.ref || '/' || r.name || r.at, r.name, r.type, r.size, r.declared, r.status::file_status, now(), r.at::timestamptz
     from projects p, json_to_recordset($2::text::json)
       as r(number int, name text, size bigint, declared bigint, type text, status text, at text, tenant text), tenants t
     where p.ref = $1 and t.project_id = p.id and t.tenant_id = r.tenant
     order by r.number`,
    [
      projectRef,
      JSON.stringify(
        rows.map(({ status = "stored", ...row }, number) => ({
          number,
          size: status === "stored" ? 1 : null,
          type: "text/plain",
          at: "2026-01-01T00:00:00Z",
          tenant: "t",
          status,
          ...row,
        })),
      ),
    ],
  );
}

describe("a list of files", () => {
  test("shows each file's properties, newest first, and nothing of other projects", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const { file_path } = await aStoredFile(service.url, apiKey, { filename: "a.txt", size: 5 });
    await anUpload(service.url, apiKey, { tenant_id: "u", filename: "b.png", size: 7 });
    const other = await anOwnedProject(owner);
    await aStoredFile(service.url, other.apiKey, { filename: "other.txt" });
    const { data } = await owner.query<ListedFilesPage>("files.list", { projectRef });
    expect(data).toEqual({
      previousCursor: null,
      nextCursor: null,
      isBackward: false,
      files: [
        {
          id: expect.any(Number),
          path: expect.stringMatching(/_b\.png$/),
          filename: "b.png",
          contentType: "image/png",
          declaredSizeBytes: 7,
          sizeBytes: null,
          status: "pending",
          tenantId: "u",
          createdAt: expect.any(String),
          storedAt: null,
          urlExpiresAt: expect.any(String),
          reservedBytes: 7,
          isLost: false,
          isHeld: false,
          expiresAt: null,
          purgeAt: null,
          scanStatus: "none",
          parts: null,
        },
        expect.objectContaining({
          path: file_path,
          sizeBytes: 5,
          status: "stored",
          tenantId: "t",
          storedAt: expect.any(String),
        }),
      ],
    });
  });

  test("sorts by time, name or size in both directions, and pages of any length list each file once", async () => {
    const { projectRef } = await anOwnedProject(owner);
    await seed(projectRef, [
      { name: "b.txt", size: 30, at: "2026-01-01T00:00:00.000001Z" },
      { name: "A.txt", size: 10, at: "2026-01-01T00:00:00.000003Z" },
      { name: "ä.txt", size: 20, at: "2026-01-01T00:00:00.000002Z" },
      { name: "c.txt", declared: 15, status: "pending", at: "2026-01-03T00:00:00Z" },
      { name: "d.txt", declared: 25, status: "expired", at: "2026-01-02T00:00:00Z" },
      { name: "a.txt", size: 10, at: "2026-01-04T00:00:00Z" },
      { name: "gone.txt", size: 1, status: "deleting" },
    ]);
    const expected = {
      created_at: ["b.txt", "ä.txt", "A.txt", "d.txt", "c.txt", "a.txt"],
      filename: ["A.txt", "a.txt", "b.txt", "c.txt", "d.txt", "ä.txt"],
      size: ["A.txt", "a.txt", "c.txt", "ä.txt", "d.txt", "b.txt"],
    };
    for (const [sort, names] of Object.entries(expected)) {
      for (const limit of [1, 2, 6]) {
        expect(namesOf(await listAll({ projectRef, sort, order: "asc" }, limit))).toEqual(names);
        expect(namesOf(await listAll({ projectRef, sort, order: "desc", tenantId: "t" }, limit))).toEqual(
          names.toReversed(),
        );
      }
    }
  });

  test("contains the files that match all filters", async () => {
    const { projectRef } = await anOwnedProject(owner);
    await seed(projectRef, [
      { name: "1.png", type: "image/png", at: "2026-01-01T00:00:00Z" },
      { name: "2 100%.MP4", type: "video/mp4", at: "2026-01-01T23:59:59.999Z" },
      { name: "3.mp3", type: "audio/mpeg", at: "2026-01-02T00:00:00Z", tenant: "u" },
      { name: "4.pdf", type: "Application/PDF; x=y", at: "2026-01-02T12:00:00Z", tenant: "u" },
      { name: "5.txt", type: "text/plain", at: "2026-01-03T00:00:00Z", status: "pending" },
      { name: "6.bin", type: "application/octet-stream", at: "2026-01-04T00:00:00Z", status: "expired" },
    ]);
    const found = async (filter: object) =>
      namesOf(await listAll({ projectRef, order: "asc", ...filter })).map((name) => Number.parseInt(name));
    for (const sort of ["created_at", "filename", "size"]) {
      const list = (filter: object) => found({ sort, ...filter }).then((ids) => ids.sort());
      expect(await list({})).toEqual([1, 2, 3, 4, 5, 6]);
      expect(await list({ kind: "image" })).toEqual([1]);
      expect(await list({ kind: "video" })).toEqual([2]);
      expect(await list({ kind: "audio" })).toEqual([3]);
      expect(await list({ kind: "pdf" })).toEqual([4]);
      expect(await list({ kind: "text" })).toEqual([5]);
      expect(await list({ kind: "other" })).toEqual([6]);
      expect(await list({ states: ["uploading", "unfinished", "missing"] })).toEqual([5, 6]);
      expect(await list({ tenantId: "u" })).toEqual([3, 4]);
      expect(await list({ tenantId: "nobody" })).toEqual([]);
      expect(await list({ q: "100%.mp" })).toEqual([2]);
      expect(await list({ q: "" })).toHaveLength(6);
      expect(await list({ from: "2026-01-02" })).toEqual([3, 4, 5, 6]);
      expect(await list({ to: "2026-01-01" })).toEqual([1, 2]);
      expect(await list({ from: "2026-01-02", to: "2026-01-02", tenantId: "u", q: "p" })).toEqual([3, 4]);
      expect(await list({ from: "2026-01-02", kind: "image" })).toEqual([]);
    }
  });

  test("does not shift when files are added or deleted between its pages", async () => {
    const { projectRef } = await anOwnedProject(owner);
    await seed(
      projectRef,
      ["b", "d", "f"].map((name, i) => ({ name, size: i + 2, at: `2026-01-0${i + 2}T00:00:00Z` })),
    );
    for (const sort of ["created_at", "filename", "size"]) {
      const query = { projectRef, sort, limit: 2, q: ".", order: "asc" };
      const { q: _, ...plain } = query;
      const first = (await owner.query<ListedFilesPage>("files.list", plain)).data;
      expect(namesOf(first.files)).toEqual(["b", "d"]);
      await seed(projectRef, [{ name: `a ${sort}`, size: 1, at: "2026-01-01T00:00:00Z" }]);
      const second = (
        await owner.query<ListedFilesPage>("files.list", { ...plain, cursor: first.nextCursor })
      ).data;
      expect(second).toMatchObject({ files: [{ filename: "f" }], nextCursor: null });
      await queryDatabase("delete from files where filename = $1", [`a ${sort}`]);
    }
  });

  test("refuses a cursor of another order, filter or project, and a forged cursor", async () => {
    const { projectRef } = await anOwnedProject(owner);
    const other = await anOwnedProject(owner);
    await seed(projectRef, [{ name: "a" }, { name: "b" }]);
    const cursor = (await owner.query<ListedFilesPage>("files.list", { projectRef, limit: 1 })).data
      .nextCursor;
    const changed = [
      { sort: "filename" },
      { order: "asc" },
      { kind: "text" },
      { q: "a" },
      { tenantId: "t" },
      { states: ["stored"] },
      { from: "2026-01-01" },
      { projectRef: other.projectRef },
    ];
    for (const change of changed)
      expect(await owner.query("files.list", { projectRef, cursor, ...change })).toMatchObject({
        status: 400,
        code: "invalid_request",
        detail: "cursor belongs to a list with other filters or another order: request the first page again",
      });
    const [name] = JSON.parse(Buffer.from(cursor!, "base64url").toString()) as string[];
    const forged = [[name, "x", 1], [name, "1", "1"], [name, "9".repeat(17), 1], [name], {}, "x"].map((key) =>
      Buffer.from(JSON.stringify(key)).toString("base64url"),
    );
    for (const cursor of [...forged, "x", "%"])
      expect(await owner.query("files.list", { projectRef, cursor })).toMatchObject({
        status: 400,
        detail: "cursor is not valid",
      });
  });

  test.each([
    [{ sort: "path" }, "sort must be one of created_at, filename, size", "sort"],
    [{ from: "2026-02-30" }, "from must be a date like 2026-01-31", "from"],
    [{ from: "0000-01-01" }, "from must be a date like 2026-01-31", "from"],
    [{ to: "9999-12-31" }, "to must be a date like 2026-01-31", "to"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "from must not be after to", "from"],
    [{ kind: "exe" }, "kind must be one of image, video, audio, pdf, text, other", "kind"],
  ])("is refused with a message and its field for %j", async (input, detail, field) => {
    const { projectRef } = await anOwnedProject(owner);
    const answer = await owner.query("files.list", { projectRef, ...input });
    expect(answer).toMatchObject({ status: 400, code: "invalid_request", detail });
    expect(answer.text).toContain(`"field":"${field}"`);
  });
});

/** Returns the id of a project's only file. */
async function onlyId(projectRef: string): Promise<number> {
  const { data } = await owner.query<ListedFilesPage>("files.list", { projectRef });
  expect(data.files).toHaveLength(1);
  return data.files[0]!.id;
}

describe("a file", () => {
  test("shows all its properties, also to viewers", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const stored = await aStoredFile(service.url, apiKey, { metadata: { order: "7" }, folder: "inbox" });
    const fileId = await onlyId(projectRef);
    const viewer = await aMember(service.url, projectRef, "viewer");
    expect((await viewer.query<FileDetails>("files.read", { projectRef, fileId })).data).toEqual({
      id: fileId,
      path: stored.file_path,
      filename: "a.txt",
      contentType: "text/plain",
      declaredSizeBytes: null,
      sizeBytes: 5,
      status: "stored",
      tenantId: "t",
      etag: createHash("md5").update("hello").digest("hex"),
      folder: "inbox",
      metadata: { order: "7" },
      urlExpiresAt: expect.any(String),
      reservedBytes: 0,
      isLost: false,
      isHeld: false,
      expiresAt: null,
      purgeAt: null,
      scanStatus: "none",
      scanSignature: null,
      visibility: "private",
      publicUrl: null,
      canBePublic: false,
      replacedBy: null,
      replaces: null,
      parts: null,
      createdAt: stored.created_at,
      storedAt: stored.stored_at,
    });
  });

  test("is renamed and moved, and is then in the list of its folder", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await aStoredFile(service.url, apiKey);
    const fileId = await onlyId(projectRef);
    const update = (change: object) => owner.mutate("files.update", { projectRef, fileId, ...change });
    expect(await update({})).toMatchObject({ status: 400, detail: "filename or folder is required" });
    expect(await update({ folder: "reports/2026" })).toMatchObject({ status: 200 });
    expect(await update({ filename: "b.txt" })).toMatchObject({ status: 200 });
    const foldersIn = async (parent?: string) =>
      (await owner.query("files.folders", { projectRef, tenantId: "t", ...(parent && { parent }) })).data;
    const counted = { fileCount: 1, usedBytes: 5 };
    expect(await foldersIn()).toEqual({ folders: [{ folder: "reports", ...counted }], nextCursor: null });
    expect(await foldersIn("reports")).toEqual({
      folders: [{ folder: "reports/2026", ...counted }],
      nextCursor: null,
    });
    expect(namesOf(await listAll({ projectRef, folder: "reports/2026" }))).toEqual(["b.txt"]);
    expect(await listAll({ projectRef, folder: "reports" })).toEqual([]);
  });

  test("of another project is not found by any call", async () => {
    const [one, other] = [await anOwnedProject(owner), await anOwnedProject(owner)];
    await aStoredFile(service.url, one.apiKey);
    const fileId = await onlyId(one.projectRef);
    const input = { projectRef: other.projectRef, fileId };
    expect(await owner.query("files.read", input)).toMatchObject(missing);
    expect(await owner.query("files.history", input)).toMatchObject(missing);
    expect(await owner.mutate("files.links", input)).toMatchObject(missing);
  });
});

describe("links to a file", () => {
  const linksTo = async (file: { filename: string; content_type?: string; bytes?: string }) => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await aStoredFile(service.url, apiKey, file);
    const answer = await owner.mutate<FileLinks>("files.links", {
      projectRef,
      fileId: await onlyId(projectRef),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    return answer.data;
  };

  test.each([
    ["image/png", "image"],
    ["image/jpeg", "image"],
    ["image/gif", "image"],
    ["image/webp", "image"],
    ["image/avif", "image"],
    ["application/pdf", "pdf"],
    ["audio/mpeg", "audio"],
    ["video/mp4", "video"],
  ])("show %s inline as %s, from the storage's origin", async (content_type, previewKind) => {
    const links = await linksTo({ filename: "a", content_type, bytes: "bytes" });
    expect(links.previewKind).toBe(previewKind);
    expect(new URL(links.previewUrl!).origin).not.toBe(new URL(service.url).origin);
    const shown = await fetch(links.previewUrl!);
    expect(await shown.text()).toBe("bytes");
    expect(shown.headers.get("content-type")).toBe(content_type);
    expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    const lifeMs = Date.parse(links.expiresAt) - Date.now();
    expect(lifeMs).toBeGreaterThan(4 * 60_000);
    expect(lifeMs).toBeLessThanOrEqual(5 * 60_000);
  });

  test.each(["image/svg+xml", "text/html", "application/xhtml+xml", "application/x-unknown", "text/plain"])(
    "never show %s inline, and download it with its filename",
    async (content_type) => {
      const links = await linksTo({ filename: "ü.html", content_type, bytes: "<script>" });
      expect(links).toMatchObject({ previewUrl: null, previewKind: null });
      const saved = await fetch(links.downloadUrl);
      expect(await saved.text()).toBe("<script>");
      expect(saved.headers.get("content-disposition")).toMatch(
        /^attachment;.*filename\*=UTF-8''%C3%BC\.html/,
      );
      expect(saved.headers.get("content-type")).not.toMatch(/html|svg|xml/);
    },
  );

  test("show small images of a list, and no other file", async () => {
    const [project, other] = [await anOwnedProject(owner), await anOwnedProject(owner)];
    await seed(other.projectRef, [{ name: "foreign.png", type: "image/png" }]);
    await seed(project.projectRef, [
      { name: "small.png", type: "image/png" },
      { name: "large.png", type: "image/png", size: thumbnailMaxBytes + 1 },
      { name: "drawing.svg", type: "image/svg+xml" },
      { name: "film.mp4", type: "video/mp4" },
      { name: "pending.png", type: "image/png", status: "pending" },
    ]);
    const listed = (
      await Promise.all([project, other].map(({ projectRef }) => listAll({ projectRef })))
    ).flat();
    const { data } = await owner.mutate<Thumbnail[]>("files.thumbnails", {
      projectRef: project.projectRef,
      fileIds: [...listed.map(({ id }) => id), 999_999_999],
    });
    expect(data.map(({ fileId }) => listed.find(({ id }) => id === fileId)?.filename)).toEqual(["small.png"]);
    expect(new URL(data[0]!.url).searchParams.get("response-content-disposition")).toMatch(/^inline/);
  });

  test("do not exist for a file without bytes", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await anUpload(service.url, apiKey, { tenant_id: "t", filename: "a" });
    const fileId = await onlyId(projectRef);
    expect(await owner.mutate("files.links", { projectRef, fileId })).toMatchObject(missing);
    expect(service.log()).not.toContain("X-Amz-Signature");
  });
});
