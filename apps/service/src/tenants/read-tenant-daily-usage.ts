import { StowageError } from "@stowage/schemas";
import type { TenantUsageInput } from "@stowage/operator-schemas";
import { and, eq, gte } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { tenants, usageDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lastUtcDays } from "#lib/time.js";
import { readLoggedDays } from "./read-meters.js";

/** The uploads and downloads of one day in UTC, and the usage at the end of that day. */
export interface TenantDayUsage {
  /** Such as `2026-11-21`. */
  day: string;
  uploads: number;
  uploadedBytes: number;
  usedBytes: number;
  downloadsSigned: number;
  bytesSigned: number;
  /** Null if no log was imported that has a download of the project on the day. */
  bytesDelivered: number | null;
}

/**
 * Reads a tenant's usage for the last days, with today as the last one. The usage of earlier days is computed backwards from the
 * current usage. They come from one statement, so no upload can change them in between.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readTenantDailyUsage(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  { tenantId, days: count }: TenantUsageInput,
): Promise<TenantDayUsage[]> {
  const days = lastUtcDays(deps.clock(), count);
  const rows = await deps.db.run((db) =>
    db
      .select({ usedBytes: tenants.usedBytes, daily: usageDaily })
      .from(tenants)
      .leftJoin(
        usageDaily,
        and(
          eq(usageDaily.projectId, tenants.projectId),
          eq(usageDaily.tenant, tenants.id),
          gte(usageDaily.day, days[0]!),
        ),
      )
      .where(and(eq(tenants.projectId, project.id), eq(tenants.tenantId, tenantId))),
  );
  if (!rows[0]) throw new StowageError("tenant_not_found");
  const loggedDays = await readLoggedDays(deps, project, { from: days[0]!, to: days.at(-1)! });
  const byDay = new Map(rows.map(({ daily }) => [daily?.day, daily]));
  let usedBytes = rows[0].usedBytes;
  const newestFirst = days.toReversed().map((day) => {
    const row = byDay.get(day);
    const { uploads = 0, uploadedBytes = 0, deletedBytes = 0 } = row ?? {};
    const usedAtEnd = usedBytes;
    usedBytes += deletedBytes - uploadedBytes;
    return {
      day,
      uploads,
      uploadedBytes,
      usedBytes: usedAtEnd,
      downloadsSigned: row?.downloadsSigned ?? 0,
      bytesSigned: row?.bytesSigned ?? 0,
      bytesDelivered: row?.bytesDelivered ?? (loggedDays.has(day) ? 0 : null),
    };
  });
  return newestFirst.toReversed();
}
