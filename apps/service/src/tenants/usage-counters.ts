import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.js";
import { toUtcDay } from "#lib/time.js";

/** What a transaction changes about the files of one tenant. */
export interface UsageChange {
  /** `tenants.id` */
  tenant: number;
  /** Files that became stored, and stored files that were deleted. A replaced file counts as both. */
  uploads: number;
  uploadedBytes: number;
  deletedFiles: number;
  deletedBytes: number;
  /** How many more bytes of the quota open uploads reserve; negative for fewer. */
  reservedBytes: number;
}

interface ChangeContext {
  projectId: number;
  at: Date;
}

export const noUsageChange = (tenant: number): UsageChange => ({
  tenant,
  uploads: 0,
  uploadedBytes: 0,
  deletedFiles: 0,
  deletedBytes: 0,
  reservedBytes: 0,
});

/**
 * Adds changes to the tenants' counters and to the daily usage of tenants and project, in one statement. Both are written from the
 * same numbers, so a tenant's counters always equal the sums over its days.
 *
 * The function locks the tenants in the order of their ids, then their days (which only the holder of the tenant's lock changes),
 * and then the project's slots in their order. A transaction locks files before, so these statements cannot deadlock.
 *
 * @param changes one for each tenant
 */
export async function updateUsageCounters(
  tx: Transaction,
  { projectId, at }: ChangeContext,
  changes: UsageChange[],
): Promise<void> {
  await tx.execute(
    sql`select add_usage(${projectId}::bigint, ${toUtcDay(at)}::date, ${toJson(changes)}::text::json, ${at.toISOString()}::timestamptz)`,
  );
}

/** Adds changes to the daily usage only, for tenants whose counters are already right. */
export async function updateDailyUsage(
  tx: Transaction,
  { projectId, at }: ChangeContext,
  changes: UsageChange[],
): Promise<void> {
  await tx.execute(
    sql`select add_daily_usage(${projectId}::bigint, ${toUtcDay(at)}::date, ${toJson(changes)}::text::json, ${at.toISOString()}::timestamptz)`,
  );
}

function toJson(changes: UsageChange[]): string {
  return JSON.stringify(
    changes.map((change) => ({
      tenant: change.tenant,
      uploads: change.uploads,
      uploaded_bytes: change.uploadedBytes,
      deleted_files: change.deletedFiles,
      deleted_bytes: change.deletedBytes,
      reserved_bytes: change.reservedBytes,
    })),
  );
}
