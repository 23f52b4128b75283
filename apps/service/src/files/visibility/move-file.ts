import type { Queries } from "#db/client.js";
import { downloadHeaders } from "#files/deliver/download-headers.js";
import { readRow } from "#files/settle/settle-upload.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { ObjectStore, PublicBucket } from "#object-store/object-store.js";
import { bucketOf, storedEtagOf } from "./bucket-of.js";
import {
  claimMove,
  endMove,
  giveMoveBack,
  type MoveClaim,
  recordArrivalAt,
  retryMoveLater,
} from "./claim-move.js";

export interface MoveFileDeps {
  db: Queries;
  store: Pick<ObjectStore, "head" | "remove" | "published">;
  clock: () => Date;
}

export interface MoveFilesDeps extends MoveFileDeps {
  /** Called when one file cannot be moved. It is tried again later. */
  onError: (error: unknown) => void;
}

/** Where the runs of the job are among the projects. */
export interface MoveTurn {
  afterProject: number;
}

const MAX_CONCURRENT_MOVES = 8;
const BATCH_SIZE = 100;

/**
 * Moves the objects of up to 100 files to where they belong. Several processes may do this at the same time.
 *
 * @returns whether more files may be due
 * @throws {StowageError} `unavailable` if the database is
 */
export async function moveFiles(deps: MoveFilesDeps, turn: MoveTurn): Promise<boolean> {
  if (!deps.store.published) return false;
  let isDone = false;
  await forEachBounded(Array.from({ length: BATCH_SIZE }), MAX_CONCURRENT_MOVES, async () => {
    if (isDone) return;
    const claim = await claimMove(deps, turn.afterProject);
    turn.afterProject = claim?.file.projectId ?? 0;
    if (!claim) isDone = true;
    else
      await moveClaimed(deps, claim).catch(async (error: unknown) => {
        deps.onError(error);
        await retryMoveLater(deps, claim);
      });
  });
  return !isDone;
}

/**
 * Moves the object of a claimed file: copies it to its place, checks the copy, records the place, and removes the other object. Each
 * step may be the last one of this process. Then another one goes on from what the row says:
 * - `place` is the bucket that is read. It changes only when the object is there
 * - `hasOtherCopy` says that the other bucket may have an object, which is removed before the move ends
 *
 * @throws {StowageError} `unavailable`
 */
export async function moveClaimed(deps: MoveFileDeps, claim: MoveClaim): Promise<void> {
  const { file, target } = claim;
  const { published } = deps.store;
  if (!published) return;
  const other = target === "public" ? deps.store : published;
  if (file.place !== target && !(await bring(deps, published, claim))) {
    await giveMoveBack(deps, claim);
    // The file may have been deleted during the copy, after the delete had looked into this bucket.
    const current = await readRow(deps, file.projectId, file.path);
    if (!current || current.status === "deleting") await bucketOf(deps.store, target).remove(file.path);
    return;
  }
  // The only object of the file must not be removed, for example after someone has emptied the other bucket.
  if (!(await bucketOf(deps.store, target).head(file.path)))
    throw new Error(`the ${target} bucket has no object of this file`);
  await other.remove(file.path);
  await endMove(deps, claim);
}

/** @returns false if the file has changed meanwhile */
async function bring(deps: MoveFileDeps, published: PublicBucket, claim: MoveClaim): Promise<boolean> {
  const { file, target } = claim;
  const source = { path: file.path, etag: storedEtagOf(file) ?? "" };
  const headers = {
    ...downloadHeaders({ ...file, disposition: "inline" }),
    cacheControl: file.cacheControl ?? undefined,
  };
  const outcome = await (target === "public"
    ? published.publish(source, headers)
    : published.takeBack(source, headers));
  if (outcome === "missing") throw new Error(`the ${file.place} bucket has no object of this file`);
  if (outcome === "changed")
    throw new Error("the object is not the recorded one; it is recorded when its URL is checked");
  const copy = await bucketOf(deps.store, target).head(file.path);
  if (copy?.sizeBytes !== file.size) throw new Error(`the copy has ${copy?.sizeBytes} of ${file.size} bytes`);
  return recordArrivalAt(deps, claim, copy);
}
