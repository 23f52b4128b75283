import { core, topic } from "../case.js";
import type { Query } from "../context.js";
import { exactly } from "../expect/match.js";
import type { FolderPage, StartedJob } from "../wire.js";

const JOB_LIMIT_MS = 60_000;

/** `POST /api/storage/update/` */
export const updateCases = topic("an update", [
  core("renames a file, whose path and bytes stay, and the next download has the new name", async (t) => {
    const { file_path } = await t.cleanFile({ filename: "before.txt", bytes: "hello" });
    (await t.post("update", { file_path, filename: "After ä.txt" })).ok({
      file_path,
      filename: "After ä.txt",
      status: "stored",
      size: 5,
    });
    (await t.get("file", { file_path })).ok({ filename: "After ä.txt" });
    (await t.post("download", { file_path })).ok({ file_path, filename: "After ä.txt" });
  }),
  core("merges metadata, and null removes a member", async (t) => {
    const { file_path } = await t.stored({ metadata: { album: "a", draft: "yes" } });
    (await t.post("update", { file_path, metadata: { draft: null, year: "2026", none: null } })).ok({
      metadata: exactly({ album: "a", year: "2026" }),
    });
    (await t.post("update", { file_path, metadata: {} })).ok({
      metadata: exactly({ album: "a", year: "2026" }),
    });
  }),
  core("limits the metadata that results", async (t) => {
    const members = (from: number, count: number, value: string | null = "v") =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${from + n}`, value]));
    const { file_path } = await t.stored({ metadata: members(0, 16) });
    const tooMany = "metadata must have at most 16 members";
    (await t.post("update", { file_path, metadata: { one: "more" } })).refused(
      400,
      "invalid_request",
      tooMany,
    );
    const replaced = { ...members(0, 16, null), ...members(16, 16) };
    (await t.post("update", { file_path, metadata: replaced })).ok({ metadata: exactly(members(16, 16)) });
    (await t.post("update", { file_path, metadata: { m16: "x".repeat(2048) } })).refused(
      400,
      "invalid_request",
      "metadata must be at most 2048 bytes",
    );
  }),
  core("works for an upload that has not arrived, and stores one that has", async (t) => {
    const upload = await t.upload();
    const { file_path } = upload;
    (await t.post("update", { file_path, filename: "early.txt" })).ok({
      filename: "early.txt",
      status: "pending",
    });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.post("update", { file_path, metadata: { a: "b" } })).ok({
      filename: "early.txt",
      status: "stored",
    });
  }),
  core("works for a file on hold", async (t) => {
    const { file_path } = await t.stored();
    (await t.post("hold", { file_path, hold: true })).ok();
    (await t.post("update", { file_path, filename: "kept.txt" })).ok({ filename: "kept.txt", hold: true });
    (await t.post("hold", { file_path, hold: false })).ok();
  }),
  core("does not find a deleted file, nor one of another tenant", async (t) => {
    const { file_path } = await t.stored();
    const notFound = [404, "file_not_found", "File not found"] as const;
    const tenant_id = await t.ownTenant();
    (await t.post("update", { file_path, tenant_id, filename: "a" })).refused(...notFound);
    (await t.post("delete", { file_path })).ok();
    (await t.post("update", { file_path, filename: "a" })).refused(...notFound);
  }),
  ...(
    [
      ["no file_path", { filename: "a" }, "invalid_request", "file_path is required"],
      ["no change", { file_path: "x" }, "invalid_request", "filename, metadata or folder is required"],
      ["a blank name", { file_path: "x", filename: " " }, "filename_required", "filename is required"],
      [
        "a number in the metadata",
        { file_path: "x", metadata: { a: 1 } },
        "invalid_request",
        "metadata members must be strings or null",
      ],
      [
        "a control character in the name of a removed member",
        { file_path: "x", metadata: { "a\u0000": null } },
        "invalid_request",
        "metadata must not contain control characters",
      ],
      [
        "a cache_control",
        { file_path: "x", filename: "a", cache_control: "no-store" },
        "invalid_request",
        "cache_control cannot be changed: storage keeps it with the object",
      ],
    ] as const
  ).map(([what, body, code, detail]) =>
    core(`with ${what} is refused`, async (t) => {
      (await t.post("update", body)).refused(400, code, detail);
    }),
  ),
]);

/** `GET /api/storage/folders/`, and `folder` of the other calls. */
export const folderCases = topic("a folder", [
  core("is listed with what counts in it and below, and a file moves between folders", async (t) => {
    const tenant_id = await t.ownTenant();
    const one = await t.stored({ tenant_id, folder: "a/b", bytes: "hello" });
    (await t.get("file", { file_path: one.file_path })).ok({ folder: "a/b" });
    (await t.get("file", { file_path: (await t.stored({ tenant_id })).file_path })).ok({ folder: "" });
    (await t.get("folders", { tenant_id })).ok({
      folders: [{ folder: "a", file_count: 1, used_bytes: 5 }],
      next_cursor: null,
    });
    (await t.get("folders", { tenant_id, parent: "a" })).ok({
      folders: [{ folder: "a/b", file_count: 1, used_bytes: 5 }],
    });
    // "e" and a combining accent, which NFC joins.
    (await t.post("update", { file_path: one.file_path, folder: "e\u0301" })).ok({ folder: "\u00e9" });
    (await t.get("folders", { tenant_id })).ok({ folders: [{ folder: "\u00e9" }] });
    (await t.get("files", { tenant_id, folder: "\u00e9" })).ok({ files: [{ file_path: one.file_path }] });
    (await t.get("files", { tenant_id, folder_below: "a" })).ok({ files: [] });
    (await t.post("update", { file_path: one.file_path, folder: "" })).ok({ folder: "" });
    (await t.get("folders", { tenant_id })).ok({ folders: [] });
  }),
  core("is moved and deleted by jobs", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id, folder: "a/b", bytes: "hello" });
    const end = (job_id: string, kind: string) =>
      t.eventually(JOB_LIMIT_MS, async () =>
        (await t.get("jobs", { job_id })).ok({ kind, state: "done", total: 1, done: 1 }),
      );
    const move = await t.post("folders/move", { tenant_id, from: "a", to: "c" });
    await end(move.ok<StartedJob>().job_id, "move_folder");
    (await t.get("file", { file_path })).ok({ folder: "c/b" });
    const removal = await t.post("folders/delete", { tenant_id, folder: "c" });
    const { job_id } = removal.ok<StartedJob>();
    await end(job_id, "delete_folder");
    (await t.get("file", { file_path })).refused(404, "file_not_found");
    (await t.get("jobs", { job_id, tenant_id: t.tenant })).refused(404, "job_not_found", "Job not found");
  }),
  ...(
    [
      ["move", { from: "", to: "a" }, "from must name a folder: the root cannot be moved"],
      ["move", { from: "a", to: "a/b" }, "to must be another folder than from, and not be below it"],
      ["delete", { folder: "" }, "folder must name a folder: the root cannot be deleted"],
    ] as const
  ).map(([verb, body, detail]) =>
    core(`cannot ${verb} ${JSON.stringify(body)}`, async (t) => {
      const answer = await t.post(`folders/${verb}`, { tenant_id: t.tenant, ...body });
      answer.refused(400, "invalid_request", detail);
    }),
  ),
  core("has pages, by the bytes of the names", async (t) => {
    const tenant_id = await t.ownTenant();
    for (const folder of ["b", "a-b", "a/c"]) await t.stored({ tenant_id, folder });
    let cursor: string | null = null;
    for (const folder of ["a", "a-b", "b"]) {
      const query: Query = { tenant_id, limit: 1, ...(cursor !== null && { cursor }) };
      const page: FolderPage = (await t.get("folders", query)).ok<FolderPage>({ folders: [{ folder }] });
      cursor = page.next_cursor;
    }
    (await t.get("folders", { tenant_id, limit: 3 })).ok({ next_cursor: null });
  }),
  ...(
    [
      ["/a", 'a segment of folder must not be empty, "." or ".."'],
      ["a//b", 'a segment of folder must not be empty, "." or ".."'],
      ["a/", 'a segment of folder must not be empty, "." or ".."'],
      ["a/../b", 'a segment of folder must not be empty, "." or ".."'],
      [".", 'a segment of folder must not be empty, "." or ".."'],
      ["a\u0000", "a segment of folder must not contain control characters"],
      ["\ud800", "a segment of folder must be valid Unicode"],
      ["x".repeat(256), "a segment of folder must be at most 255 characters"],
      ["a/".repeat(16) + "a", "folder must have at most 16 segments"],
      [7, "folder must be a string"],
    ] as const
  ).map(([folder, detail]) =>
    core(`is refused as ${JSON.stringify(folder).slice(0, 20)}`, async (t) => {
      const upload = { tenant_id: t.tenant, filename: "a.txt", folder };
      (await t.post("upload", upload)).refused(400, "invalid_request", detail);
      (await t.post("uploads", { ...upload, size: 1 })).refused(400, "invalid_request", detail);
      (await t.post("update", { file_path: "x", folder })).refused(400, "invalid_request", detail);
    }),
  ),
]);

/** `replaces` of both upload requests. */
export const replaceCases = topic("a replacement", [
  core("takes the place of the old file when its bytes arrive, and needs no room for both", async (t) => {
    const tenant_id = await t.ownTenant();
    const old = await t.stored({ tenant_id, bytes: "hello" });
    const upload = await t.upload({ tenant_id, filename: "new.txt", size: 7, replaces: old.file_path });
    (await t.get("file", { file_path: old.file_path })).ok({ status: "stored" });
    (await t.putBytes(upload, "goodbye")).hasStatus(200);
    (await t.post("complete", { file_path: upload.file_path })).ok({ status: "stored", size: 7 });
    (await t.get("file", { file_path: old.file_path })).refused(404, "file_not_found");
    (await t.get("file", { file_path: upload.file_path })).ok({ filename: "new.txt" });
  }),
  core(
    "moves the old file to the trash, which then names the new one",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const old = await t.stored({ tenant_id, bytes: "hello" });
      const { file_path: replaced_by } = await t.stored({
        tenant_id,
        bytes: "goodbye",
        replaces: old.file_path,
      });
      (await t.get("files", { tenant_id, status: "trashed" })).ok({
        files: [{ file_path: old.file_path, replaced_by }],
      });
      await t.hasUsage(tenant_id, 12, 0, 2);
    },
    ["trash"],
  ),
  core(
    "reserves only what the old file does not lend, and fits a full tenant",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path: replaces } = await t.stored({ tenant_id, bytes: "hello" });
      await t.setQuota(tenant_id, 7);
      (await t.requestUpload({ tenant_id, size: 8, replaces })).refused(403, "quota_exceeded");
      const upload = await t.upload({ tenant_id, size: 7, replaces });
      await t.hasUsage(tenant_id, 5, 2, 1);
      (await t.post("cancel", { file_path: upload.file_path })).ok();
      await t.hasUsage(tenant_id, 5, 0, 1);
      const { file_path } = await t.stored({ tenant_id, bytes: "goodbye", replaces });
      await t.hasUsage(tenant_id, 7, 0, 1);
      (await t.purge(file_path)).ok();
    },
    ["noTrash"],
  ),
  core("is the only one of its file until it ends", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path: replaces } = await t.stored({ tenant_id });
    const { file_path } = await t.upload({ tenant_id, size: 1, replaces });
    (await t.requestUpload({ tenant_id, size: 1, replaces })).refused(
      409,
      "file_being_replaced",
      "File is being replaced",
    );
    (await t.post("cancel", { file_path })).ok();
    (await t.requestUpload({ tenant_id, size: 1, replaces })).ok();
  }),
  core(
    "leaves a version, which is listed, handed out and restored, and counts all the time",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const old = await t.cleanFile({ tenant_id, bytes: "hello" });
      const { file_path } = await t.cleanFile({ tenant_id, bytes: "goodbye", replaces: old.file_path });
      const version = old.file_path;
      (await t.get("versions", { file_path, tenant_id })).ok({
        versions: [{ file_path: version, status: "trashed", size: 5, replaced_by: file_path }],
      });
      const { presigned_url } = await t.download({ file_path, version });
      const read = await t.read(presigned_url);
      read.hasStatus(200);
      read.must("the bytes of the version", read.text === "hello");
      await t.hasUsage(tenant_id, 12, 0, 2);
      (await t.post("versions/restore", { file_path, version, tenant_id })).ok({
        file_path: version,
        status: "stored",
      });
      (await t.get("file", { file_path })).refused(404, "file_not_found");
      (await t.get("versions", { file_path: version })).ok({
        versions: [{ file_path, replaced_by: version }],
      });
      await t.hasUsage(tenant_id, 12, 0, 2);
    },
    ["versions"],
  ),
  core(
    "leaves versions to nobody but its own file and tenant",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const old = await t.stored({ tenant_id });
      const { file_path } = await t.stored({ tenant_id, replaces: old.file_path });
      const another = await t.stored({ tenant_id });
      const version = old.file_path;
      for (const reference of [
        { file_path: another.file_path, version },
        { file_path, version: another.file_path },
        { file_path, version: `${version}x` },
        { file_path, version, tenant_id: await t.ownTenant("other") },
      ]) {
        (await t.post("download", reference)).refused(404, "file_not_found");
        (await t.post("versions/restore", reference)).refused(404, "file_not_found");
      }
      (await t.get("versions", { file_path: version })).refused(404, "file_not_found");
      (await t.get("versions", { file_path: another.file_path })).ok({ versions: [] });
    },
    ["versions"],
  ),
  core("replaces only a stored file of its tenant that is not on hold", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path: replaces } = await t.stored({ tenant_id });
    const other = await t.ownTenant();
    (await t.requestUpload({ tenant_id: other, size: 1, replaces })).refused(404, "file_not_found");
    const { file_path: pending } = await t.upload({ tenant_id });
    (await t.requestUpload({ tenant_id, size: 1, replaces: pending })).refused(404, "file_not_found");
    (await t.post("hold", { file_path: replaces, hold: true })).ok();
    (await t.requestUpload({ tenant_id, size: 1, replaces })).refused(409, "file_on_hold");
    (await t.post("hold", { file_path: replaces, hold: false })).ok();
  }),
]);
