import type { ScanSetting } from "@stowage/operator-schemas";
import { asc, isNull } from "drizzle-orm";
import type { Queries } from "#db/client.js";
import { projects } from "#db/schema/index.js";

export interface ProjectSummary {
  ref: string;
  name: string;
  /** The first and last characters of the key. */
  apiKey: string;
  /** The quota of each tenant in bytes; null for the service's default. */
  defaultQuotaBytes: number | null;
  /** The other limits of each tenant; null for the service's. */
  defaultMaxFiles: number | null;
  defaultMaxOpenUploads: number | null;
  defaultUploadsPerMinute: number | null;
  maxFileBytes: number;
  requireSize: boolean;
  /** Whether a file stays that is found larger than the free quota. */
  allowOverQuota: boolean;
  /** How many days a deleted file stays in the trash. */
  trashDays: number;
  /** How many replaced files are kept of each file as its versions. */
  maxVersions: number;
  /** Who scans the files for viruses. */
  scan: ScanSetting;
  /** Whether files can be downloaded that the scanner cannot look into. */
  allowUnscannable: boolean;
  /** The name of its storage; null for the default. */
  storage: string | null;
  createdAt: string;
}

/**
 * Lists every project, oldest first.
 *
 * @throws {StowageError} `unavailable`
 */
export async function listProjects(deps: { db: Queries }): Promise<ProjectSummary[]> {
  const rows = await deps.db.run((db) =>
    db.select().from(projects).where(isNull(projects.deletedAt)).orderBy(asc(projects.id)),
  );
  return rows.map(toProjectSummary);
}

/** A project as operators see it, without the hash of its key. */
export function toProjectSummary(row: typeof projects.$inferSelect): ProjectSummary {
  return {
    ref: row.ref,
    name: row.name,
    apiKey: `${row.apiKeyStart}…${row.apiKeyLast4}`,
    defaultQuotaBytes: row.defaultQuotaBytes,
    defaultMaxFiles: row.defaultLimits?.maxFiles ?? null,
    defaultMaxOpenUploads: row.defaultLimits?.maxOpenUploads ?? null,
    defaultUploadsPerMinute: row.defaultLimits?.uploadsPerMinute ?? null,
    maxFileBytes: row.maxFileBytes,
    requireSize: row.requireSize,
    allowOverQuota: row.allowOverQuota,
    trashDays: row.trashDays,
    maxVersions: row.maxVersions,
    scan: row.scan,
    allowUnscannable: row.allowUnscannable,
    storage: row.storage,
    createdAt: row.createdAt.toISOString(),
  };
}
