import { core, topic } from "../case.js";
import type { FileRecord, Upload } from "../wire.js";

const ON_HOLD = [409, "file_on_hold", "File is on hold"] as const;
const CLOCK_TOLERANCE_MS = 15_000;

/** `POST /api/storage/hold/` */
export const holdCases = topic("a hold", [
  core("keeps a file from being deleted, until it is released", async (t) => {
    const { file_path } = await t.stored();
    (await t.post("hold", { file_path, hold: true })).ok({ file_path, hold: true });
    for (const purge of [false, true]) (await t.post("delete", { file_path, purge })).refused(...ON_HOLD);
    const released = await t.post("hold", { file_path, hold: false });
    released.must("no member hold", !("hold" in released.ok<object>({})));
    (await t.purge(file_path)).ok({ deleted: [file_path] });
  }),
  core("is named in the answer to a delete of many files", async (t) => {
    const [held, free] = [await t.stored(), await t.stored()];
    (await t.post("hold", { file_path: held.file_path, hold: true })).ok();
    const file_paths = [held.file_path, free.file_path];
    (await t.post("delete", { file_paths, purge: true })).ok({
      deleted: [free.file_path],
      not_found: [],
      on_hold: [held.file_path],
    });
  }),
  core("keeps its tenant", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    (await t.post("hold", { file_path, hold: true })).ok();
    (await t.post("tenants/delete", { tenant_id })).refused(...ON_HOLD);
    (await t.get("file", { file_path })).ok({ status: "stored" });
  }),
  core("keeps an upload whose bytes have not arrived", async (t) => {
    const { file_path } = await t.upload();
    (await t.post("hold", { file_path, hold: true })).ok({ status: "pending", hold: true });
    (await t.post("cancel", { file_path })).refused(...ON_HOLD);
  }),
  core("needs a file and a value", async (t) => {
    (await t.post("hold", { file_path: "projects/none", hold: true })).refused(
      404,
      "file_not_found",
      "File not found",
    );
    (await t.post("hold", { file_path: "projects/none" })).refused(
      400,
      "invalid_request",
      "hold is required",
    );
  }),
]);

/** `expires_after` of both upload calls. */
export const expiryCases = topic("expires_after", [
  core("is the end of the file, from the request on", async (t) => {
    const answer = await t.post("complete", {
      file_path: (await t.stored({ expires_after: 600 })).file_path,
    });
    const { created_at, expires_at = "" } = answer.ok<FileRecord>();
    const lifetimeMs = Date.parse(expires_at) - Date.parse(created_at);
    answer.must(
      "an expires_at 600 s after created_at",
      Math.abs(lifetimeMs - 600_000) < CLOCK_TOLERANCE_MS,
      expires_at,
    );
  }),
  core("is missing in a file without an end", async (t) => {
    const answer = await t.post("complete", { file_path: (await t.stored()).file_path });
    answer.must("no member expires_at", !("expires_at" in answer.ok<object>()));
  }),
  core("ends each URL no later than the file", async (t) => {
    const upload = await t.requestUpload({ expires_after: 120 });
    const latest = Date.now() + 120_000 + CLOCK_TOLERANCE_MS;
    const { expires_at } = upload.ok<Upload>();
    upload.must("a URL that ends within 120 s", Date.parse(expires_at) <= latest, expires_at);
    const file = await t.cleanFile({ expires_after: 120 });
    const download = await t.post("download", { file_path: file.file_path, expires_in: 3600 });
    const end = download.ok<Upload>().expires_at;
    download.must("a URL that ends with the file", Date.parse(end) <= Date.parse(file.expires_at!), end);
  }),
  ...(
    [
      [59, "expires_after must be at least 60 seconds"],
      [315_360_001, "expires_after must be at most 315360000 seconds"],
      [60.5, "expires_after must be a whole number of seconds"],
      ["60", "expires_after must be a whole number of seconds"],
    ] as const
  ).map(([expires_after, detail]) =>
    core(
      `of ${JSON.stringify(expires_after)} is refused`,
      async (t) => {
        (await t.requestUpload({ expires_after })).refused(400, "invalid_request", detail);
        (await t.requestOpenUpload({ expires_after })).refused(400, "invalid_request", detail);
      },
      ["multipart"],
    ),
  ),
]);
