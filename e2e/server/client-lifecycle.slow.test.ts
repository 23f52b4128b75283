import { createStowageClient, type StowageClient } from "@stowage/server/client";
import { beforeAll, expect, inject, test } from "vitest";
import { aProject, dashboardClient } from "../fixtures/a-project.js";

/*
 * The typed client's calls of expiry, trash, hold, and the deletion and export of tenants, against the real service and storage.
 */
let client: StowageClient;
beforeAll(async () => {
  const { ref: projectRef, apiKey } = await aProject();
  const { url: baseUrl, operatorCookie } = inject("stowage");
  client = createStowageClient({ apiKey, baseUrl });
  const dashboard = dashboardClient(baseUrl, async () => ({ Cookie: operatorCookie }));
  await dashboard.settings.update.mutate({ projectRef, trashDays: 30 });
});

const bytes = Buffer.from("hello");
const aFile = (tenantId: string, expiresAfter?: number) =>
  client.upload({ tenantId, file: bytes, filename: "a.txt", expiresAfter });

test("upload sends expiresAfter for one PUT and for parts, and no URL outlives the file", async () => {
  const tenantId = "expiring";
  const byParts = { tenantId, file: bytes, filename: "b.txt", expiresAfter: 600, multipartFrom: 1 };
  for (const file of [await aFile(tenantId, 600), await client.upload(byParts)]) {
    const end = Date.parse(file.createdAt) + 600_000;
    expect(Math.abs(Date.parse(file.expiresAt!) - end)).toBeLessThan(1000);
    const { expiresAt } = await client.downloadUrl(file.filePath);
    expect(Date.parse(expiresAt)).toBeLessThanOrEqual(Date.parse(file.expiresAt!));
  }
  expect((await aFile(tenantId)).expiresAt).toBeUndefined();
  await expect(aFile(tenantId, 59)).rejects.toMatchObject({ code: "invalid_request" });
});

test("a deleted file comes back with restoreFile, and with purge it does not", async () => {
  const owner = { tenantId: "trash" };
  const { filePath } = await aFile("trash");
  const notFound = { code: "file_not_found" };
  expect(await client.deleteFiles(filePath, owner)).toEqual({ deleted: [filePath], notFound: [] });
  await expect(client.file(filePath)).rejects.toMatchObject(notFound);
  const trashed = [];
  for await (const file of client.files({ ...owner, status: "trashed" })) trashed.push(file);
  expect(trashed).toMatchObject([{ filePath, status: "trashed", purgeAt: expect.any(String) as string }]);
  await expect(client.restoreFile(filePath, { tenantId: "other" })).rejects.toMatchObject(notFound);
  expect(await client.restoreFile(filePath, owner)).toMatchObject({ filePath, status: "stored" });
  await expect(client.restoreFile(filePath)).rejects.toMatchObject(notFound);
  expect((await client.deleteFiles(filePath, { purge: true })).deleted).toEqual([filePath]);
  await expect(client.restoreFile(filePath)).rejects.toMatchObject(notFound);
  expect(await client.usage("trash")).toMatchObject({ usedBytes: 0, fileCount: 0 });
});

test("a file on hold is kept and named by deleteFiles until holdFile releases it", async () => {
  const [held, free] = [await aFile("hold"), await aFile("hold")];
  expect(await client.holdFile(held.filePath, true)).toMatchObject({ hold: true });
  expect(await client.deleteFiles([held.filePath, free.filePath])).toEqual({
    deleted: [free.filePath],
    notFound: [],
    onHold: [held.filePath],
  });
  await expect(client.deleteTenant("hold")).rejects.toMatchObject({ code: "file_on_hold" });
  expect(await client.holdFile(held.filePath, false)).not.toHaveProperty("hold");
  expect((await client.deleteFiles(held.filePath)).deleted).toEqual([held.filePath]);
});

test("updateFile renames a file and merges its metadata, and a download has the new name", async () => {
  const metadata = { album: "a", draft: "yes" };
  const { filePath } = await client.upload({ tenantId: "names", file: bytes, filename: "a.txt", metadata });
  const change = { filename: "Grüße.txt", metadata: { draft: null, year: "2026" } };
  await expect(client.updateFile(filePath, change, { tenantId: "other" })).rejects.toMatchObject({
    code: "file_not_found",
  });
  const updated = { filePath, filename: "Grüße.txt", metadata: { album: "a", year: "2026" } };
  expect(await client.updateFile(filePath, change, { tenantId: "names" })).toMatchObject(updated);
  expect(await client.updateFile(filePath, { metadata: {} })).toEqual(await client.file(filePath));
  const found = [];
  for await (const file of client.files({ metadata: { year: "2026" }, contentType: "text/*", sizeTo: 5 }))
    found.push(file.filePath);
  expect(found).toEqual([filePath]);
  const { presignedUrl } = await client.downloadUrl(filePath);
  expect((await fetch(presignedUrl)).headers.get("content-disposition")).toContain(
    `filename*=UTF-8''${encodeURIComponent("Grüße.txt")}`,
  );
});

test("a public file, by one PUT and by parts, is read by everyone until setVisibility takes it back", async () => {
  const given = { tenantId: "public", file: bytes, filename: "a.txt", visibility: "public" as const };
  for (const multipartFrom of [undefined, 1]) {
    const { filePath } = await client.upload({ ...given, ...(multipartFrom && { multipartFrom }) });
    await expect.poll(async () => (await client.file(filePath)).publicUrl).toBeTypeOf("string");
    const { publicUrl, visibility } = await client.file(filePath);
    expect(visibility).toBe("public");
    expect(await (await fetch(publicUrl!)).text()).toBe("hello");
    expect(await client.setVisibility(filePath, "private", { tenantId: "public" })).not.toHaveProperty(
      "publicUrl",
    );
    expect((await fetch(publicUrl!)).status).toBe(403);
    const { presignedUrl } = await client.downloadUrl(filePath);
    expect(await (await fetch(presignedUrl)).text()).toBe("hello");
    expect(await client.setVisibility(filePath, "public")).toMatchObject({ publicUrl });
    expect(await client.deleteFiles(filePath, { purge: true })).toMatchObject({ deleted: [filePath] });
    expect((await fetch(publicUrl!)).status).toBe(403);
  }
  await expect(client.setVisibility("projects/none", "public")).rejects.toMatchObject({
    code: "file_not_found",
  });
});

test("exportTenant yields the tenant and its files, and deleteTenant removes both", async () => {
  const tenantId = "leaving";
  const files = [await aFile(tenantId), await aFile(tenantId)];
  await client.deleteFiles(files[1]!.filePath);
  const [tenant, ...exported] = await readAll(client.exportTenant(tenantId));
  expect(tenant).toMatchObject({ type: "tenant", tenantId, usedBytes: 2 * bytes.length, fileCount: 2 });
  expect(exported).toMatchObject([
    { type: "file", filePath: files[0]!.filePath, status: "stored" },
    { type: "file", filePath: files[1]!.filePath, status: "trashed", presignedUrl: null },
  ]);
  const { presignedUrl, cursor } = exported[0] as { presignedUrl: string; cursor: string };
  expect(await (await fetch(presignedUrl)).text()).toBe("hello");
  expect(await readAll(client.exportTenant(tenantId, { after: cursor }))).toEqual(exported.slice(1));

  expect(await client.deleteTenant(tenantId)).toBe(0);
  expect(await client.deleteTenant(tenantId)).toBe(0);
  const unknown = { code: "tenant_not_found", message: "Tenant not found" };
  await expect(readAll(client.exportTenant(tenantId))).rejects.toMatchObject(unknown);
});

async function readAll<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

test("createLink returns a URL that downloads the file, until revokeLink ends it", async () => {
  const owner = { tenantId: "links" };
  const { filePath } = await aFile(owner.tenantId);
  await expect(client.createLink(filePath, { tenantId: "other" })).rejects.toMatchObject({
    code: "file_not_found",
  });
  const options = { ...owner, expiresAfter: 600, maxDownloads: 2, disposition: "inline" } as const;
  const { url, ...link } = await client.createLink(filePath, options);
  expect(link).toMatchObject({
    filePath,
    tenantId: "links",
    maxDownloads: 2,
    downloads: 0,
    hasPassword: false,
  });
  expect(await (await fetch(url)).text()).toBe("hello");
  const locked = await client.createLink(filePath, { password: "correct horse" });
  const listed = [];
  for await (const each of client.links({ ...owner, filePath, pageSize: 1 })) listed.push(each);
  expect(listed).toMatchObject([
    { linkId: locked.linkId, hasPassword: true },
    { ...link, downloads: 1 },
  ]);
  await expect(client.revokeLink(link.linkId, { tenantId: "other" })).rejects.toMatchObject({
    code: "link_not_found",
  });
  expect(await client.revokeLink(link.linkId, owner)).toEqual({ ...link, downloads: 1 });
  expect((await fetch(url)).status).toBe(404);
  await expect(client.links({}).next()).rejects.toMatchObject({ code: "invalid_request" });
});

test("folders yields the folders of a tenant, and upload, updateFile and files take one", async () => {
  const tenantId = "folders";
  const file = { tenantId, file: bytes, filename: "a.txt", folder: "reports/2026" };
  const { filePath } = await client.upload(file);
  const byParts = await client.upload({ ...file, multipartFrom: 1 });
  expect(byParts.folder).toBe("reports/2026");
  const foldersIn = (parent?: string) => readAll(client.folders(tenantId, { parent, pageSize: 1 }));
  expect(await foldersIn()).toEqual([{ folder: "reports", fileCount: 2, usedBytes: 10 }]);
  expect(await client.updateFile(filePath, { folder: "" })).toMatchObject({ folder: "" });
  expect(await foldersIn("reports")).toEqual([{ folder: "reports/2026", fileCount: 1, usedBytes: 5 }]);
  const pathsOf = async (query: { folder?: string; folderBelow?: string }) =>
    (await readAll(client.files({ tenantId, ...query }))).map((found) => found.filePath);
  expect(await pathsOf({ folder: "" })).toEqual([filePath]);
  expect(await pathsOf({ folderBelow: "reports" })).toEqual([byParts.filePath]);
  await expect(client.upload({ ...file, folder: "a//b" })).rejects.toMatchObject({ code: "invalid_request" });
});

test("moveFolder and deleteFolder start jobs, and job tells how far they are", async () => {
  const tenantId = "folder jobs";
  const { filePath } = await client.upload({
    tenantId,
    file: bytes,
    filename: "a.txt",
    folder: "drafts/2026",
  });
  const ended = async (jobId: string) => {
    await expect
      .poll(async () => (await client.job(jobId, { tenantId })).state, { timeout: 60_000 })
      .toBe("done");
    return client.job(jobId);
  };
  const moved = await client.moveFolder(tenantId, "drafts", "reports");
  const counts = { total: 1, done: 1, kept: 0 };
  expect(await ended(moved)).toMatchObject({ jobId: moved, kind: "move_folder", tenantId, ...counts });
  const inFolder = await readAll(client.files({ tenantId, folder: "reports/2026" }));
  expect(inFolder.map((found) => found.filePath)).toEqual([filePath]);
  const deleted = await client.deleteFolder(tenantId, "reports");
  expect(await ended(deleted)).toMatchObject({ kind: "delete_folder", ...counts });
  expect(await readAll(client.files({ tenantId }))).toEqual([]);
  await expect(client.job(moved, { tenantId: "other" })).rejects.toMatchObject({ code: "job_not_found" });
  await expect(client.moveFolder(tenantId, "a", "a/b")).rejects.toMatchObject({ code: "invalid_request" });
  await expect(client.deleteFolder("unknown", "a")).rejects.toMatchObject({ code: "tenant_not_found" });
});
