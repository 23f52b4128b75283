import { removeObject, type RemoveObjectDeps } from "#files/delete/remove-objects.js";
import { settleUpload, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import type { Project } from "#projects/find-project.js";
import type { Drift } from "./drift.js";
import { expireMissing } from "./expire-missing.js";
import { repairCounters } from "./repair-counters.js";

export type RepairDeps = SettleUploadDeps & RemoveObjectDeps;

export interface RepairRules {
  /** Whether objects that no row knows may be removed. */
  deleteOrphans: boolean;
  /** False when the bucket holds nothing at all: then it is rather the wrong bucket than that everything was lost. */
  mayExpireMissing: boolean;
}

/** `mended`: it is right now. `kept`: it is as it was, and `why` says what would have to be done. */
export type RepairOutcome = { outcome: "mended"; how: string } | { outcome: "kept"; why: string };

/** An object of an upload that is under way can look like an orphan to a database that was restored from a backup. */
const ORPHAN_AGE_MS = 2 * 24 * 3600 * 1000;

/**
 * Mends one drift. Doing it twice changes nothing more.
 *
 * @param project null when the database knows no such project
 * @throws {StowageError} `unavailable`
 */
export async function repair(
  deps: RepairDeps,
  { project, drift }: { project: Project | null; drift: Drift },
  rules: RepairRules,
): Promise<RepairOutcome> {
  if (!project) return kept("its project is not in this database; another service may be sharing the bucket");
  switch (drift.kind) {
    case "counters":
      await repairCounters(deps, project.id, drift.tenantId);
      return mended("counted anew");
    case "days":
      await repairCounters(deps, project.id, drift.tenantId);
      return mended("the difference stands on today");
    case "missing":
      if (!rules.mayExpireMissing) return kept("the bucket holds no file at all: is S3_BUCKET right?");
      await expireMissing(deps, project.id, drift.path);
      return mended("now expired, and no longer counted");
    case "size":
    case "unsettled":
      return settle(deps, project, drift.path);
    case "orphan":
      if (!rules.deleteOrphans) return kept("--delete-orphans removes it");
      if (deps.clock().getTime() - drift.lastModified.getTime() < ORPHAN_AGE_MS)
        return kept("younger than two days");
      await deps.store.remove(drift.path);
      return mended("removed from the bucket");
  }
}

async function settle(deps: RepairDeps, project: Project, path: string): Promise<RepairOutcome> {
  const outcome = await settleUpload(deps, project.id, path);
  if (outcome === "stored") return mended("counted as it lies in storage");
  if (outcome === "removing") {
    await removeObject(deps, project.id, path);
    return mended("over the quota, so removed");
  }
  return outcome === "gone"
    ? mended("deleted meanwhile")
    : kept("it vanished meanwhile: run reconcile again");
}

const mended = (how: string): RepairOutcome => ({ outcome: "mended", how });
const kept = (why: string): RepairOutcome => ({ outcome: "kept", why });
