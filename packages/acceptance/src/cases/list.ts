import { core, smoke, topic } from "../case.js";
import type { Context, Query } from "../context.js";
import { Failure, type Hint } from "../expect/failure.js";
import { exactly, show } from "../expect/match.js";
import type { FilePage } from "../wire.js";

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
  ...(
    [
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
