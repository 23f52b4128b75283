import { and, asc, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files } from "#db/schema/index.js";
import type { ListedObject, ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { confirmDrift } from "./confirm-drift.js";
import type { FileDrift } from "./drift.js";
import { detectDrift, type RowAtPath } from "./detect-drift.js";
import { compareBytes, mergeJoin } from "./merge-join.js";

export interface CompareListingDeps {
  db: Database;
  store: Pick<ObjectStore, "list" | "head">;
  clock: () => Date;
}

const ROWS_A_PAGE = 1000;
/** Suspicions that are looked into at once. */
const CONFIRMED_AT_ONCE = 16;

/**
 * Reads the bucket's listing and the rows side by side, both in the order of their paths and a page at a time, and yields
 * where they disagree. The two are never of the same moment, so each suspicion is looked into once more before it is told.
 *
 * @param prefix what to list: `projects/`, or one project's part of it
 * @throws {StowageError} `unavailable`
 */
export async function* compareListing(
  deps: CompareListingDeps,
  projects: Project[],
  prefix: string,
): AsyncGenerator<FileDrift> {
  const projectByRef = new Map(projects.map((project) => [project.ref, project]));
  let suspicions: { project: Project | null; drift: FileDrift; object: ListedObject | null }[] = [];
  const confirmed = async () => {
    const batch = suspicions;
    suspicions = [];
    const drifts = await Promise.all(batch.map((suspicion) => confirmDrift(deps, suspicion)));
    return drifts.filter((drift) => drift !== null);
  };
  for await (const { left: object, right: row } of mergeJoin(
    listedObjects(deps.store, prefix),
    fileRows(deps.db, projects),
  )) {
    const path = object?.path ?? row!.path;
    const projectRef = path.split("/")[1] ?? "";
    const project = projectByRef.get(projectRef) ?? null;
    const drift = detectDrift(
      { projectRef, path, isProjectKnown: project !== null },
      { row, object },
      deps.clock(),
    );
    if (!drift) continue;
    suspicions.push({ project, drift, object });
    if (suspicions.length === CONFIRMED_AT_ONCE) yield* await confirmed();
  }
  yield* await confirmed();
}

async function* listedObjects(
  store: Pick<ObjectStore, "list">,
  prefix: string,
): AsyncGenerator<ListedObject> {
  let cursor: string | null = null;
  do {
    const page = await store.list(prefix, cursor);
    yield* page.objects;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Every path starts with its project's ref, and refs are of one length: project after project is ascending as a whole. */
async function* fileRows(db: Database, projects: Project[]): AsyncGenerator<RowAtPath & { path: string }> {
  for (const { id } of projects.toSorted((a, b) => compareBytes(a.ref, b.ref))) {
    for (let after = ""; ;) {
      const page = await db.run((db) =>
        db
          .select({ path: files.path, status: files.status, size: files.size })
          .from(files)
          .where(and(eq(files.projectId, id), gt(files.path, after)))
          .orderBy(asc(files.path))
          .limit(ROWS_A_PAGE),
      );
      yield* page;
      if (page.length < ROWS_A_PAGE) break;
      after = page.at(-1)!.path;
    }
  }
}
