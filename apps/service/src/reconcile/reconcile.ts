import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, projects } from "#db/schema/index.js";
import type { ObjectStore } from "#object-store/object-store.js";
import { findProjectByRef, type Project } from "#projects/find-project.js";
import type { StorageScope } from "#projects/storages.js";
import { compareListings } from "./compare-listing.js";
import { compareUploads } from "./compare-uploads.js";
import type { Owners } from "./adopt-orphan.js";
import type { Drift } from "./drift.js";
import { findEnding } from "./postpone-ends.js";
import { recount } from "./recount.js";
import { recountFolders } from "./recount-folders.js";
import { repair, type RepairDeps, type RepairOutcome } from "./repair.js";

export type ReconcileDeps = RepairDeps & {
  db: Database;
  store: Pick<ObjectStore, "list" | "listMultiparts" | "listParts" | "published">;
  /** The projects of the storage. Objects of other projects are ignored. @default all projects */
  scope?: StorageScope | undefined;
};

export interface ReconcileInput {
  /** Null for every project. */
  projectRef: string | null;
  repair: boolean;
  deleteOrphans: boolean;
  /**
   * The database was restored from a backup, and storage was not. `owners` names tenants that the database lacks. @default null, which
   * means no restore
   */
  afterRestore?: { owners: Owners } | null;
}

export interface ReconcileFinding {
  drift: Drift;
  /** Null if no repair was requested. */
  repaired: RepairOutcome | null;
}

/** Stowage stores all objects under this prefix. Other objects in the bucket are ignored. */
const ALL_PROJECTS = "projects/";

/**
 * Recounts every tenant from its files, compares files and open multipart uploads with the bucket, and yields each difference. With
 * `repair` it also repairs them. Safe while uploads are running. Counters come first, so that repairs of files change counters that are
 * already right.
 *
 * @throws {StowageError} `not_found` for an unknown project; `unavailable`
 */
export async function* reconcile(
  deps: ReconcileDeps,
  input: ReconcileInput,
): AsyncGenerator<ReconcileFinding> {
  const scope = await findScope(deps, input.projectRef);
  const byRef = new Map(scope.map((project) => [project.ref, project]));
  const foreignRefs = await findForeignRefs(deps);
  // Storage is asked first: if it does not answer, nothing is reported or repaired.
  const { objects } = await deps.store.list(ALL_PROJECTS, null);
  const { deleteOrphans, afterRestore = null } = input;
  const rules = {
    deleteOrphans,
    afterRestore,
    mayExpireMissing: objects.length > 0 && !(await lacksPublicFiles(deps)),
  };
  const prefix = input.projectRef === null ? ALL_PROJECTS : `${ALL_PROJECTS}${input.projectRef}/`;
  const comparisons = [
    recount(deps, scope),
    recountFolders(deps, scope),
    compareListings(deps, scope, prefix, foreignRefs),
    compareUploads(deps, scope, prefix, foreignRefs),
    ...(afterRestore ? [findEnding(deps, scope)] : []),
  ];
  for (const drifts of comparisons) {
    for await (const drift of drifts) {
      const project = byRef.get(drift.projectRef) ?? null;
      yield { drift, repaired: input.repair ? await repair(deps, { project, drift }, rules) : null };
    }
  }
}

/** Objects of a project that moves are in two storages. It is compared when it has arrived. */
const IS_MOVING =
  "exists (select from storage_moves m where m.project_id = projects.id and m.state <> 'settling')";

/** The refs of the projects that are on the way to another storage. */
export async function findMovingProjects({ db }: Pick<ReconcileDeps, "db">): Promise<string[]> {
  const rows = await db.execute<{ ref: string }>(
    `select ref from projects where ${IS_MOVING} and deleted_at is null order by id`,
    [],
  );
  return rows.map(({ ref }) => ref);
}

/** Whether the public bucket is empty, although files are recorded there. */
async function lacksPublicFiles({ db, store, scope }: ReconcileDeps): Promise<boolean> {
  if (!store.published || (await store.published.list(ALL_PROJECTS, null)).objects.length > 0) return false;
  const recorded = await db.run((db) =>
    db
      .select({ id: files.id })
      .from(files)
      .where(and(eq(files.place, "public"), scope && sql.raw(scope.condition("files.project_id"))))
      .limit(1),
  );
  return recorded.length > 0;
}

async function findScope({ db, scope }: ReconcileDeps, ref: string | null): Promise<Project[]> {
  if (ref !== null) return [await findProjectByRef({ db }, ref)];
  return db.run((db) =>
    db
      .select({ id: projects.id, ref: projects.ref })
      .from(projects)
      .where(scope && sql.raw(`${scope.condition("projects.id")} and not ${IS_MOVING}`))
      .orderBy(asc(projects.id)),
  );
}

/** The refs of the projects of other storages, and of those that move. */
async function findForeignRefs({ db, scope }: ReconcileDeps): Promise<ReadonlySet<string>> {
  if (!scope) return new Set();
  const rows = await db.run((db) =>
    db
      .select({ ref: projects.ref })
      .from(projects)
      .where(sql.raw(`not ${scope.condition("projects.id")} or ${IS_MOVING}`)),
  );
  return new Set(rows.map(({ ref }) => ref));
}
