import { core, topic } from "../case.js";
import type { Context } from "../context.js";
import { aUrl } from "../expect/match.js";
import type { OpenUpload, Upload } from "../wire.js";

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
const REUSED = "Idempotency-Key was used for another request";

/** The header Idempotency-Key of both upload calls. */
export const idempotencyCases = topic("an Idempotency-Key", [
  core("answers a repeated request with the same path, and reserves once", async (t) => {
    const tenant_id = await t.ownTenant();
    const first = await t.upload({ tenant_id, size: 7 }, withKey("one"));
    const { file_path, is_new_tenant } = first;
    const again = await t.requestUpload({ tenant_id, size: 7 }, withKey("one"));
    again.ok({ file_path, is_new_tenant, presigned_url: aUrl });
    await t.hasUsage(tenant_id, 0, 7, 0);
  }),
  core("is refused for another request", async (t) => {
    const tenant_id = await t.ownTenant();
    await t.upload({ tenant_id }, withKey("one"));
    for (const change of [{ size: 6 }, { filename: "b.txt" }, { metadata: { a: "b" } }])
      (await t.requestUpload({ tenant_id, ...change }, withKey("one"))).refused(
        422,
        "idempotency_key_reused",
        REUSED,
      );
  }),
  core("is the key of one tenant", async (t) => {
    const uploads: Upload[] = [];
    for (const tenant_id of [await t.ownTenant(), await t.ownTenant()])
      uploads.push(await t.upload({ tenant_id }, withKey("one")));
    (await t.get("file", { file_path: uploads[1]!.file_path })).ok({ tenant_id: uploads[1]!.tenant_id });
  }),
  core("opens a new upload after its upload was cancelled", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.upload({ tenant_id }, withKey("one"));
    (await t.post("cancel", { file_path })).ok();
    const answer = await t.requestUpload({ tenant_id }, withKey("one"));
    answer.must("another file_path", answer.ok<Upload>().file_path !== file_path);
  }),
  core("of a refused request is not remembered", async (t) => {
    const tenant_id = await t.ownTenant();
    await t.setQuota(tenant_id, 2);
    (await t.requestUpload({ tenant_id, size: 3 }, withKey("one"))).refused(403, "quota_exceeded");
    (await t.requestUpload({ tenant_id, size: 2 }, withKey("one"))).ok({ is_new_tenant: true });
  }),
  core("has 1 to 255 visible ASCII characters", async (t) => {
    for (const key of ["x".repeat(256), "a b"])
      (await t.requestUpload({}, withKey(key))).refused(400, "invalid_request");
    await t.upload({ tenant_id: await t.ownTenant() }, withKey("x".repeat(255)));
  }),
  core("works for uploads by parts", opensOnce, ["multipart"]),
]);

async function opensOnce(t: Context): Promise<void> {
  const tenant_id = await t.ownTenant();
  const { file_path } = await t.openUpload({ tenant_id, size: 9 }, withKey("one"));
  (await t.requestOpenUpload({ tenant_id, size: 9 }, withKey("one"))).ok<OpenUpload>({ file_path });
  await t.hasUsage(tenant_id, 0, 9, 0);
  const other = await t.requestOpenUpload({ tenant_id, size: 10 }, withKey("one"));
  other.refused(422, "idempotency_key_reused", REUSED);
}
