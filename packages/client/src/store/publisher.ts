import type { ConnectionState } from "../network/connection.js";
import type { Unfinished } from "../resume/resume-session.js";
import type { Cancel, Runtime } from "../runtime.js";
import type { UploadItem } from "../upload-item.js";
import type { UploadLimits } from "../upload-limits.js";
import type { UploadSettings, UploadSnapshot } from "../upload-settings.js";
import type { FileCollection } from "./file-collection.js";
import { noCounts, totalsOf } from "./totals.js";

/** Ten times a second looks smooth. Drawing with every frame would take processor time from the uploads. */
const SHOW_MS = 100;
/** With so many active files, a snapshot moves and changes most of the visible rows, which takes longer to draw. */
const MANY_FILES = 100;
const SHOW_MANY_MS = 300;

interface PublisherDeps {
  runtime: Pick<Runtime, "after" | "soon">;
  settings(): UploadSettings;
  files: Pick<FileCollection, "all" | "counts" | "sending">;
  limits(): UploadLimits;
  unfinished(): Unfinished;
  connection(): ConnectionState;
  /** Speed of all files together. */
  bytesPerSecond(): number | null;
}

/** Makes the snapshots of a store, and tells listeners and the page's callbacks about them. */
export function createPublisher(deps: PublisherDeps) {
  const { runtime, settings, files } = deps;
  const listeners = new Set<() => void>();
  /** Files that have ended since the last snapshot. */
  let ended: UploadItem[] = [];
  let shownProgress = 0;
  let leftOut: readonly File[] = [];
  let cancelPending: Cancel | null = null;
  const empty: UploadSnapshot = {
    items: [],
    totals: totalsOf(noCounts(), 0, null),
    isOffline: false,
    connection: "online",
    limits: deps.limits(),
    resumable: [],
    lost: [],
    leftOut: [],
  };
  let snapshot = empty;

  /** Shows all changes immediately. Commands of a person use this. */
  function publish() {
    cancelPending?.();
    cancelPending = null;
    const wasActive = snapshot.totals.active > 0;
    snapshot = takeSnapshot();
    const { totals } = snapshot;
    shownProgress = totals.active > 0 ? totals.progress : 0;
    for (const listener of listeners) listener();
    callPageAboutEnded();
    // A callback may have added files and published them. They are in the newer snapshot, and are not settled yet.
    if (wasActive && totals.active === 0 && snapshot.totals.active === 0) {
      callPage(() => settings().onSettled?.(snapshot));
    }
  }

  function takeSnapshot(): UploadSnapshot {
    const counts = files.counts();
    const connection = deps.connection();
    const bytesPerSecond = counts.active > counts.paused ? deps.bytesPerSecond() : null;
    return {
      items: Array.from(files.all(), ({ item }) => item),
      totals: totalsOf(counts, shownProgress, bytesPerSecond, files.sending()),
      isOffline: connection === "offline",
      connection,
      limits: deps.limits(),
      ...deps.unfinished(),
      leftOut,
    };
  }

  function callPageAboutEnded() {
    const items = ended;
    ended = [];
    for (const item of items) {
      callPage(() => {
        if (item.status === "done") settings().onUploaded?.(item.result, item);
        if (item.status === "failed") settings().onFailed?.(item.error, item);
      });
    }
  }

  /** An error in the page's callback is reported as an uncaught error, and uploads continue. */
  function callPage(callback: () => void) {
    try {
      callback();
    } catch (error) {
      runtime.after(0, () => {
        throw error;
      });
    }
  }

  return {
    getSnapshot: () => snapshot,
    /** What a server renders, and so what a browser renders first. */
    getServerSnapshot: () => empty,
    subscribe(listener: () => void): Cancel {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish,
    /** Shows changes of the network a few times per second, so that many small changes are drawn together. */
    publishSoon() {
      const delayMs = files.counts().active < MANY_FILES ? SHOW_MS : SHOW_MANY_MS;
      cancelPending ??= runtime.soon(publish, delayMs);
    },
    setLeftOut(files: readonly File[]) {
      leftOut = files;
    },
    /** The next snapshot calls the page's `onUploaded` or `onFailed` for this item. */
    addEnded(item: UploadItem) {
      ended.push(item);
    },
    /** Lets the total progress fall, because files were added or start again from 0. */
    restartProgress() {
      shownProgress = 0;
    },
  };
}

export type Publisher = ReturnType<typeof createPublisher>;
