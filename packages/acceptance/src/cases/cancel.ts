import { core, topic } from "../case.js";
import { exactly } from "../expect/match.js";

/** `POST /api/storage/cancel/` */
export const cancelCases = topic("a cancel", [
  core("returns the reservation when it is answered", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.upload({ tenant_id, size: 9 });
    await t.hasUsage(tenant_id, 0, 9, 0);
    (await t.post("cancel", { file_path, tenant_id })).ok(exactly({ file_path, cancelled: true }));
    await t.hasUsage(tenant_id, 0, 0, 0);
  }),
  core("makes the upload unknown to all other calls", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.upload({ tenant_id });
    (await t.post("cancel", { file_path })).ok();
    for (const call of ["complete", "download", "delete"])
      (await t.post(call, { file_path })).refused(404, "file_not_found", "File not found");
    (await t.get("file", { file_path })).refused(404, "file_not_found", "File not found");
    (await t.get("files", { tenant_id })).ok({ files: [], next_cursor: null });
  }),
  core("can be repeated", async (t) => {
    const { file_path } = await t.upload();
    for (let times = 0; times < 2; times++) (await t.post("cancel", { file_path })).ok({ cancelled: true });
  }),
  core("keeps a stored file", async (t) => {
    const { file_path } = await t.stored();
    (await t.post("cancel", { file_path })).refused(409, "upload_already_stored", "Upload is already stored");
    (await t.get("file", { file_path })).ok({ status: "stored" });
  }),
  core("keeps a file whose PUT has ended", async (t) => {
    const upload = await t.upload();
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.post("cancel", { file_path: upload.file_path })).refused(409, "upload_already_stored");
    (await t.get("file", { file_path: upload.file_path })).ok({ status: "stored", size: 5 });
  }),
  core("wins against bytes that arrive later", async (t) => {
    const tenant_id = await t.ownTenant();
    const upload = await t.upload({ tenant_id });
    (await t.post("cancel", { file_path: upload.file_path })).ok();
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.post("complete", { file_path: upload.file_path })).refused(404, "file_not_found");
    await t.hasUsage(tenant_id, 0, 0, 0);
  }),
  core("of an unknown upload is refused", async (t) => {
    (await t.post("cancel", { file_path: "projects/none" })).refused(404, "file_not_found", "File not found");
    (await t.post("cancel", {})).refused(400, "invalid_request", "file_path is required");
  }),
]);
