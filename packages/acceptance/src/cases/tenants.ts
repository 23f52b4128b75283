import { core, topic } from "../case.js";
import type { Context } from "../context.js";
import { aNumber, aTextLike, aTime, anything, exactly } from "../expect/match.js";
import type { Answer } from "../http/answer.js";
import type { Tenant } from "../wire.js";

/** `GET /api/storage/usage/` */
export const usageCases = topic("usage", [
  core("has stored bytes, reserved bytes and files", async (t) => {
    const tenant_id = await t.ownTenant();
    await t.stored({ tenant_id });
    await t.upload({ tenant_id, size: 7 });
    (await t.get("usage", { tenant_id })).ok(
      exactly({
        used_bytes: 5,
        reserved_bytes: 7,
        file_count: 1,
        quota_bytes: anything,
        plan: null,
        max_files: anything,
        max_open_uploads: anything,
        uploads_per_minute: anything,
      }),
    );
  }),
  core("of a tenant that has never uploaded is zero", async (t) => {
    const tenant_id = await t.ownTenant();
    await t.hasUsage(tenant_id, 0, 0, 0);
  }),
  core("of the project has no quota", async (t) => {
    (await t.get("usage")).ok({
      used_bytes: aNumber,
      reserved_bytes: aNumber,
      file_count: aNumber,
      variant_bytes: aNumber,
      quota_bytes: null,
    });
  }),
]);

/** The lists, the export and the deletion of tenants. */
export const tenantCases = topic("a tenant", [
  core("is found in the list by a part of its ID", async (t) => {
    const tenant_id = await t.ownTenant("-Find_Me");
    await t.stored({ tenant_id });
    (await t.get("tenants", { q: tenant_id.toUpperCase() })).ok({
      tenants: [
        {
          tenant_id,
          used_bytes: 5,
          reserved_bytes: 0,
          file_count: 1,
          quota_bytes: anything,
          created_at: aTime,
        },
      ],
    });
    (await t.get("tenants", { q: tenant_id.replace("_", "%") })).ok({ tenants: [], next_cursor: null });
  }),
  core("is listed newest first, or by its usage", async (t) => {
    const [large, small] = [await t.ownTenant("-sorted"), await t.ownTenant("-sorted")];
    await t.stored({ tenant_id: large, bytes: "0123456789" });
    await t.stored({ tenant_id: small });
    const idsBy = async (sort: string) => {
      const { tenants } = (await t.get("tenants", { q: t.tenant, sort, limit: 100 })).ok<{
        tenants: Tenant[];
      }>();
      return tenants.map(({ tenant_id }) => tenant_id).filter((id) => id === large || id === small);
    };
    const answer = await t.get("tenants", { q: t.tenant, limit: 1 });
    answer.must("the newest first", (await idsBy("created_at")).join() === [small, large].join());
    answer.must("the largest first", (await idsBy("used_bytes")).join() === [large, small].join());
  }),
  ...(
    [
      ["sort", "size", "sort must be one of created_at, used_bytes"],
      ["limit", "0", "limit must be at least 1"],
      ["cursor", "zzz", "cursor is not valid"],
    ] as const
  ).map(([name, value, detail]) =>
    core(`is in no list with the ${name} ${value}`, async (t) => {
      (await t.get("tenants", { [name]: value })).refused(400, "invalid_request", detail);
    }),
  ),
  core("is exported as lines, which continue after a cursor", async (t) => {
    const tenant_id = await t.ownTenant();
    const [first, second] = [await t.cleanFile({ tenant_id }), await t.cleanFile({ tenant_id })];
    const { link_id } = await t.link({ file_path: first.file_path });
    const all = await t.get("tenants/export", { tenant_id });
    all.hasHeader("content-type", /^application\/x-ndjson/);
    const [, line] = readLines(all, [
      { type: "tenant", tenant_id, file_count: 2 },
      { type: "file", file_path: first.file_path, presigned_url: aTextLike(/^https?:/) },
      { type: "file", file_path: second.file_path },
      { type: "link", link_id, file_path: first.file_path, downloads: 0 },
      { type: "end", files: 2, links: 1 },
    ]);
    const rest = await t.get("tenants/export", { tenant_id, after: line!["cursor"]! });
    readLines(rest, [
      { type: "file", file_path: second.file_path },
      { type: "link", link_id },
      { type: "end", files: 1, links: 1 },
    ]);
  }),
  core("that does not exist is neither exported nor deleted", async (t) => {
    const tenant_id = await t.ownTenant("-unknown");
    if (t.facts.raisesQuota) return;
    const refusal = [404, "tenant_not_found", "Tenant not found"] as const;
    (await t.get("tenants/export", { tenant_id })).refused(...refusal);
    (await t.post("tenants/delete", { tenant_id })).refused(...refusal);
    (await t.post("tenants/delete", {})).refused(400, "tenant_id_required", "tenant_id is required");
  }),
  core("is deleted with all its files, and is new again after that", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    await t.upload({ tenant_id });
    await deleteTenant(t, tenant_id);
    (await t.post("tenants/delete", { tenant_id })).refused(404, "tenant_not_found", "Tenant not found");
    (await t.get("file", { file_path })).refused(404, "file_not_found");
    (await t.requestUpload({ tenant_id })).ok({ is_new_tenant: true });
  }),
]);

async function deleteTenant(t: Context, tenant_id: string): Promise<void> {
  await t.eventually(60_000, async () => {
    const answer = await t.post("tenants/delete", { tenant_id });
    answer.ok({ tenant_id, remaining_files: 0 });
  });
}

function readLines(answer: Answer, shapes: object[]): Record<string, string>[] {
  answer.hasStatus(200);
  const lines = answer.text.trimEnd().split("\n");
  answer.must(`${shapes.length} lines`, lines.length === shapes.length, `${lines.length} lines`);
  return lines.map((line, index) => answer.line<Record<string, string>>(line, shapes[index]));
}
