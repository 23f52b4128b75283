import type { Visibility } from "@stowage/schemas";
import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, projects, tombstones } from "#db/schema/index.js";
import { bucketOf } from "#object-store/bucket-of.js";
import type { ListedObject, ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { isFileAt } from "#files/record/file-conditions.js";
import { readVariantRow } from "./variant-rows.js";
import type { FileDrift } from "./drift.js";
import { detectDrift } from "./detect-drift.js";

interface ConfirmDriftDeps {
  db: Database;
  store: Pick<ObjectStore, "head" | "published">;
  clock: () => Date;
}

interface DriftCandidate {
  /** Null if the database did not have this project when the comparison began. */
  project: Project | null;
  drift: FileDrift;
  /** As the listing reported it. */
  object: ListedObject | null;
}

/** A file that changes during every attempt is being settled right now, so it is not reported. */
const MAX_ATTEMPTS = 3;

/** What the comparison reads of a file. */
export const comparedColumns = {
  path: files.path,
  status: files.status,
  size: files.size,
  etag: sql<string | null>`coalesce(${files.publishedEtag}, ${files.etag})`,
  place: files.place,
  hasOtherCopy: files.hasOtherCopy,
};

/**
 * Checks one path again: reads the row, asks storage, and reads the row once more. If the row did not change in between, a
 * difference is real.
 *
 * @returns the current drift, or null if there is none
 */
export async function confirmDrift(
  deps: ConfirmDriftDeps,
  candidate: DriftCandidate,
  place: Visibility,
): Promise<FileDrift | null> {
  const { drift } = candidate;
  const project = candidate.project ?? (await findProject(deps.db, drift.projectRef));
  const at = { projectRef: drift.projectRef, path: drift.path, place, isProjectKnown: project !== null };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const before = project && (await readRow(deps.db, project.id, drift.path));
    const head = await bucketOf(deps.store, place).head(drift.path);
    const after = project && (await readRow(deps.db, project.id, drift.path));
    if (before?.revision !== after?.revision || before?.status !== after?.status) continue;
    const object = head && { ...head, lastModified: candidate.object?.lastModified ?? null };
    const now = detectDrift(at, { row: after, object }, deps.clock());
    const isKeptEmpty =
      now?.kind === "orphan" && project && (await hasTombstone(deps.db, project.id, drift.path));
    if (isKeptEmpty) return null;
    if (now?.kind !== "missing") return now;
    const other = place === "public" ? "private" : "public";
    const isInOther = deps.store.published && (await bucketOf(deps.store, other).head(drift.path));
    return isInOther ? { ...now, kind: "misplaced", found: other } : now;
  }
  return null;
}

/** Finds a project that may have been created after the comparison began. */
export async function findProject(db: Database, ref: string): Promise<Project | null> {
  const [project] = await db.run((db) =>
    db.select({ id: projects.id, ref: projects.ref }).from(projects).where(eq(projects.ref, ref)),
  );
  return project ?? null;
}

async function readRow(db: Database, projectId: number, path: string) {
  const [row] = await db.run((db) =>
    db
      .select({ ...comparedColumns, revision: files.revision })
      .from(files)
      .where(isFileAt(projectId, path)),
  );
  return row ?? readVariantRow(db, projectId, path);
}

/** The sweeper removes an object whose path has a tombstone. */
async function hasTombstone(db: Database, projectId: number, path: string): Promise<boolean> {
  const rows = await db.run((db) =>
    db
      .select({ path: tombstones.path })
      .from(tombstones)
      .where(and(eq(tombstones.projectId, projectId), eq(tombstones.path, path))),
  );
  return rows.length > 0;
}
