import { core, smoke, topic } from "../case.js";
import { exactly } from "../expect/match.js";

const OBJECT_LIMIT_MS = 30_000;

/** `POST /api/storage/delete/` */
export const deleteCases = topic("a delete", [
  smoke("takes the file out of usage, lists and downloads", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    (await t.post("delete", { file_path, tenant_id, purge: true })).ok(
      exactly({ deleted: [file_path], not_found: [] }),
    );
    await t.hasUsage(tenant_id, 0, 0, 0);
    (await t.get("files", { tenant_id })).ok({ files: [] });
    (await t.get("file", { file_path })).refused(404, "file_not_found", "File not found");
    for (const call of ["download", "complete", "delete"])
      (await t.post(call, { file_path })).refused(404, "file_not_found", "File not found");
  }),
  core("removes the bytes, so that a URL that was signed before reads nothing", async (t) => {
    const { file_path } = await t.cleanFile();
    const { presigned_url } = await t.download({ file_path });
    (await t.read(presigned_url)).hasStatus(200);
    (await t.purge(file_path)).ok();
    await t.eventually(OBJECT_LIMIT_MS, async () => (await t.read(presigned_url)).hasStatus(404, 403));
  }),
  core("of an upload whose bytes have not arrived returns its reservation", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.upload({ tenant_id, size: 9 });
    (await t.purge(file_path)).ok({ deleted: [file_path] });
    await t.hasUsage(tenant_id, 0, 0, 0);
  }),
  core("of many files names each path once, in the order of the request", async (t) => {
    const tenant_id = await t.ownTenant();
    const [a, b, c] = (await Promise.all([0, 1, 2].map(() => t.stored({ tenant_id })))).map(
      ({ file_path }) => file_path,
    ) as [string, string, string];
    const file_paths = [c, "projects/none", a, c, a];
    (await t.post("delete", { file_paths, purge: true })).ok(
      exactly({ deleted: [c, a], not_found: ["projects/none"] }),
    );
    await t.hasUsage(tenant_id, 5, 0, 1);
    (await t.get("file", { file_path: b })).ok({ status: "stored" });
  }),
  core("is for file_path or for 1 to 1,000 file_paths", async (t) => {
    for (const body of [
      {},
      { file_path: "a", file_paths: ["a"] },
      { file_paths: [] },
      { file_paths: Array.from({ length: 1001 }, (_, index) => `${index}`) },
      { file_path: "a", purge: "yes" },
    ])
      (await t.post("delete", body)).refused(400, "invalid_request");
  }),
]);

/** A project whose deleted files can be restored, and one without. */
export const trashCases = topic("the trash", [
  core(
    "keeps a deleted file, which counts and is listed as trashed",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path } = await t.stored({ tenant_id });
      (await t.post("delete", { file_path })).ok({ deleted: [file_path] });
      for (const call of ["download", "complete", "delete"])
        (await t.post(call, { file_path })).refused(404, "file_not_found", "File not found");
      (await t.get("file", { file_path })).refused(404, "file_not_found");
      (await t.get("files", { tenant_id })).ok({ files: [] });
      (await t.get("files", { tenant_id, status: "trashed" })).ok({
        files: [{ file_path, status: "trashed" }],
      });
      await t.hasUsage(tenant_id, 5, 0, 1);
    },
    ["trash"],
  ),
  core(
    "gives a file back",
    async (t) => {
      const { file_path } = await t.cleanFile();
      (await t.post("delete", { file_path })).ok();
      (await t.post("restore", { file_path, tenant_id: t.tenant })).ok({ file_path, status: "stored" });
      const answer = await t.read((await t.download({ file_path })).presigned_url);
      answer.must("the bytes hello", answer.status === 200 && answer.text === "hello");
    },
    ["trash"],
  ),
  core(
    "gives many files back, and names those that it does not have",
    async (t) => {
      const [trashed, stored] = [await t.stored(), await t.stored()];
      (await t.post("delete", { file_path: trashed.file_path })).ok();
      const file_paths = [trashed.file_path, stored.file_path, "unknown"];
      (await t.post("restore", { file_paths })).ok({
        restored: [trashed.file_path],
        not_found: [stored.file_path, "unknown"],
      });
    },
    ["trash"],
  ),
  core(
    "is emptied with purge",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path } = await t.stored({ tenant_id });
      (await t.post("delete", { file_path })).ok();
      (await t.purge(file_path)).ok({ deleted: [file_path] });
      await t.hasUsage(tenant_id, 0, 0, 0);
      (await t.post("restore", { file_path })).refused(404, "file_not_found");
    },
    ["trash"],
  ),
  core(
    "does not exist without the project's setting",
    async (t) => {
      const { file_path } = await t.stored();
      (await t.post("delete", { file_path })).ok();
      (await t.post("restore", { file_path })).refused(404, "file_not_found", "File not found");
    },
    ["noTrash"],
  ),
  core("restores nothing that is not in it", async (t) => {
    const { file_path } = await t.stored();
    for (const path of ["unknown", file_path])
      (await t.post("restore", { file_path: path })).refused(404, "file_not_found", "File not found");
    for (const body of [{}, { file_path, file_paths: [file_path] }])
      (await t.post("restore", body)).refused(400, "invalid_request");
  }),
]);
