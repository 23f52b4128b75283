import { StowageError } from "@stowage/schemas";
import type { TenantUsageInput } from "@stowage/schemas/dashboard";
import { and, eq, gte } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { tenants, usageDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lastDays } from "#usage/read-usage-per-day.js";

/** What came on one day of UTC, and what the tenant used at its end. */
export interface DayOfTenant {
  /** `2026-11-21` */
  day: string;
  uploads: number;
  uploadedBytes: number;
  usedBytes: number;
}

/**
 * The tenant's last days, today the last of them. What it used then is found from what it uses now, backwards: all of it
 * comes from one statement, so no upload gets in between.
 *
 * @throws {StowageError} `not_found`, `unavailable`
 */
export async function readUsageOfDays(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  { tenantId, days: count }: TenantUsageInput,
): Promise<DayOfTenant[]> {
  const days = lastDays(deps.clock(), count);
  const rows = await deps.db.run((db) =>
    db
      .select({ usedBytes: tenants.usedBytes, of: usageDaily })
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
  if (!rows[0]) throw new StowageError("not_found", { detail: "Tenant not found" });
  const byDay = new Map(rows.map(({ of }) => [of?.day, of]));
  let usedBytes = rows[0].usedBytes;
  const backwards = days.toReversed().map((day) => {
    const of = byDay.get(day);
    const atEnd = usedBytes;
    usedBytes += (of?.deletedBytes ?? 0) - (of?.uploadedBytes ?? 0);
    return { day, uploads: of?.uploads ?? 0, uploadedBytes: of?.uploadedBytes ?? 0, usedBytes: atEnd };
  });
  return backwards.toReversed();
}
