import { core, full, smoke, topic } from "../case.js";
import type { Context } from "../context.js";

const DETAIL = "Storage quota exceeded for this tenant";

/** A tenant of its own with this quota. */
async function aTenantWith(t: Context, quotaBytes: number): Promise<string> {
  const tenant_id = await t.ownTenant();
  await t.setQuota(tenant_id, quotaBytes);
  return tenant_id;
}

/** `PUT /api/storage/quota/`, and the upload requests that it refuses. */
export const quotaCases = topic("a quota", [
  smoke("refuses the upload that does not fit, and admits the one that does", async (t) => {
    const tenant_id = await aTenantWith(t, 10);
    (await t.requestUpload({ tenant_id, size: 11 })).refused(403, "quota_exceeded", DETAIL);
    (await t.requestUpload({ tenant_id, size: 10 })).ok();
  }),
  core("is answered with the tenant", async (t) => {
    const tenant_id = await t.ownTenant();
    await t.stored({ tenant_id });
    (await t.put("quota", { tenant_id, quota_bytes: 7 })).ok({
      tenant_id,
      used_bytes: 5,
      reserved_bytes: 0,
      file_count: 1,
      quota_bytes: 7,
      quota_source: "tenant",
    });
    (await t.get("usage", { tenant_id })).ok({ used_bytes: 5, quota_bytes: 7 });
  }),
  core("counts what open uploads reserve, until they are cancelled", async (t) => {
    const tenant_id = await aTenantWith(t, 10);
    const { file_path } = await t.upload({ tenant_id, size: 6 });
    (await t.requestUpload({ tenant_id, size: 5 })).refused(403, "quota_exceeded", DETAIL);
    (await t.post("cancel", { file_path })).ok();
    (await t.requestUpload({ tenant_id, size: 10 })).ok();
  }),
  core("counts stored bytes, until they are deleted", async (t) => {
    const tenant_id = await aTenantWith(t, 5);
    const { file_path } = await t.stored({ tenant_id });
    (await t.requestUpload({ tenant_id, size: 1 })).refused(403, "quota_exceeded", DETAIL);
    (await t.purge(file_path)).ok();
    (await t.requestUpload({ tenant_id, size: 5 })).ok();
  }),
  core(
    "that is used up refuses an upload without a size",
    async (t) => {
      const tenant_id = await aTenantWith(t, 5);
      await t.stored({ tenant_id });
      (await t.requestUpload({ tenant_id, size: undefined })).refused(403, "quota_exceeded", DETAIL);
    },
    ["unknownSize"],
  ),
  core("below the usage keeps every file", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    (await t.put("quota", { tenant_id, quota_bytes: 0 })).ok({ used_bytes: 5, quota_bytes: 0 });
    (await t.requestUpload({ tenant_id, size: 1 })).refused(403, "quota_exceeded", DETAIL);
    (await t.get("file", { file_path })).ok({ status: "stored" });
  }),
  core("of null is the default again", async (t) => {
    const tenant_id = await t.ownTenant();
    const before = await t.usage(tenant_id);
    await t.setQuota(tenant_id, 7);
    const back = await t.put("quota", { tenant_id, quota_bytes: null });
    const { quota_source } = back.ok<{ quota_source: string | null }>();
    back.must("another quota_source than tenant", quota_source !== "tenant");
    if (!t.facts.raisesQuota) back.ok({ quota_bytes: before.quota_bytes });
  }),
  core("can be set before the first upload, which still reports a new tenant", async (t) => {
    const tenant_id = await aTenantWith(t, 10);
    (await t.requestUpload({ tenant_id, size: 5 })).ok({ is_new_tenant: true });
    (await t.requestUpload({ tenant_id, size: 5 })).ok({ is_new_tenant: false });
  }),
  core("may be the largest whole number of JSON", async (t) => {
    const tenant_id = await t.ownTenant();
    const quota_bytes = Number.MAX_SAFE_INTEGER;
    (await t.put("quota", { tenant_id, quota_bytes })).ok({ quota_bytes });
  }),
  ...(
    [
      ["no quota_bytes", { quota_bytes: undefined }, "invalid_request", "quota_bytes is required"],
      ["no tenant_id", { tenant_id: undefined }, "tenant_id_required", "tenant_id is required"],
      ["a negative number", { quota_bytes: -1 }, "invalid_request", "quota_bytes must be at least 0"],
    ] as const
  ).map(([what, change, code, detail]) =>
    core(`with ${what} is refused`, async (t) => {
      (await t.put("quota", { tenant_id: t.tenant, quota_bytes: 1, ...change })).refused(400, code, detail);
    }),
  ),
  full(
    "is never exceeded by many requests at the same time",
    async (t) => {
      const tenant_id = await aTenantWith(t, 109);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          index % 2 ? t.requestUpload({ tenant_id, size: 10 }) : t.requestOpenUpload({ tenant_id, size: 10 }),
        ),
      );
      const admitted = answers.filter(({ status }) => status === 200).length;
      answers[0]!.must(
        "exactly 10 of 30 uploads of 10 bytes in 109",
        admitted === 10,
        `${admitted} admitted`,
      );
      for (const answer of answers) if (answer.status !== 200) answer.refused(403, "quota_exceeded", DETAIL);
      await t.hasUsage(tenant_id, 0, 100, 0);
    },
    ["multipart"],
  ),
]);
