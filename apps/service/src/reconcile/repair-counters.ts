import { and, eq, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { files, tenants, usageDaily } from "#db/schema/index.js";
import { updateDailyUsage, noUsageChange } from "#tenants/usage-counters.js";
import { clearQuotas } from "#outbox/emit-events.js";
import { COUNTED } from "#db/schema/file-statuses.js";

/**
 * Sets a tenant's counters to the sums over its files, and adds the difference of its daily usage to the day of the repair. The
 * tenant's row is locked before the sums are read. Every transaction that changes a file also changes this row, so each change is
 * either part of the sums or applied after the repair.
 *
 * @throws {StowageError} `unavailable`
 */
export async function repairCounters(
  deps: { db: Queries; clock: () => Date },
  projectId: number,
  tenantId: string,
): Promise<void> {
  await deps.db.run((db) =>
    db.transaction(async (tx) => {
      const [tenant] = await tx
        .select({ id: tenants.id })
        .from(tenants)
        .where(and(eq(tenants.projectId, projectId), eq(tenants.tenantId, tenantId)))
        .for("update");
      if (!tenant) return;
      const [sums] = await tx
        .select({
          usedBytes: sql<number>`coalesce(sum(${files.size}) filter (where ${files.status} in ${sql.raw(COUNTED)}), 0)::bigint`,
          reservedBytes: sql<number>`coalesce(sum(${files.reservedBytes}), 0)::bigint - (
            select coalesce(sum(credit_bytes), 0)::bigint from replacements
            where project_id = ${projectId} and tenant = ${tenant.id})`,
          fileCount: sql<number>`(count(*) filter (where ${files.status} in ${sql.raw(COUNTED)}))::integer`,
        })
        .from(files)
        .where(and(eq(files.projectId, projectId), eq(files.tenant, tenant.id)));
      const [days] = await tx
        .select({
          bytes: sql<number>`coalesce(sum(uploaded_bytes - deleted_bytes), 0)::bigint`,
          files: sql<number>`coalesce(sum(uploads - deleted_files), 0)::bigint`,
        })
        .from(usageDaily)
        .where(and(eq(usageDaily.projectId, projectId), eq(usageDaily.tenant, tenant.id)));
      if (!sums || !days) return;
      await tx
        .update(tenants)
        .set(sums)
        .where(and(eq(tenants.projectId, projectId), eq(tenants.id, tenant.id)));
      const difference = { bytes: sums.usedBytes - days.bytes, files: sums.fileCount - days.files };
      await updateDailyUsage(tx, { projectId, at: deps.clock() }, [
        {
          ...noUsageChange(tenant.id),
          uploads: Math.max(0, difference.files),
          uploadedBytes: Math.max(0, difference.bytes),
          deletedFiles: Math.max(0, -difference.files),
          deletedBytes: Math.max(0, -difference.bytes),
        },
      ]);
      await clearQuotas(tx, { projectId, at: deps.clock() }, [tenant.id]);
    }),
  );
}
