import type { OverviewDays } from "@stowage/schemas/dashboard";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projectUsageDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { dayOf } from "#files/count-files.js";

/** What came and what went on one day of UTC. */
export interface DayOfUsage {
  /** `2026-11-21` */
  day: string;
  uploads: number;
  uploadedBytes: number;
  deletedFiles: number;
  deletedBytes: number;
}

const DAY_MS = 24 * 3600 * 1000;

/**
 * What came to a project and what went in the last days, today the last of them, each day there is one.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readUsagePerDay(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  input: { days: OverviewDays },
): Promise<DayOfUsage[]> {
  const days = lastDays(deps.clock(), input.days);
  const rows = await deps.db.run((db) =>
    db.execute<Record<keyof DayOfUsage, string>>(
      sql`select day::text, sum(uploads) as uploads, sum(uploaded_bytes) as "uploadedBytes",
                 sum(deleted_files) as "deletedFiles", sum(deleted_bytes) as "deletedBytes"
          from ${projectUsageDaily}
          where project_id = ${project.id}::bigint and day >= ${days[0]!}::date group by day`,
    ),
  );
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return days.map((day) => {
    const row = byDay.get(day);
    return {
      day,
      uploads: Number(row?.uploads ?? 0),
      uploadedBytes: Number(row?.uploadedBytes ?? 0),
      deletedFiles: Number(row?.deletedFiles ?? 0),
      deletedBytes: Number(row?.deletedBytes ?? 0),
    };
  });
}

/** The last days of UTC, the oldest first, today the last. */
export function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, i) => dayOf(new Date(now.getTime() - (count - 1 - i) * DAY_MS)));
}
