import { keepEmpty, type KeepEmptyDeps } from "#files/delete/keep-empty.js";
import { removeObject } from "#files/delete/remove-object.js";
import { settleSeen, type SettleUploadDeps } from "#files/settle/settle-upload.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { findAtPaths } from "./find-at-paths.js";
import type { StorageEvent } from "./storage-event.js";

export type NoteStorageEventsDeps = SettleUploadDeps &
  KeepEmptyDeps & {
    /** The bucket whose events count. */
    bucket: string;
  };

/** Of one notification: enough that what they find fills a shared statement while others still look. */
const LOOKS_AT_ONCE = 32;
const OUR_PATH = /^projects\/([0-9A-Za-z]{22})\/tenants\/[0-9A-Za-z]{22}\/[^/\p{Cc}\p{Cs}]+$/u;

/**
 * Looks at the path of each event. Nothing of an event is believed, so it may come late, twice, out of order or forged: it
 * only makes the look come sooner. Events of other buckets and of paths that are nobody's are passed over.
 *
 * @returns how many paths were looked at
 * @throws {StowageError} `unavailable`: the sender should come again, and the sweeper looks in any case
 */
export async function noteStorageEvents(
  deps: NoteStorageEventsDeps,
  events: StorageEvent[],
): Promise<number> {
  const keys = events.flatMap((event) => (event.bucket === deps.bucket ? event.keys : []));
  const looks = await findLooks(deps, [...new Set(keys)]);
  await forEachBounded(looks, LOOKS_AT_ONCE, (look) => look());
  return looks.length;
}

/** What there is to do for those paths that we know. */
async function findLooks(deps: NoteStorageEventsDeps, paths: string[]): Promise<(() => Promise<unknown>)[]> {
  const asked = paths.flatMap((path) => {
    const ref = OUR_PATH.exec(path)?.[1];
    return ref === undefined ? [] : [{ ref, path }];
  });
  const found = await findAtPaths(deps, asked);
  return found.map(({ projectId, path, file }) => async () => {
    if (!file) return keepEmpty(deps, projectId, path);
    // The whole row, as a settle has to have seen it before it looks.
    const outcome = file.status === "deleting" ? "removing" : await settleSeen(deps, file);
    if (outcome === "removing") await removeObject(deps, projectId, path);
  });
}
