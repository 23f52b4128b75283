import type {
  CopyHeaders,
  CopyOutcome,
  CopySource,
  ObjectStore,
  PublicBucket,
} from "#object-store/object-store.js";
import { beginCopy, endCopy, type MoveClaim, type MoveDeps } from "./claim-move.js";

export interface MoveFileDeps extends MoveDeps {
  store: Pick<ObjectStore, "head" | "read" | "remove" | "published">;
}

/**
 * Copies an object into the public bucket, if the claimed file still has to be public. If storage does not answer, the copy may land
 * later, so the row remembers until when: see `publishEndsAt`.
 *
 * @returns `over` if the claim is over or the file must not be public any more; nothing was copied then
 * @throws {StowageError} `unavailable`
 */
export async function publish(
  deps: MoveDeps,
  published: PublicBucket,
  claim: MoveClaim,
  source: CopySource,
  headers: CopyHeaders,
): Promise<CopyOutcome | "over"> {
  if (!(await beginCopy(deps, claim))) return "over";
  const outcome = await published.publish(source, headers);
  await endCopy(deps, claim);
  return outcome;
}
