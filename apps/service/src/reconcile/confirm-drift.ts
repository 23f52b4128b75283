import { and, eq } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, projects, tombstones } from "#db/schema/index.js";
import type { ListedObject, ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import type { FileDrift } from "./drift.js";
import { detectDrift } from "./detect-drift.js";

interface ConfirmDriftDeps {
  db: Database;
  store: Pick<ObjectStore, "head">;
  clock: () => Date;
}

interface DriftCandidate {
  /** Null for a path under no project that this database knew when the comparison began. */
  project: Project | null;
  drift: FileDrift;
  /** As the listing had it. */
  object: ListedObject | null;
}

/** A file that changes under every look is in good hands: somebody is settling it. */
const MOST_TRIES = 3;

/**
 * Looks at one path again, with storage asked between two reads of an unchanged row: what is wrong then is wrong.
 *
 * @returns the drift as it is now, or null when there is none (any more)
 */
export async function confirmDrift(
  deps: ConfirmDriftDeps,
  suspicion: DriftCandidate,
): Promise<FileDrift | null> {
  const { drift } = suspicion;
  const project = suspicion.project ?? (await findProject(deps.db, drift.projectRef));
  const at = { projectRef: drift.projectRef, path: drift.path, isProjectKnown: project !== null };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = project && (await readRow(deps.db, project.id, drift.path));
    const head = await deps.store.head(drift.path);
    const after = project && (await readRow(deps.db, project.id, drift.path));
    if (before?.revision !== after?.revision || before?.status !== after?.status) continue;
    const object = head && { ...head, lastModified: suspicion.object?.lastModified ?? null };
    const now = detectDrift(at, { row: after, object }, deps.clock());
    const isKeptEmpty =
      now?.kind === "orphan" && project && (await hasTombstone(deps.db, project.id, drift.path));
    return isKeptEmpty ? null : now;
  }
  return null;
}

async function findProject(db: Database, ref: string): Promise<Project | null> {
  const [project] = await db.run((db) =>
    db.select({ id: projects.id, ref: projects.ref }).from(projects).where(eq(projects.ref, ref)),
  );
  return project ?? null;
}

async function readRow(db: Database, projectId: number, path: string) {
  const [row] = await db.run((db) =>
    db
      .select({ status: files.status, size: files.size, revision: files.revision })
      .from(files)
      .where(and(eq(files.projectId, projectId), eq(files.path, path))),
  );
  return row ?? null;
}

/** Under a tombstone an object is removed by the sweeper. */
async function hasTombstone(db: Database, projectId: number, path: string): Promise<boolean> {
  const rows = await db.run((db) =>
    db
      .select({ path: tombstones.path })
      .from(tombstones)
      .where(and(eq(tombstones.projectId, projectId), eq(tombstones.path, path))),
  );
  return rows.length > 0;
}
