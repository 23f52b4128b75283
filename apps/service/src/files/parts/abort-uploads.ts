import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import { forEachBounded } from "#lib/for-each-bounded.js";
import type { MultipartCursor, MultipartRef, ObjectStore } from "#object-store/object-store.js";

export interface AbortUploadsDeps {
  store: Pick<ObjectStore, "listMultiparts" | "abortMultipart" | "listParts">;
}

/** Storage still has parts of one path. Unlike an outage, this says nothing about other paths. */
export class PartsRemainError extends Error {
  override readonly name = "PartsRemainError";
}

/** The pauses double, so all of them together take 1.5 seconds. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 100;
const MAX_CONCURRENT_ABORTS = 4;
/** S3 lists 1,000 uploads on a page. A path has one upload, and few more if processes were killed while they created theirs. */
const MAX_PAGES = 10;
const RETRY_AFTER_SECONDS = 5;

/**
 * Aborts every multipart upload of exactly this path, until storage has none of their parts. It finds them by the path, so it also
 * removes uploads that no row knows: a process was killed before it saved their ID. Safe to repeat.
 *
 * S3 checks the signature of a part when its request starts, so a part that is being sent may be stored after the abort. For this
 * reason the parts are listed after it (https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html).
 *
 * Ceph 16 loses the bytes of an object if the upload that made it is still listed and is aborted (see claim-upload.ts). A gateway that
 * dies while it completes an upload can leave it listed.
 *
 * @param options.known an upload to abort even if the list does not have it. @default none
 * @param options.except the upload that made the object of the path, which is kept. @default none
 * @throws {StowageError} `unavailable`; with a {@link PartsRemainError} as its cause if storage still has parts after several aborts
 */
export async function abortUploads(
  { store }: AbortUploadsDeps,
  path: string,
  { known = null, except = null }: { known?: string | null; except?: string | null } = {},
): Promise<void> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    if (attempts > 0) await sleep(FIRST_PAUSE_MS * 2 ** (attempts - 1));
    const uploadIds = await findUploads(store, path);
    if (known !== null) uploadIds.add(known);
    if (except !== null) uploadIds.delete(except);
    let areGone = true;
    await forEachBounded(uploadIds, MAX_CONCURRENT_ABORTS, async (id) => {
      if (!(await abort(store, { path, uploadId: id }))) areGone = false;
    });
    if (areGone) return;
  }
  throw new StowageError("unavailable", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: new PartsRemainError("storage still has parts of a multipart upload after several aborts"),
  });
}

/** The prefix of a list also matches longer paths, so the paths are compared. */
async function findUploads(store: Pick<ObjectStore, "listMultiparts">, path: string): Promise<Set<string>> {
  const uploadIds = new Set<string>();
  let cursor: MultipartCursor | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { uploads, nextCursor }: Awaited<ReturnType<ObjectStore["listMultiparts"]>> =
      await store.listMultiparts(path, cursor);
    for (const upload of uploads) if (upload.path === path) uploadIds.add(upload.uploadId);
    cursor = nextCursor;
    if (!cursor) break;
  }
  return uploadIds;
}

/** @returns whether storage has no part of the upload any more */
async function abort(store: AbortUploadsDeps["store"], upload: MultipartRef): Promise<boolean> {
  await store.abortMultipart(upload);
  const page = await store.listParts(upload, 0);
  return page === null || page.parts.length === 0;
}
