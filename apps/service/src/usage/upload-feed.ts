import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ListedFile } from "#files/list/browse-files.js";
import { SECOND_MS } from "#lib/time.js";
import type { Project } from "#projects/find-project.js";
import { readNewestUploads } from "./read-newest-uploads.js";

/** A project's newest uploads at one moment. */
export interface UploadsSnapshot {
  /** Equal for equal content: a client that already has this snapshot does not get it again. */
  id: string;
  files: ListedFile[];
}

/** Sends a project's newest uploads to clients whenever they change. */
export interface UploadFeed {
  /**
   * Yields the current snapshot, unless it is the one that `lastSeenId` names, and then every change. It ends when `signal` aborts:
   * tRPC forgets the promise of the next event when a subscriber disconnects, and a rejection of it would end the process.
   *
   * @throws an `AbortError` when the feed is closed
   * @throws {StowageError} `too_many_requests` if the operator already watches too many feeds
   */
  watch(
    project: Project,
    by: { operatorId: string; lastSeenId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<UploadsSnapshot, void>;
  /** Ends all watching, for good. */
  close(): void;
}

const POLL_INTERVAL_MS = SECOND_MS;
const MAX_WATCHERS_PER_OPERATOR = 10;
const RETRY_AFTER_SECONDS = 60;

interface WatchedProject {
  /** Called when the snapshot changes. */
  watchers: Set<() => void>;
  latest: UploadsSnapshot | null;
}

/**
 * Every replica polls the database once a second for each project that has watchers on it, with the query for ten rows that the
 * page starts with. The number of watchers does not matter. LISTEN and NOTIFY would take a lock of the whole database in the
 * commit of every settle, watched or not. Each snapshot is complete, so a client that missed some, or changed to another replica,
 * is up to date with the next one.
 */
export function createUploadFeed(deps: {
  db: Queries;
  clock: () => Date;
  onError: (error: unknown) => void;
}): UploadFeed {
  const closing = new AbortController();
  const watchedProjects = new Map<number, WatchedProject>();
  const watcherCounts = new Map<string, number>();

  async function poll(project: Project, watched: WatchedProject): Promise<void> {
    while (watched.watchers.size > 0 && !closing.signal.aborted) {
      try {
        const files = await readNewestUploads(deps, project);
        const id = createHash("sha256").update(JSON.stringify(files)).digest("base64url").slice(0, 22);
        if (id !== watched.latest?.id) {
          watched.latest = { id, files };
          for (const notify of watched.watchers) notify();
        }
      } catch (error) {
        deps.onError(error);
      }
      await sleep(POLL_INTERVAL_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    watchedProjects.delete(project.id);
  }

  /** The first watcher of a project starts the polling. It ends by itself after the last watcher has left. */
  function join(project: Project, notify: () => void): WatchedProject {
    const known = watchedProjects.get(project.id);
    known?.watchers.add(notify);
    if (known) return known;
    const watched: WatchedProject = { watchers: new Set([notify]), latest: null };
    watchedProjects.set(project.id, watched);
    void poll(project, watched);
    return watched;
  }

  function addWatcher(operatorId: string): void {
    const count = watcherCounts.get(operatorId) ?? 0;
    if (count >= MAX_WATCHERS_PER_OPERATOR)
      throw new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
    watcherCounts.set(operatorId, count + 1);
  }

  function removeWatcher(operatorId: string): void {
    const count = watcherCounts.get(operatorId)! - 1;
    if (count > 0) watcherCounts.set(operatorId, count);
    else watcherCounts.delete(operatorId);
  }

  return {
    async *watch(project, { operatorId, lastSeenId, signal }) {
      addWatcher(operatorId);
      let wake = (): void => undefined;
      const notify = () => wake();
      const watched = join(project, notify);
      signal.addEventListener("abort", notify);
      try {
        for (let lastId = lastSeenId; ;) {
          const changed = new Promise<void>((resolve) => (wake = resolve));
          if (signal.aborted) return;
          closing.signal.throwIfAborted();
          if (watched.latest !== null && watched.latest.id !== lastId) {
            lastId = watched.latest.id;
            yield watched.latest;
          } else {
            await changed;
          }
        }
      } finally {
        signal.removeEventListener("abort", notify);
        watched.watchers.delete(notify);
        removeWatcher(operatorId);
      }
    },
    close() {
      closing.abort();
      for (const { watchers } of watchedProjects.values()) for (const notify of watchers) notify();
    },
  };
}
