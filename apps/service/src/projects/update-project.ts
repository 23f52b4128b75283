import { StowageError } from "@stowage/schemas";
import type { ScanSetting } from "@stowage/operator-schemas";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";
import { mergeLimits } from "./merge-limits.js";
import { type ProjectSummary, toProjectSummary } from "./list-projects.js";

/** Settings that are left out do not change. */
export interface ProjectChange {
  name?: string;
  /** The quota of each tenant in bytes; null for the service's default. */
  defaultQuotaBytes?: number | null;
  /** The other limits of each tenant; null for the service's. */
  defaultMaxFiles?: number | null;
  defaultMaxOpenUploads?: number | null;
  defaultUploadsPerMinute?: number | null;
  maxFileBytes?: number;
  requireSize?: boolean;
  /** Whether a file stays that is found larger than the free quota. */
  allowOverQuota?: boolean;
  trashDays?: number;
  /** How many replaced files are kept of each file as its versions. More than 0 needs a trash. */
  maxVersions?: number;
  /** Files that are stored already are scanned too. */
  scan?: ScanSetting;
  /** Whether files can be downloaded that the scanner cannot look into. */
  allowUnscannable?: boolean;
}

/**
 * Changes a project's settings. They apply to uploads that are requested from then on. Stored files are not affected,
 * except by the settings of virus scans.
 *
 * @throws {StowageError} `not_found` for an unknown ref; `invalid_request` for an empty change; `unavailable`
 */
export async function updateProject(
  deps: { db: Queries },
  ref: string,
  change: ProjectChange,
): Promise<ProjectSummary> {
  if (Object.keys(change).length === 0)
    throw new StowageError("invalid_request", { detail: "Say what to change" });
  const {
    defaultMaxFiles: maxFiles,
    defaultMaxOpenUploads: maxOpenUploads,
    defaultUploadsPerMinute: uploadsPerMinute,
    ...settings
  } = change;
  const limits = { maxFiles, maxOpenUploads, uploadsPerMinute };
  const values = { ...settings, defaultLimits: mergeLimits(projects.defaultLimits, limits) };
  const [project] = await deps.db.run((db) =>
    db
      .update(projects)
      // From id 0 on, the files that are stored already are marked for the new scanner: see scans/queue-for-scan.ts.
      .set(change.scan === undefined ? values : { ...values, scanQueuedUpTo: restartIfOther(change.scan) })
      .where(and(eq(projects.ref, ref), isNull(projects.deletedAt)))
      .returning(),
  );
  if (!project) throw new StowageError("not_found", { detail: "Project not found" });
  return toProjectSummary(project);
}

function restartIfOther(scan: ScanSetting): SQL {
  return sql`case when ${projects.scan} = ${scan} then ${projects.scanQueuedUpTo} else 0 end`;
}
