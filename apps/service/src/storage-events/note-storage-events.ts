import { and, eq, inArray } from "drizzle-orm";
import { files, projects, tombstones } from "#db/schema/index.js";
import { keepEmpty, type KeepEmptyDeps } from "#files/keep-empty.js";
import { removeObject } from "#files/remove-object.js";
import { settleSeen, type SettleUploadDeps } from "#files/settle-upload.js";
import { forEachBounded } from "#for-each-bounded.js";
import type { StorageEvent } from "./storage-event.js";

export type NoteStorageEventsDeps = SettleUploadDeps &
  KeepEmptyDeps & {
    /** The bucket whose events count. */
    bucket: string;
  };

/** Of one notification: enough that what they find fills a shared statement while others still look. */
const LOOKS_AT_ONCE = 32;
const OUR_PATH = /^projects\/([0-9A-Za-z]{22})\/tenants\/[0-9A-Za-z]{22}\/[^/\p{Cc}]+$/u;

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
  const looks = await findLooks(
    deps,
    [...new Set(keys)].filter((key) => OUR_PATH.test(key)),
  );
  await forEachBounded(looks, LOOKS_AT_ONCE, (look) => look());
  return looks.length;
}

/** What there is to do for those paths that we know. */
async function findLooks(deps: NoteStorageEventsDeps, paths: string[]): Promise<(() => Promise<unknown>)[]> {
  if (paths.length === 0) return [];
  const refs = [...new Set(paths.map((path) => OUR_PATH.exec(path)![1]!))];
  const [known, deleted] = await Promise.all([
    deps.db.run((db) =>
      db
        .select({ file: files }) // whole, as a settle has to have seen it before it looks
        .from(files)
        .innerJoin(projects, eq(projects.id, files.projectId))
        .where(and(inArray(projects.ref, refs), inArray(files.path, paths))),
    ),
    deps.db.run((db) =>
      db
        .select({ projectId: tombstones.projectId, path: tombstones.path })
        .from(tombstones)
        .innerJoin(projects, eq(projects.id, tombstones.projectId))
        .where(and(inArray(projects.ref, refs), inArray(tombstones.path, paths))),
    ),
  ]);
  return [
    ...known.map(({ file }) => async () => {
      const outcome = file.status === "deleting" ? "removing" : await settleSeen(deps, file);
      if (outcome === "removing") await removeObject(deps, file.projectId, file.path);
    }),
    ...deleted.map(
      ({ projectId, path }) =>
        () =>
          keepEmpty(deps, projectId, path),
    ),
  ];
}
