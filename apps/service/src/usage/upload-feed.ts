import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { StowageError } from "@stowage/schemas";
import type { Queries } from "#db/client.js";
import type { ListedFile } from "#files/list/browse-files.js";
import type { Project } from "#projects/find-project.js";
import { newestUploads } from "./newest-uploads.js";

/** A project's newest uploads at one moment. */
export interface UploadsSeen {
  /** Names what was seen: who has seen it already is not told again. */
  id: string;
  files: ListedFile[];
}

/** Tells whoever watches a project of its newest uploads whenever they change. */
export interface UploadFeed {
  /**
   * What there is now, unless it is what `lastSeenId` names, and then each change.
   *
   * @throws an `AbortError` when `signal` aborts or the feed is closed
   * @throws {StowageError} `too_many_requests` to somebody who watches in too many places already
   */
  watch(
    project: Project,
    by: { operatorId: string; lastSeenId: string | undefined; signal: AbortSignal },
  ): AsyncGenerator<UploadsSeen, never>;
  /** Ends all watching, for good. */
  close(): void;
}

const LOOK_EVERY_MS = 1000;
const MOST_PER_OPERATOR = 10;
const RETRY_AFTER_SECONDS = 60;

interface Watched {
  watchers: Set<() => void>;
  seen: UploadsSeen | null;
}

/**
 * Every replica looks for itself: for each project that somebody watches there, once a second whatever their number, by the
 * query of ten rows that the page begins with. LISTEN and NOTIFY would take a turn of a lock of the whole database in each
 * settle's commit, watched or not. Each look tells the whole of the newest uploads, so whoever missed some, or came to
 * another replica, is right with the next one.
 */
export function createUploadFeed(deps: { db: Queries; onError: (error: unknown) => void }): UploadFeed {
  const closing = new AbortController();
  const watchedProjects = new Map<number, Watched>();
  const watchesOf = new Map<string, number>();

  async function look(project: Project, watched: Watched): Promise<void> {
    while (watched.watchers.size > 0 && !closing.signal.aborted) {
      try {
        const files = await newestUploads(deps, project);
        const id = createHash("sha256").update(JSON.stringify(files)).digest("base64url").slice(0, 22);
        if (id !== watched.seen?.id) {
          watched.seen = { id, files };
          for (const tell of watched.watchers) tell();
        }
      } catch (error) {
        deps.onError(error);
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    watchedProjects.delete(project.id);
  }

  /** Whoever is the first to watch a project has it looked at; the looking ends by itself after the last has left. */
  function join(project: Project, tell: () => void): Watched {
    const known = watchedProjects.get(project.id);
    known?.watchers.add(tell);
    if (known) return known;
    const watched: Watched = { watchers: new Set([tell]), seen: null };
    watchedProjects.set(project.id, watched);
    void look(project, watched);
    return watched;
  }

  return {
    async *watch(project, { operatorId, lastSeenId, signal }) {
      const watches = watchesOf.get(operatorId) ?? 0;
      if (watches >= MOST_PER_OPERATOR)
        throw new StowageError("too_many_requests", { retryAfterSeconds: RETRY_AFTER_SECONDS });
      watchesOf.set(operatorId, watches + 1);
      let wake = (): void => undefined;
      const tell = () => wake();
      const watched = join(project, tell);
      signal.addEventListener("abort", tell);
      try {
        for (let lastId = lastSeenId; ;) {
          const changed = new Promise<void>((resolve) => (wake = resolve));
          signal.throwIfAborted();
          closing.signal.throwIfAborted();
          if (watched.seen !== null && watched.seen.id !== lastId) {
            lastId = watched.seen.id;
            yield watched.seen;
          } else await changed;
        }
      } finally {
        signal.removeEventListener("abort", tell);
        watched.watchers.delete(tell);
        const left = watchesOf.get(operatorId)! - 1;
        if (left > 0) watchesOf.set(operatorId, left);
        else watchesOf.delete(operatorId);
      }
    },
    close() {
      closing.abort();
      for (const { watchers } of watchedProjects.values()) for (const tell of watchers) tell();
    },
  };
}
