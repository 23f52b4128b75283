import { removeEach } from "#cdn/remove-each.js";
import { emptyPath } from "#files/delete/check-tombstone.js";
import { downloadHeaders } from "#files/record/download-headers.js";
import { readRow } from "#files/settle/settle-upload.js";
import { shownTypeOf } from "#files/settle/text-type.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { WorkTurn } from "#work/work-queue.js";
import type { PublicBucket } from "#object-store/object-store.js";
import { bucketOf, storedEtagOf } from "#object-store/bucket-of.js";
import {
  awaitLateCopies,
  claimMove,
  endMove,
  giveMoveBack,
  type MoveClaim,
  recordArrivalAt,
  retryMoveLater,
} from "./claim-move.js";
import { publishVariants, takeVariantsBack } from "./move-variants.js";
import { type MoveFileDeps, publish } from "./publish.js";

export interface MoveFilesDeps extends MoveFileDeps {
  /** Called when one file cannot be moved. It is tried again later. */
  onError: (error: unknown) => void;
}

const MAX_CONCURRENT_MOVES = 8;
const BATCH_SIZE = 100;

/**
 * Moves the objects of up to 100 files to where they belong. Several processes may do this at the same time.
 *
 * @returns whether more files may be due
 * @throws {StowageError} `unavailable` if the database is
 */
export async function moveFiles(deps: MoveFilesDeps, turn: WorkTurn): Promise<boolean> {
  if (!deps.store.published) return false;
  let isDone = false;
  await forEachBounded(Array.from({ length: BATCH_SIZE }), MAX_CONCURRENT_MOVES, async () => {
    if (isDone) return;
    const claim = await claimMove(deps, turn);
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
 * Moves the object of a claimed file: copies it to its place, checks the copy, records the place, and removes the other object. Its
 * variants follow. Each step may be the last one of this process. Then another one continues from what the row says:
 * - `place` is the bucket that is read. It changes only when the object is there
 * - `hasOtherCopy` says that the other bucket may have an object, which is removed before the move ends
 *
 * @throws {StowageError} `unavailable`
 */
export async function moveClaimed(deps: MoveFileDeps, claim: MoveClaim): Promise<void> {
  const { file, target } = claim;
  const { published } = deps.store;
  if (!published) return;
  if (file.place !== target && !(await bring(deps, published, claim))) return giveUp(deps, claim);
  // The only object of the file must not be removed, for example after someone has emptied the other bucket.
  if (!(await bucketOf(deps.store, target).head(file.path)))
    throw new Error(`the ${target} bucket has no object of this file`);
  if (target === "public") {
    await deps.store.remove(file.path);
    if (!(await publishVariants(deps, published, claim))) return giveUp(deps, claim);
    await endMove(deps, claim);
    return;
  }
  const mayLand = file.publishEndsAt > deps.clock();
  const removals = [() => published.remove(file.path), () => takeVariantsBack(deps, claim, { mayLand })];
  await removeEach(removals, (remove) => remove());
  if (mayLand) await awaitLateCopies(deps, claim);
  else await endMove(deps, claim);
}

/** The file has changed during the move. */
async function giveUp(deps: MoveFileDeps, claim: MoveClaim): Promise<void> {
  const { file, target } = claim;
  await giveMoveBack(deps, claim);
  // The file may have been deleted during the copy, after the delete had looked into this bucket.
  const current = await readRow(deps, file.projectId, file.path);
  if (!current) await emptyPath(deps, file.projectId, file.path);
  // If this fails, the tombstone repeats it: see isRemoving there.
  else if (current.status === "deleting") await bucketOf(deps.store, target).remove(file.path);
}

/** Storage sends the headers of a public file itself. Other texts than plain ones stay attachments, with the type of their program. */
async function typeOf(deps: MoveFileDeps, { file, target }: MoveClaim): Promise<string> {
  const isShown = target === "public" && /^text\/plain\b/i.test(file.contentType);
  return isShown ? shownTypeOf(deps, file) : file.contentType;
}

/**
 * Copies the object to its place and records that it is there.
 *
 * @returns false if the file has changed meanwhile
 */
async function bring(deps: MoveFileDeps, published: PublicBucket, claim: MoveClaim): Promise<boolean> {
  const { file, target } = claim;
  const source = { path: file.path, etag: storedEtagOf(file) ?? "" };
  const headers = {
    ...downloadHeaders({ ...file, contentType: await typeOf(deps, claim), disposition: "inline" }),
    cacheControl: file.cacheControl ?? undefined,
  };
  const outcome = await (target === "public"
    ? publish(deps, published, claim, source, headers)
    : published.takeBack(source, headers));
  if (outcome === "over") return false;
  if (outcome === "missing") throw new Error(`the ${file.place} bucket has no object of this file`);
  if (outcome === "changed")
    throw new Error("the object is not the recorded one; it is recorded when its URL is checked");
  const found = await bucketOf(deps.store, target).head(file.path);
  // A replay of the upload URL can replace the copy in the private bucket. The verdict of a scan must not become one of these bytes.
  if (found?.etag !== outcome.etag) throw new Error("other bytes have replaced the copy; it is made again");
  if (found.sizeBytes !== file.size) throw new Error(`the copy has ${found.sizeBytes} of ${file.size} bytes`);
  return recordArrivalAt(deps, claim, found);
}
