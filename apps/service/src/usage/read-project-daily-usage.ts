import type { OverviewDays } from "@stowage/operator-schemas";
import { sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projectUsageDaily } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import { lastUtcDays } from "#lib/time.js";

/** Uploads, deletes and downloads of one day in UTC. */
export interface ProjectDayUsage {
  /** Such as `2026-11-21`. */
  day: string;
  uploads: number;
  uploadedBytes: number;
  deletedFiles: number;
  deletedBytes: number;
  downloadsSigned: number;
  bytesSigned: number;
  /** Null if no access log of the day was imported. */
  bytesDelivered: number | null;
}

/**
 * Reads a project's uploads, deletes and downloads for the last days, with today as the last one. Days without any are zeros.
 *
 * @throws {StowageError} `unavailable`
 */
export async function readProjectDailyUsage(
  deps: { db: Queries; clock: () => Date },
  project: Project,
  input: { days: OverviewDays },
): Promise<ProjectDayUsage[]> {
  const days = lastUtcDays(deps.clock(), input.days);
  const rows = await deps.db.run((db) =>
    db.execute<Record<keyof ProjectDayUsage, string | null>>(
      sql`select day::text, sum(uploads) as uploads, sum(uploaded_bytes) as "uploadedBytes",
                 sum(deleted_files) as "deletedFiles", sum(deleted_bytes) as "deletedBytes",
                 sum(downloads_signed) as "downloadsSigned", sum(bytes_signed) as "bytesSigned",
                 sum(bytes_delivered) as "bytesDelivered"
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
      downloadsSigned: Number(row?.downloadsSigned ?? 0),
      bytesSigned: Number(row?.bytesSigned ?? 0),
      bytesDelivered: typeof row?.bytesDelivered === "string" ? Number(row.bytesDelivered) : null,
    };
  });
}
