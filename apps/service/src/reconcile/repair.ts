import type { Visibility } from "@stowage/schemas";
import { and, eq, sql } from "drizzle-orm";
import { ignorePurgeFailure, isPurgeFailure } from "#cdn/cdn.js";
import { type Database, inTransaction } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { removeObject, type RemoveObjectDeps } from "#files/delete/remove-objects.js";
import { isFile } from "#files/record/file-conditions.js";
import { queueMoves } from "#files/record/file-tasks.js";
import { bucketOf } from "#object-store/bucket-of.js";
import { forgetVariant } from "#variants/remove-variants.js";
import { forgetUpload } from "#files/parts/forget-upload.js";
import { readRow, settleUpload, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import type { MultipartRef, ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { DAY_MS } from "#lib/time.js";
import { adoptOrphan, type AdoptOutcome, type Owners } from "./adopt-orphan.js";
import type { Drift } from "./drift.js";
import { expireMissing } from "./expire-missing.js";
import { postponeEnd } from "./postpone-ends.js";
import { repairFolders } from "./recount-folders.js";
import { repairCounters } from "./repair-counters.js";

export type RepairDeps = SettleUploadDeps &
  RemoveObjectDeps & { db: Database; store: Pick<ObjectStore, "abortMultipart" | "listParts"> };

export interface RepairRules {
  /** Whether objects without a row may be removed. */
  deleteOrphans: boolean;
  /** False if a bucket contains none of its files: then the configuration probably names the wrong bucket. */
  mayExpireMissing: boolean;
  /**
   * The database was restored from a backup, and storage was not: see docs/decisions/0036. Null if not. Then an orphan gets a file, no
   * object is removed for the quota, no file ends at once, and no webhook calls a file lost that was probably deleted.
   */
  afterRestore: { owners: Owners } | null;
}

/**
 * `mended`: repaired. `kept`: nothing was changed, and `why` says the reason or what to do. The JSON output contains these
 * values.
 */
export type RepairOutcome = { outcome: "mended"; how: string } | { outcome: "kept"; why: string };

/** Younger objects are kept: after a restore from a backup, the object of a running upload can look like an orphan. */
const MIN_ORPHAN_AGE_MS = 2 * DAY_MS;

/**
 * Repairs one drift. Repeating it changes nothing more.
 *
 * @param project null if the database has no such project
 * @throws {StowageError} `unavailable`
 */
export async function repair(
  deps: RepairDeps,
  { project, drift }: { project: Project | null; drift: Drift },
  rules: RepairRules,
): Promise<RepairOutcome> {
  if (!project)
    return kept("its project is not in this database; check whether another service uses the same bucket");
  switch (drift.kind) {
    case "counters":
      await repairCounters(deps, project.id, drift.tenantId);
      return repaired("recounted");
    case "days":
      await repairCounters(deps, project.id, drift.tenantId);
      return repaired("the difference was added to today");
    case "folders":
      await repairFolders(deps, project.id, drift.tenantId);
      return repaired("recounted");
    case "missing":
      if (!rules.mayExpireMissing)
        return kept("the bucket contains no file at all; check S3_BUCKET and S3_PUBLIC_BUCKET");
      await expireMissing(deps, project.id, drift.path, { emits: rules.afterRestore === null });
      return repaired("marked as expired and no longer counted");
    case "misplaced":
      await replace(deps, project, drift);
      return repaired("the service moves it to the bucket where it belongs");
    case "missing_variant":
      await forgetVariant(deps, project.id, drift.path);
      return repaired("it is made again on demand");
    case "size":
    case "bytes":
    case "unsettled":
      return settle({ ...deps, ignoresQuota: rules.afterRestore !== null }, project, drift.path);
    case "ending":
      await postponeEnd(deps, project, drift.path);
      return repaired("it ends a week from now");
    case "orphan":
      if (rules.afterRestore)
        return fromAdoption[await adoptOrphan(deps, project, drift, rules.afterRestore.owners)];
      if (!rules.deleteOrphans) return kept("run with --delete-orphans to remove it");
      if (deps.clock().getTime() - drift.lastModified.getTime() < MIN_ORPHAN_AGE_MS)
        return kept("it is younger than two days; run reconcile again later");
      return removeOrphan(deps, drift);
    case "unknown_upload":
      return abort(deps, drift);
    case "lost_upload":
      if (!rules.mayExpireMissing) return kept("the bucket contains no file at all; check S3_BUCKET");
      return (await forgetUpload(deps, project.id, drift))
        ? repaired("the upload can continue, from its first part")
        : repaired("it ended in the meantime");
  }
}

/** No row repeats the purge later, so it is reported. */
async function removeOrphan(
  deps: RepairDeps,
  { path, place }: { path: string; place: Visibility },
): Promise<RepairOutcome> {
  try {
    await bucketOf(deps.store, place).remove(path);
  } catch (error) {
    if (!isPurgeFailure(error)) throw error;
    return kept("it has left the bucket, but the CDN did not take the purge: purge its URL there");
  }
  return repaired("removed from the bucket");
}

/**
 * Records where the object of a file really is, and that the other bucket may have one too. The job then moves it where it belongs.
 * An object that lies beside the recorded one changes only the second. A variant is made
 * again.
 */
async function replace(
  deps: RepairDeps,
  project: Project,
  { path, found }: { path: string; found: Visibility },
): Promise<void> {
  const row = await readRow(deps, project.id, path);
  if (!row) return forgetVariant(deps, project.id, path);
  const isAtPlace = (await bucketOf(deps.store, row.place).head(path)) !== null;
  const object = isAtPlace ? null : await bucketOf(deps.store, found).head(path);
  await inTransaction(deps.db, async (db, tx) => {
    await tx
      .update(files)
      .set({
        hasOtherCopy: true,
        ...(object && { place: found, publishedEtag: found === "public" ? object.etag : null }),
        revision: sql`${files.revision} + 1`,
      })
      .where(and(isFile(row), eq(files.revision, row.revision)));
    await queueMoves(db, project.id, [row.id], deps.clock());
  });
}

const MAX_ABORTS = 3;

/** Aborts this upload alone: the same path may have another one, which its file knows. */
async function abort(deps: RepairDeps, upload: MultipartRef): Promise<RepairOutcome> {
  for (let attempts = 0; attempts < MAX_ABORTS; attempts++) {
    await deps.store.abortMultipart(upload);
    // A part that was being sent may have been stored after the abort.
    const page = await deps.store.listParts(upload, 0);
    if (page === null || page.parts.length === 0) return repaired("aborted");
  }
  return kept("storage still has it after an abort; run reconcile again later");
}

async function settle(deps: RepairDeps, project: Project, path: string): Promise<RepairOutcome> {
  const outcome = await settleUpload(deps, project.id, path);
  if (outcome === "stored") return repaired("counted with its size in storage");
  if (outcome === "removing") {
    await removeObject(deps, project.id, path).catch(ignorePurgeFailure);
    return repaired("removed, because it does not fit the quota");
  }
  return outcome === "gone"
    ? repaired("it was deleted in the meantime")
    : kept("its object disappeared in the meantime; run reconcile again");
}

const fromAdoption: Record<AdoptOutcome, RepairOutcome> = {
  adopted: { outcome: "mended", how: "it has a file again" },
  gone: { outcome: "mended", how: "it was deleted in the meantime" },
  foreign: { outcome: "kept", why: "its path is none that the service makes" },
  deleting: { outcome: "kept", why: "its tenant is being deleted" },
  unknown_tenant: {
    outcome: "kept",
    why: "its tenant is not in this database; name the tenant in a file and pass it with --owners",
  },
};

const repaired = (how: string): RepairOutcome => ({ outcome: "mended", how });
const kept = (why: string): RepairOutcome => ({ outcome: "kept", why });
