import type { Visibility } from "@stowage/schemas";
import { and, asc, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files } from "#db/schema/index.js";
import { bucketOf } from "#object-store/bucket-of.js";
import type { ListedObject, ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { comparedColumns, confirmDrift } from "./confirm-drift.js";
import type { FileDrift } from "./drift.js";
import { detectDrift, type RowAtPath } from "./detect-drift.js";
import { compareBytes, mergeJoin } from "./merge-join.js";
import { readVariantRows } from "./variant-rows.js";

export interface CompareListingDeps {
  db: Database;
  store: Pick<ObjectStore, "list" | "head" | "published">;
  clock: () => Date;
}

const ROWS_PER_PAGE = 1000;
/** How many candidates are checked again concurrently. */
const CONFIRM_BATCH_SIZE = 16;

/**
 * Compares both buckets with the rows of the files.
 *
 * @param foreignRefs the refs of projects of other storages. Their objects are ignored. @default none
 * @throws {StowageError} `unavailable`
 */
export async function* compareListings(
  deps: CompareListingDeps,
  projects: Project[],
  prefix: string,
  foreignRefs: ReadonlySet<string> = new Set(),
): AsyncGenerator<FileDrift> {
  const places = ["private", ...(deps.store.published ? (["public"] as const) : [])] as const;
  for (const place of places) yield* compareListing(deps, projects, { prefix, place, foreignRefs });
}

/**
 * Reads the bucket's listing and the rows in parallel, both in the order of their paths and page by page, and yields the
 * differences. Listing and rows are read at different times, so each difference is checked again before it is reported.
 *
 * @param prefix the part of the bucket to list: `projects/`, or one project's part of it
 * @throws {StowageError} `unavailable`
 */
async function* compareListing(
  deps: CompareListingDeps,
  projects: Project[],
  { prefix, place, foreignRefs }: { prefix: string; place: Visibility; foreignRefs: ReadonlySet<string> },
): AsyncGenerator<FileDrift> {
  const projectByRef = new Map(projects.map((project) => [project.ref, project]));
  let candidates: { project: Project | null; drift: FileDrift; object: ListedObject | null }[] = [];
  const confirmed = async () => {
    const batch = candidates;
    candidates = [];
    const drifts = await Promise.all(batch.map((candidate) => confirmDrift(deps, candidate, place)));
    return drifts.filter((drift) => drift !== null);
  };
  for await (const { left: object, right: row } of mergeJoin(
    listedObjects(bucketOf(deps.store, place), prefix),
    rowsOfProjects(deps.db, projects),
  )) {
    const path = object?.path ?? row!.path;
    const projectRef = path.split("/")[1] ?? "";
    if (foreignRefs.has(projectRef)) continue;
    const project = projectByRef.get(projectRef) ?? null;
    const drift = detectDrift(
      { projectRef, path, place, isProjectKnown: project !== null },
      { row, object },
      deps.clock(),
    );
    if (!drift) continue;
    candidates.push({ project, drift, object });
    if (candidates.length === CONFIRM_BATCH_SIZE) yield* await confirmed();
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

/**
 * Every path starts with its project's ref, and all refs have the same length. So reading project after project yields ascending
 * paths. Within a project, `variants/` comes after `tenants/`.
 */
async function* rowsOfProjects(
  db: Database,
  projects: Project[],
): AsyncGenerator<RowAtPath & { path: string }> {
  for (const { id } of projects.toSorted((a, b) => compareBytes(a.ref, b.ref))) {
    yield* byPages((after) =>
      db.run((db) =>
        db
          .select(comparedColumns)
          .from(files)
          .where(and(eq(files.projectId, id), gt(files.path, after)))
          .orderBy(asc(files.path))
          .limit(ROWS_PER_PAGE),
      ),
    );
    yield* byPages((after) => readVariantRows(db, id, { after, limit: ROWS_PER_PAGE }));
  }
}

/** @param readPage reads up to {@link ROWS_PER_PAGE} rows after a path */
async function* byPages<Row extends { path: string }>(
  readPage: (after: string) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let after = ""; ;) {
    const page = await readPage(after);
    yield* page;
    if (page.length < ROWS_PER_PAGE) break;
    after = page.at(-1)!.path;
  }
}
