import { core, smoke, topic } from "../case.js";
import type { Context, Query } from "../context.js";
import { Failure, type Hint } from "../expect/failure.js";
import { exactly, show } from "../expect/match.js";
import type { FilePage, FileRecord } from "../wire.js";

const CONTENT_TYPE = 'content_type must be a media type without parameters, like "image/png" or "image/*"';

async function aTenantWithFiles(t: Context, names: string[]): Promise<string> {
  const tenant_id = await t.ownTenant();
  for (const filename of names) await t.upload({ tenant_id, filename });
  return tenant_id;
}

/** Reads all pages. A page of a search can be short or empty and still have a next one. */
async function readNames(t: Context, query: Query, between?: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | null = "";
  for (let pages = 0; cursor !== null && pages < 50; pages++) {
    const page: FilePage = await t.list({ ...query, ...(cursor && { cursor }) });
    names.push(...page.files.map(({ filename }) => filename));
    cursor = page.next_cursor;
    await between?.();
  }
  return names;
}

function areNames(asked: string, names: string[], expected: string[], hint?: Hint): void {
  if (show(names) === show(expected)) return;
  throw new Failure({
    asked,
    expected: `the files ${show(expected)}`,
    got: show(names),
    ...(hint && { hint }),
  });
}

/** `GET /api/storage/files/` */
export const listCases = topic("the list of files", [
  smoke("has a file as soon as it is requested, and again when it is stored", async (t) => {
    const tenant_id = await t.ownTenant();
    (await t.get("files", { tenant_id })).ok(exactly({ files: [], next_cursor: null }));
    const upload = await t.upload({ tenant_id });
    const { file_path } = upload;
    (await t.get("files", { tenant_id })).ok({ files: [{ file_path, status: "pending", size: null }] });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    await t.complete(file_path);
    (await t.get("files", { tenant_id })).ok({ files: [{ file_path, status: "stored", size: 5 }] });
  }),
  core("is sorted newest first, and its pages have each file once while others are added", async (t) => {
    const tenant_id = await aTenantWithFiles(t, ["1", "2", "3", "4", "5"]);
    const names = await readNames(t, { tenant_id, limit: 2 }, () =>
      t.upload({ tenant_id, filename: "late" }),
    );
    areNames("all pages of GET /api/storage/files/?limit=2", names, ["5", "4", "3", "2", "1"]);
  }),
  core("has only the files of its tenant", async (t) => {
    const [one, other] = [await aTenantWithFiles(t, ["one"]), await aTenantWithFiles(t, ["other"])];
    areNames("GET /api/storage/files/?tenant_id=…", await readNames(t, { tenant_id: one }), ["one"]);
    areNames("GET /api/storage/files/?tenant_id=…", await readNames(t, { tenant_id: other }), ["other"]);
  }),
  core("has only files of its status", async (t) => {
    const tenant_id = await aTenantWithFiles(t, ["pending"]);
    await t.stored({ tenant_id, filename: "stored" });
    for (const status of ["pending", "stored"])
      areNames(`GET /api/storage/files/?status=${status}`, await readNames(t, { tenant_id, status }), [
        status,
      ]);
  }),
  core("has no file that was deleted", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    (await t.purge(file_path)).ok();
    (await t.get("files", { tenant_id })).ok({ files: [], next_cursor: null });
  }),
  core("finds a part of a name in any letter case, and takes no character as a wildcard", async (t) => {
    const tenant_id = await aTenantWithFiles(t, ["Rechnung 1.pdf", "rechnung_2.pdf", "100%.pdf"]);
    for (const [q, expected] of [
      ["RECHNUNG", ["rechnung_2.pdf", "Rechnung 1.pdf"]],
      ["_", ["rechnung_2.pdf"]],
      ["%", ["100%.pdf"]],
      ["nothing", []],
    ] as const)
      areNames(`GET /api/storage/files/?q=${q}`, await readNames(t, { tenant_id, q }), [...expected]);
  }),
  core("finds letters beyond ASCII in any letter case", async (t) => {
    const tenant_id = await aTenantWithFiles(t, ["Öl.pdf"]);
    const names = await readNames(t, { tenant_id, q: "öl" });
    areNames("GET /api/storage/files/?q=öl", names, ["Öl.pdf"], { kind: "locale" });
  }),
  core("finds files by their metadata, which has to match whole", async (t) => {
    const tenant_id = await t.ownTenant();
    for (const [filename, metadata] of [
      ["1", { invoice: "1001", state: "paid" }],
      ["2", { invoice: "1001" }],
      ["3", { invoice: "10011", state: "paid" }],
      ["4", {}],
    ] as const)
      await t.upload({ tenant_id, filename, metadata });
    for (const [query, expected] of [
      [{ "metadata[invoice]": "1001" }, ["2", "1"]],
      [{ "metadata[invoice]": "1001", "metadata[state]": "paid" }, ["1"]],
      [{ "metadata[state]": "paid", limit: 1 }, ["3", "1"]],
      [{ "metadata[Invoice]": "1001" }, []],
      [{ "metadata[invoice]": "100%" }, []],
    ] as const)
      areNames(`GET /api/storage/files/ with ${show(query)}`, await readNames(t, { tenant_id, ...query }), [
        ...expected,
      ]);
  }),
  core("finds files by their media type, size and time", async (t) => {
    const tenant_id = await t.ownTenant();
    const early = await t.stored({ tenant_id, filename: "a.png", content_type: "image/png", bytes: "12345" });
    await t.stored({ tenant_id, filename: "b.txt", content_type: "Text/Plain; charset=utf-8", bytes: "12" });
    await t.upload({ tenant_id, filename: "c.png", content_type: "image/pngx", size: 5 });
    const { created_at } = (await t.get("file", { file_path: early.file_path })).ok<FileRecord>();
    for (const [query, expected] of [
      [{ content_type: "image/*" }, ["c.png", "a.png"]],
      [{ content_type: "IMAGE/png" }, ["a.png"]],
      [{ content_type: "text/plain" }, ["b.txt"]],
      [{ content_type: "application/*" }, []],
      [{ size_from: 2, size_to: 2 }, ["b.txt"]],
      [{ size_from: 0 }, ["b.txt", "a.png"]],
      [{ created_from: created_at, created_to: created_at }, ["a.png"]],
      [{ created_to: "2001-01-01T00:00:00+02:00" }, []],
    ] as const)
      areNames(`GET /api/storage/files/ with ${show(query)}`, await readNames(t, { tenant_id, ...query }), [
        ...expected,
      ]);
  }),
  core("has cursors that belong to their filters", async (t) => {
    const tenant_id = await aTenantWithFiles(t, ["1", "2"]);
    const { next_cursor } = await t.list({ tenant_id, limit: 1, created_from: "2001-01-01T00:00:00Z" });
    const plain = await t.list({ tenant_id, limit: 1 });
    for (const cursor of [next_cursor, plain.next_cursor])
      if (cursor !== null)
        (await t.get("files", { tenant_id, cursor, content_type: "image/*" })).refused(
          400,
          "invalid_request",
          "cursor is not valid",
        );
  }),
  ...(
    [
      ["metadata", "x", "metadata must be an object"],
      ["metadata[a\u0001]", "x", "metadata must not contain control characters"],
      ["content_type", "image", CONTENT_TYPE],
      ["content_type", "*/*", CONTENT_TYPE],
      ["content_type", "text/plain; charset=utf-8", CONTENT_TYPE],
      ["created_from", "yesterday", "created_from must be a time like 2026-01-31T12:00:00Z"],
      ["created_to", "0000-01-01T00:00:00Z", "created_to must be a time like 2026-01-31T12:00:00Z"],
      ["size_from", "", "size_from must be a whole number of bytes"],
      ["size_to", "-1", "size_to must be a whole number of bytes"],
      ["limit", "0", "limit must be at least 1"],
      ["limit", "101", "limit must be at most 100"],
      ["limit", "x", "limit must be a number"],
      ["status", "gone", "status must be one of pending, stored, expired, deleting, trashed"],
      ["cursor", "zzz", "cursor is not valid"],
      ["q", "x".repeat(256), "q must be at most 255 characters"],
    ] as const
  ).map(([name, value, detail]) =>
    core(`refuses the ${name} ${value.slice(0, 12)}`, async (t) => {
      (await t.get("files", { tenant_id: t.tenant, [name]: value })).refused(400, "invalid_request", detail);
    }),
  ),
]);

/** `GET /api/storage/file/` */
export const fileCases = topic("a file", [
  core("is found with its exact name, before and after its bytes arrive", async (t) => {
    const filename = "見積書 (最終) #1%?&🙂.pdf";
    const upload = await t.upload({ filename, metadata: { a: "ü" } });
    const { file_path } = upload;
    (await t.get("file", { file_path })).ok({
      filename,
      status: "pending",
      size: null,
      metadata: { a: "ü" },
    });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.get("file", { file_path })).ok({ filename, status: "stored", size: 5, metadata: { a: "ü" } });
  }),
  core("is found only by its path", async (t) => {
    (await t.get("file", { file_path: "projects/none" })).refused(404, "file_not_found", "File not found");
    (await t.get("file")).refused(400, "invalid_request", "file_path is required");
  }),
]);
