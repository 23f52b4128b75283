import { type FileStatus, StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import { COUNTED } from "#db/schema/file-statuses.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { Bucket, ListedObject, StoredObject } from "#object-store/object-store.js";
import type { TransferOutcome } from "#object-store/transfer.js";
import type { Project } from "#projects/find-project.js";
import { mergeJoin } from "#reconcile/merge-join.js";
import type { ObjectPlace } from "./move-record.js";

/** How the objects of one bucket are copied. */
export interface CopyObjectsDeps {
  db: Queries;
  clock: () => Date;
  project: Project;
  place: ObjectPlace[0];
  from: Pick<Bucket, "list" | "head">;
  to: Pick<Bucket, "list" | "remove">;
  /** See {@link Transfer}. */
  copy(path: string, object: StoredObject, partSizeBytes: number | null): Promise<TransferOutcome>;
  /** Called with the paths of the next copies before they begin: if this process dies, another one looks at them. */
  onBatch(paths: string[]): Promise<void>;
  onCopied(object: StoredObject): void;
}

/** Stowage stores the objects of a project under this prefix. */
export const prefixOf = ({ ref }: Project): string => `projects/${ref}/`;

const BATCH_SIZE = 256;
/** Each holds up to 8 MiB in memory. */
const MAX_CONCURRENT_COPIES = 16;
const MAX_ATTEMPTS = 5;

/** Whether to copy an object, if the new storage lacks it or has another one of its path. */
type IsWanted = (file: FileAtPath | undefined, object: ListedObject, copy: ListedObject | null) => boolean;

/**
 * Copies the objects of the project that the new storage lacks. An object that the service deletes meanwhile has no copy afterwards. That
 * of a pending file waits until the service has recorded it: until then, its URL may write other bytes to the old storage.
 *
 * @returns how many objects the old storage has
 * @throws {StowageError} `unavailable`
 */
export function copyObjects(deps: CopyObjectsDeps): Promise<number> {
  return copyWanted(deps, (file, object, copy) => {
    if (file?.status === "pending") return false;
    // The service makes variants of images anew at the new storage. Other bytes of a file that was recorded are sent again: see 0072.
    return copy === null || (file !== undefined && file.etag !== copy.etag && file.etag === object.etag);
  });
}

/**
 * Copies what arrived at the old storage after the last pass: a PUT that began before its URL ended may end hours later, and the upload
 * has expired until then. The service finds the copies soon.
 *
 * @throws {StowageError} `unavailable`
 */
export async function copyLateObjects(deps: CopyObjectsDeps): Promise<void> {
  const late: string[] = [];
  await copyWanted(deps, (file, object, copy) => {
    const isLate = copy === null && file?.status === "expired";
    if (isLate) late.push(object.path);
    return isLate;
  });
  await forEachBounded(late, MAX_CONCURRENT_COPIES, (path) => checkSoon(deps, path));
}

async function copyWanted(deps: CopyObjectsDeps, isWanted: IsWanted): Promise<number> {
  let found = 0;
  let batch: { object: ListedObject; copy: ListedObject | null }[] = [];
  const copyBatch = async () => {
    const rows = await readRows(
      deps,
      batch.map(({ object }) => object.path),
    );
    const wanted = batch.filter(({ object, copy }) => isWanted(rows.get(object.path), object, copy));
    batch = [];
    if (wanted.length === 0) return;
    await deps.onBatch(wanted.map(({ object }) => object.path));
    await forEachBounded(wanted, MAX_CONCURRENT_COPIES, async ({ object }) => {
      await copyOne(deps, object, rows.get(object.path)?.partSize ?? null);
      deps.onCopied(object);
    });
  };
  const objects = listAll(deps.from, prefixOf(deps.project));
  const copies = listAll(deps.to, prefixOf(deps.project));
  for await (const { left: object, right: copy } of mergeJoin(objects, copies)) {
    if (!object) continue;
    found++;
    if (copy && copy.etag === object.etag && copy.sizeBytes === object.sizeBytes) continue;
    batch.push({ object, copy });
    if (batch.length === BATCH_SIZE) await copyBatch();
  }
  if (batch.length > 0) await copyBatch();
  return found;
}

export async function* listAll(bucket: Pick<Bucket, "list">, prefix: string): AsyncGenerator<ListedObject> {
  let cursor: string | null = null;
  do {
    const page = await bucket.list(prefix, cursor);
    yield* page.objects;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

interface FileAtPath {
  status: FileStatus;
  partSize: number | null;
  /** Of the object in this bucket, as recorded; null if there is none, or it was not seen yet. */
  etag: string | null;
}

async function readRows(
  { db, project, place }: CopyObjectsDeps,
  paths: string[],
): Promise<Map<string, FileAtPath>> {
  const rows = await db.execute<{
    path: string;
    status: FileStatus;
    partSize: string | null;
    etag: string | null;
  }>(READ_ROWS, [project.id, JSON.stringify(paths), place]);
  return new Map(
    rows.map(({ path, status, partSize, etag }) => [
      path,
      { status, etag, partSize: partSize === null ? null : Number(partSize) },
    ]),
  );
}

const READ_ROWS = `
select path, status, part_size as "partSize", case when place::text = $3 then coalesce(published_etag, etag) end as etag
from files where project_id = $1::bigint and path in (select value from json_array_elements_text($2::text::json))`;

async function copyOne(deps: CopyObjectsDeps, listed: ListedObject, partSize: number | null): Promise<void> {
  const { path } = listed;
  let object: StoredObject = listed;
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const outcome = await deps.copy(path, object, partSize);
    // The service may have seen a copy that is gone now, or is another one.
    if (attempts > 0 || outcome === "other_etag") await checkSoon(deps, path);
    if (outcome === "other_etag")
      throw new StowageError("invalid_request", {
        detail: `The new storage gives the bytes of ${path} another ETag, so the project cannot be moved there: --cancel takes it back`,
      });
    // A delete removes the object at the old storage first. So it is gone there if the delete came before the copy.
    const current = await deps.from.head(path);
    if (!current) return removeUnwanted(deps, path);
    if (outcome === "copied" && current.etag === object.etag) return;
    object = current;
  }
  throw new StowageError("unavailable", { detail: `The object ${path} changes again and again` });
}

/** Lets the sweeper look at the object of a file that counts, or of an upload that has expired. */
async function checkSoon({ db, clock, project }: CopyObjectsDeps, path: string): Promise<void> {
  await db.execute(CHECK_SOON, [project.id, path, clock().toISOString()]);
}

const CHECK_SOON = `
update files set next_check_at = $3::timestamptz
where project_id = $1::bigint and path = $2 and (status in ${COUNTED} or status = 'expired')`;

/** Looks at an object again that a killed run was copying. */
export async function lookAgain(deps: CopyObjectsDeps, path: string): Promise<void> {
  if (!(await deps.from.head(path))) await removeUnwanted(deps, path);
}

/**
 * Removes a copy whose object was deleted. While the service has a use for the object it stays: a file that was public has become private
 * at the new storage.
 */
async function removeUnwanted({ db, project, place, to }: CopyObjectsDeps, path: string): Promise<void> {
  const rows = await db.execute(place === "public" ? IS_PUBLIC : IS_PRIVATE, [project.id, path]);
  if (rows.length === 0) await to.remove(path);
}

const IS_PRIVATE = `
select 1 as found from files where project_id = $1::bigint and path = $2 and status <> 'deleting'
union all
select 1 from file_variants where project_id = $1::bigint and path = $2 and status <> 'removing'`;

const IS_PUBLIC = `
select 1 as found from files where project_id = $1::bigint and path = $2 and status <> 'deleting' and place = 'public'
union all
select 1 from file_variants where project_id = $1::bigint and path = $2 and publication = 'done'`;
