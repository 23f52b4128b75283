import type { SetQuotaRequest } from "@stowage/schemas";
import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Queries, Transaction } from "#db/client.js";
import { projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { clearQuotas } from "#outbox/emit-events.js";
import { tenantColumns, type TenantRecord, toTenantRecord } from "./tenant-record.js";

export interface SetQuotaDeps {
  db: Queries;
  clock: () => Date;
  defaultQuotaBytes: number | null;
}

/**
 * Sets the quota of a tenant in bytes; null for the project's default. A quota below the current usage deletes no file and only
 * refuses further uploads. The quota may be set before the tenant's first upload, which still reports a new tenant: until then
 * the tenant's row has no ref (see db/functions/judge_uploads.sql).
 *
 * @throws {StowageError} `unavailable`
 */
export async function setQuota(
  deps: SetQuotaDeps,
  project: Project,
  input: SetQuotaRequest,
): Promise<TenantRecord> {
  const { tenantId, quotaBytes } = input;
  const [row] = await deps.db.run((db) =>
    db.transaction(async (tx) => {
      await tx
        .insert(tenants)
        .values({ projectId: project.id, tenantId, quotaBytes, createdAt: deps.clock() })
        .onConflictDoUpdate({ target: [tenants.projectId, tenants.tenantId], set: { quotaBytes } });
      await tellClearedQuota(tx, deps, project, tenantId);
      return tx
        .select(tenantColumns)
        .from(tenants)
        .innerJoin(projects, eq(projects.id, tenants.projectId))
        .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId)));
    }),
  );
  return toTenantRecord(row!, deps.defaultQuotaBytes);
}

/** If webhooks told that the tenant had reached its quota, compares it with the new one. */
async function tellClearedQuota(
  tx: Transaction,
  deps: SetQuotaDeps,
  project: Project,
  tenantId: string,
): Promise<void> {
  const isWaiting = and(
    eq(tenants.projectId, project.id),
    eq(tenants.tenantId, tenantId),
    isNotNull(tenants.quotaNeedsBytes),
  );
  const [row] = await tx
    .select({ id: tenants.id, ofProject: projects.defaultQuotaBytes })
    .from(tenants)
    .innerJoin(projects, eq(projects.id, tenants.projectId))
    .where(isWaiting);
  if (!row) return;
  const quota = sql`quota_of(${tenants.quotaBytes}, ${row.ofProject}::bigint, ${deps.defaultQuotaBytes}::bigint)`;
  await tx.update(tenants).set({ quotaReachedBytes: quota }).where(isWaiting);
  await clearQuotas(tx, { projectId: project.id, at: deps.clock() }, [row.id]);
}
