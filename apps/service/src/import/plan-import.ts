import { and, eq, inArray } from "drizzle-orm";
import { plans, projects, tenants } from "#db/schema/index.js";
import type { Project } from "#projects/find-project.js";
import {
  planOf,
  type ServiceLimits,
  tenantColumns,
  type TenantRecord,
  toTenantRecord,
} from "#tenants/tenant-record.js";
import { readPages, type ReadPagesDeps } from "./read-pages.js";
import { addSkipped, type Skipped } from "./skipped.js";

/** What an import would do. */
export interface ImportPlan {
  /** The objects that would become files, their bytes and their tenants. */
  files: number;
  bytes: number;
  tenants: number;
  /** The objects that earlier runs have imported. */
  done: number;
  skipped: Skipped[];
  /** The tenants whose quota or limit of files is too small, those with the most bytes beyond it first. */
  overQuota: OverQuota[];
}

export interface OverQuota {
  tenantId: string;
  files: number;
  bytes: number;
  /** Bytes beyond the quota. */
  excessBytes: number;
  /** Files beyond the limit of files. */
  excessFiles: number;
}

interface Sum {
  files: number;
  bytes: number;
}

/** Tenants per query. */
const BATCH_SIZE = 500;

/**
 * Reads the whole listing and writes nothing.
 *
 * @throws {StowageError} `invalid_request` if the source refuses; `unavailable`
 */
export async function planImport(
  deps: ReadPagesDeps & ServiceLimits,
  project: Project & { maxFileBytes: number },
): Promise<ImportPlan> {
  const sums = new Map<string, Sum>();
  const plan: ImportPlan = { files: 0, bytes: 0, tenants: 0, done: 0, skipped: [], overQuota: [] };
  for await (const page of readPages(deps, project)) {
    plan.done += page.doneCount + page.recorded.length;
    for (const { object, reason } of page.skipped) addSkipped(plan.skipped, reason, object.key);
    for (const { object, place } of page.wanted) {
      const sum = sums.get(place.tenantId) ?? { files: 0, bytes: 0 };
      sums.set(place.tenantId, { files: sum.files + 1, bytes: sum.bytes + object.sizeBytes });
      plan.files++;
      plan.bytes += object.sizeBytes;
    }
  }
  plan.tenants = sums.size;
  const defaults = await readDefaults(deps, project);
  const ids = [...sums.keys()];
  for (let at = 0; at < ids.length; at += BATCH_SIZE) {
    const batch = ids.slice(at, at + BATCH_SIZE);
    const known = await readTenants(deps, project, batch);
    for (const tenantId of batch) {
      const over = compare(tenantId, sums.get(tenantId)!, known.get(tenantId) ?? defaults);
      if (over) plan.overQuota.push(over);
    }
  }
  plan.overQuota.sort((a, b) => b.excessBytes - a.excessBytes || b.excessFiles - a.excessFiles);
  return plan;
}

type Limits = Pick<TenantRecord, "usedBytes" | "reservedBytes" | "fileCount" | "quotaBytes" | "maxFiles">;

function compare(tenantId: string, { files, bytes }: Sum, limits: Limits): OverQuota | null {
  const { usedBytes, reservedBytes, fileCount, quotaBytes, maxFiles } = limits;
  const excessBytes = Math.max(0, usedBytes + reservedBytes + bytes - (quotaBytes ?? Infinity));
  const excessFiles = Math.max(0, fileCount + files - (maxFiles ?? Infinity));
  return excessBytes + excessFiles === 0 ? null : { tenantId, files, bytes, excessBytes, excessFiles };
}

async function readTenants(
  deps: Pick<ReadPagesDeps, "db"> & ServiceLimits,
  project: Project,
  tenantIds: string[],
): Promise<Map<string, Limits>> {
  const rows = await deps.db.run((db) =>
    db
      .select(tenantColumns)
      .from(tenants)
      .innerJoin(projects, eq(projects.id, tenants.projectId))
      .leftJoin(plans, planOf)
      .where(and(eq(tenants.projectId, project.id), inArray(tenants.tenantId, tenantIds))),
  );
  return new Map(rows.map((row) => [row.tenantId, toTenantRecord(row, deps)]));
}

/** The limits of a tenant that does not exist yet. */
async function readDefaults(
  { db, defaultQuotaBytes, defaultLimits }: Pick<ReadPagesDeps, "db"> & ServiceLimits,
  project: Project,
): Promise<Limits> {
  const [row] = await db.run((db) =>
    db
      .select({ quotaBytes: projects.defaultQuotaBytes, limits: projects.defaultLimits })
      .from(projects)
      .where(eq(projects.id, project.id)),
  );
  const { maxFiles } = { ...defaultLimits, ...row?.limits };
  return {
    usedBytes: 0,
    reservedBytes: 0,
    fileCount: 0,
    quotaBytes: row?.quotaBytes ?? defaultQuotaBytes,
    maxFiles: maxFiles ?? null,
  };
}
