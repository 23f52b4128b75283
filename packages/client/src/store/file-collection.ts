import { countsTowardLimits, isActive, type UploadItem } from "../upload-item.js";
import type { SessionUsage } from "../upload-limits.js";
import { createFileState, type FileEvent, type FileState, reduceFile, unfinishedPath } from "./file-state.js";
import { countItem, noCounts, type UploadCounts } from "./totals.js";

/**
 * The files of a store, in the order in which they were added, and their counts. All changes go through here.
 *
 * Counts are updated with each change. Counting all files again would make every progress event of a long list slow.
 *
 * @param onEvent called after each event with the new state of the file
 */
export function createFileCollection(onEvent: (event: FileEvent, file: FileState) => void) {
  const files = new Map<string, FileState>();
  const counts = noCounts();
  const sending = new Map<string, UploadItem>();
  /** Stored files that are no longer listed but still use up the limits of the session. */
  let unlisted: SessionUsage = { files: 0, bytes: 0 };
  let lastId = 0;

  const running = () => [...files.values()].filter(({ item }) => isActive(item));

  function remove(id: string) {
    const file = files.get(id);
    if (!file) return;
    files.delete(id);
    sending.delete(id);
    countItem(counts, file.item, -1);
  }

  return {
    get: (id: string) => files.get(id),
    /** All files, oldest first. Files may be changed and removed during the iteration. */
    all: (): IterableIterator<FileState> => files.values(),
    counts: (): Readonly<UploadCounts> => counts,
    /** The files whose bytes are sent now: as many as `concurrency` allows. */
    sending: (): readonly UploadItem[] => [...sending.values()],

    /** What all files of the session use up of the limits. */
    usage: (): SessionUsage => ({
      files: counts.active + counts.done + unlisted.files,
      bytes: counts.totalBytes + unlisted.bytes,
    }),

    /**
     * What the other files use up on a page with `transform`. The size of a file is known only when it is prepared, so a file
     * is checked against the files that were prepared before it.
     */
    preparedUsage(id: string): SessionUsage {
      let { bytes } = unlisted;
      for (const { item, preparedBytes } of files.values()) {
        if (item.id !== id && countsTowardLimits(item)) bytes += preparedBytes ?? 0;
      }
      return { files: files.get(id)?.usageBefore.files ?? 0, bytes };
    },

    /** The files that are queued, on their way or paused. */
    running,

    /** The uploads that run and hold quota. */
    reserving: () =>
      running().flatMap((file) => {
        const path = unfinishedPath(file);
        return path === undefined ? [] : { path, item: file.item };
      }),

    /** @returns the id of the file */
    add(file: File): string {
      const id = String(++lastId);
      const state = createFileState(id, file);
      files.set(id, state);
      countItem(counts, state.item, 1);
      return id;
    },

    /** Applies an event to a file. Unknown ids are ignored. */
    dispatch(id: string, event: FileEvent) {
      const before = files.get(id);
      if (!before) return;
      const after = reduceFile(before, event);
      files.set(id, after);
      countItem(counts, before.item, -1);
      countItem(counts, after.item, 1);
      if (after.item.status === "uploading") sending.set(id, after.item);
      else sending.delete(id);
      onEvent(event, after);
    },

    /** Takes a file off the list. It no longer uses up the limits. */
    remove,

    /** Takes a file off the list. If it is stored, it still uses up the limits of the session. */
    unlist(id: string) {
      const item = files.get(id)?.item;
      if (!item) return;
      if (countsTowardLimits(item)) {
        unlisted = { files: unlisted.files + 1, bytes: unlisted.bytes + item.size };
      }
      remove(id);
    },

    /** Unlisted files no longer use up the limits. */
    startSession() {
      unlisted = { files: 0, bytes: 0 };
    },
  };
}

export type FileCollection = ReturnType<typeof createFileCollection>;
