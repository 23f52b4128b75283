import { and, asc, eq, gt, inArray, isNotNull } from "drizzle-orm";
import type { Database } from "#db/client.js";
import { files, tombstones } from "#db/schema/index.js";
import { groupBy } from "#lib/group-by.js";
import { HOUR_MS } from "#lib/time.js";
import type {
  ListedMultipart,
  MultipartCursor,
  MultipartRef,
  ObjectStore,
} from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { uploadIdOf } from "#files/parts/forget-upload.js";
import { hasStatus, isFileAt } from "#files/record/file-conditions.js";
import { findProject } from "./confirm-drift.js";
import type { UploadDrift } from "./drift.js";

export interface CompareUploadsDeps {
  db: Database;
  store: Pick<ObjectStore, "listMultiparts" | "listParts" | "head">;
  clock: () => Date;
}

/**
 * The service starts a multipart upload and then saves its ID, which takes milliseconds. An hour also covers storage whose clock is
 * wrong.
 */
const MIN_AGE_MS = HOUR_MS;
const ROWS_PER_PAGE = 1000;
/** How many uploads are checked again concurrently. */
const CONFIRM_BATCH_SIZE = 16;

/**
 * Compares the multipart uploads that storage knows with those that files wait for, and yields the differences. It does not rely on
 * the order in which storage lists them.
 *
 * @param prefix the part of the bucket to list: `projects/`, or one project's part of it
 * @param foreignRefs the refs of projects of other storages. Their uploads are ignored. @default none
 * @throws {StowageError} `unavailable`
 */
export async function* compareUploads(
  deps: CompareUploadsDeps,
  projects: Project[],
  prefix: string,
  foreignRefs: ReadonlySet<string> = new Set(),
): AsyncGenerator<UploadDrift> {
  const projectByRef = new Map(projects.map((project) => [project.ref, project]));
  for await (const page of listedUploads(deps, prefix)) {
    for (const [ref, uploads] of groupBy(page, ({ path }) => path.split("/")[1] ?? ""))
      if (!foreignRefs.has(ref))
        yield* unknownUploads(deps, { ref, project: projectByRef.get(ref) ?? null }, uploads);
  }
  for (const project of projects) yield* lostUploads(deps, project);
}

async function* listedUploads(
  { store }: CompareUploadsDeps,
  prefix: string,
): AsyncGenerator<ListedMultipart[]> {
  let cursor: MultipartCursor | null = null;
  do {
    const page = await store.listMultiparts(prefix, cursor);
    yield page.uploads;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** @param of `project` is null if the database did not have this project when the comparison began */
async function* unknownUploads(
  deps: CompareUploadsDeps,
  of: { ref: string; project: Project | null },
  uploads: ListedMultipart[],
): AsyncGenerator<UploadDrift> {
  const latest = deps.clock().getTime() - MIN_AGE_MS;
  const old = uploads.filter(({ startedAt }) => startedAt.getTime() <= latest);
  if (old.length === 0) return;
  const project = of.project ?? (await findProject(deps.db, of.ref));
  const known = project ? await knownUploads(deps.db, project.id, old) : new Set<string>();
  const unknown = old.filter((upload) => !known.has(nameOf(upload)));
  yield* inBatches(unknown, async ({ path, uploadId, startedAt }) => {
    // The upload may have been completed or aborted since it was listed.
    if ((await deps.store.listParts({ path, uploadId }, 0)) === null) return null;
    const isProjectKnown = project !== null;
    return { kind: "unknown_upload", projectRef: of.ref, path, uploadId, startedAt, isProjectKnown };
  });
}

const nameOf = ({ path, uploadId }: MultipartRef) => `${path}\n${uploadId}`;

/**
 * The uploads that their files know, and those that the service will abort because their files are deleted. A stored file knows the
 * upload that made its object. If storage still lists that upload, an abort could remove the object: see files/parts/abort-uploads.ts.
 */
async function knownUploads(
  db: Database,
  projectId: number,
  uploads: ListedMultipart[],
): Promise<Set<string>> {
  const paths = [...new Set(uploads.map(({ path }) => path))];
  const rows = await db.run((db) =>
    db
      .select({ path: files.path, uploadId: uploadIdOf, status: files.status })
      .from(files)
      .where(and(eq(files.projectId, projectId), inArray(files.path, paths))),
  );
  const keptEmpty = await db.run((db) =>
    db
      .select({ path: tombstones.path })
      .from(tombstones)
      .where(
        and(
          eq(tombstones.projectId, projectId),
          inArray(tombstones.path, paths),
          eq(tombstones.hadParts, true),
        ),
      ),
  );
  const deleted = new Set(
    [...rows.filter(({ status }) => status === "deleting"), ...keptEmpty].map(({ path }) => path),
  );
  const uploadIdAt = new Map(rows.map(({ path, uploadId }) => [path, uploadId]));
  return new Set(
    uploads
      .filter(({ path, uploadId }) => deleted.has(path) || uploadIdAt.get(path) === uploadId)
      .map(nameOf),
  );
}

/** Asks storage for each upload of a pending file. Uploads whose time is over are left to the sweeper. */
async function* lostUploads(deps: CompareUploadsDeps, project: Project): AsyncGenerator<UploadDrift> {
  for (let after = 0; ;) {
    const page = await deps.db.run((db) =>
      db
        .select({ id: files.id, path: files.path, uploadId: uploadIdOf, revision: files.revision })
        .from(files)
        .where(
          and(
            eq(files.projectId, project.id),
            gt(files.id, after),
            eq(files.status, "pending"),
            isNotNull(uploadIdOf),
            gt(files.urlExpiresAt, deps.clock()),
          ),
        )
        .orderBy(asc(files.id))
        .limit(ROWS_PER_PAGE),
    );
    yield* inBatches(page, async ({ path, uploadId, revision }) => {
      const upload = { path, uploadId: uploadId! };
      if (!(await isLost(deps, upload))) return null;
      // A call that completes or cancels the upload changes storage first, and then the row.
      const isChanged = (await readRevision(deps.db, project.id, path)) !== revision;
      return isChanged ? null : { kind: "lost_upload", projectRef: project.ref, ...upload };
    });
    if (page.length < ROWS_PER_PAGE) break;
    after = page.at(-1)!.id;
  }
}

/** After a completion storage has the object instead of the upload, and the file is recorded soon. */
async function isLost({ store }: CompareUploadsDeps, upload: MultipartRef): Promise<boolean> {
  return (await store.listParts(upload, 0)) === null && (await store.head(upload.path)) === null;
}

async function readRevision(db: Database, projectId: number, path: string): Promise<number | undefined> {
  const [row] = await db.run((db) =>
    db
      .select({ revision: files.revision })
      .from(files)
      .where(and(isFileAt(projectId, path), hasStatus("pending"))),
  );
  return row?.revision;
}

async function* inBatches<Item>(
  items: Item[],
  confirm: (item: Item) => Promise<UploadDrift | null>,
): AsyncGenerator<UploadDrift> {
  for (let at = 0; at < items.length; at += CONFIRM_BATCH_SIZE) {
    const batch = items.slice(at, at + CONFIRM_BATCH_SIZE);
    yield* (await Promise.all(batch.map(confirm))).filter((drift) => drift !== null);
  }
}
