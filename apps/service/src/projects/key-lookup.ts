import { StowageError } from "@stowage/schemas";
import { LruMap } from "toad-cache";
import type { Database } from "#db/client.js";
import { SECOND_MS } from "#lib/time.js";
import { findProject, findProjectsByKeys, findRecentKeys, type Project } from "./find-project.js";

/**
 * Finds the projects of API keys. It remembers which project a key had, but only to choose the lane of the database: the database
 * still decides about every request, so a regenerated key stops working immediately. Keys that are not known to be valid have their
 * own lane, where clients are served fairly, so a flood of invalid keys does not delay valid ones. For some seconds, a key that no
 * project has is refused without a query.
 */
export interface KeyLookup {
  /** Returns the id of the project that the key has or had, if this replica knows it. Never asks the database. */
  knownProjectId(apiKeyHash: string): number | undefined;
  /**
   * Looks up a key that is not known. Afterwards it is known.
   *
   * @param client takes turns with other clients: the result of `clientNetwork`
   * @throws {StowageError} `unauthorized`, `too_many_requests`, `unavailable`
   */
  lookUp(apiKeyHash: string, client: string): Promise<number>;
  /**
   * Finds the project of a key in the database.
   *
   * @param key the key, and the project that it has or had, which waits in turns with other projects
   * @throws {StowageError} `unauthorized`, `too_many_requests`, `unavailable`
   */
  findProject(key: { apiKeyHash: string; projectId: number }): Promise<Project>;
  /** Call it when the database says that no project has the key. */
  forget(apiKeyHash: string): void;
  /** Call it when this replica has created the key. Afterwards the key is known, unless the database is down. Never throws. */
  learn(apiKeyHash: string): Promise<void>;
  /**
   * Starts to read the keys that were created or used last, on any replica. Call it when a client may not look its key up. Does
   * nothing if that was done in the last ten seconds.
   */
  learnRecent(): void;
}

/** About two megabytes. */
const MAX_KNOWN_KEYS = 10_000;
/** A key that another replica creates may have to wait this long, but only if a client has sent it here before it existed. */
const UNKNOWN_FOR_MS = 5 * SECOND_MS;
/** About two megabytes. */
const MAX_UNKNOWN_KEYS = 10_000;
/** How often {@link KeyLookup.learnRecent} may read the keys. */
export const LEARN_INTERVAL_SECONDS = 10;

export function createKeyLookup(
  deps: { db: Database; clock: () => Date },
  { maxKnownKeys = MAX_KNOWN_KEYS }: { maxKnownKeys?: number } = {},
): KeyLookup {
  /** Project ids by the hash of the key. A Map would take microseconds to move a key that is used often behind thousands of others. */
  const known = new LruMap<number>(maxKnownKeys);
  /** When keys that no project had may be looked up again, in ms. */
  const unknownUntil = new LruMap<number>(MAX_UNKNOWN_KEYS);
  const now = () => deps.clock().getTime();
  let learnsAgainAt = 0;

  const find = deps.db.batch("unknown-key", {
    run: (db, apiKeyHashes: string[]) => findProjectsByKeys({ db }, apiKeyHashes),
  });

  /** A client that begins with many calls at once waits for one look-up of its key. */
  const running = new Map<string, ReturnType<typeof find>>();
  function findOnce(apiKeyHash: string, client: string): ReturnType<typeof find> {
    const name = `${client} ${apiKeyHash}`;
    const found = running.get(name) ?? find(client, apiKeyHash).finally(() => running.delete(name));
    running.set(name, found);
    return found;
  }

  async function lookUp(apiKeyHash: string, client: string): Promise<number> {
    if ((unknownUntil.get(apiKeyHash) ?? 0) > now()) throw new StowageError("unauthorized");
    const project = await findOnce(apiKeyHash, client);
    if (project) {
      known.set(apiKeyHash, project.id);
      return project.id;
    }
    // This replica may have created the key while the database answered.
    if (known.get(apiKeyHash) === undefined) unknownUntil.set(apiKeyHash, now() + UNKNOWN_FOR_MS);
    throw new StowageError("unauthorized");
  }

  async function readRecent(): Promise<void> {
    const recent = await findRecentKeys({ db: deps.db.lane("unknown-key", "recent keys") }, maxKnownKeys);
    // The last one is the last to be dropped.
    for (const { apiKeyHash, id } of recent.toReversed()) known.set(apiKeyHash, id);
  }

  return {
    knownProjectId: (apiKeyHash) => known.get(apiKeyHash),
    lookUp,
    findProject: ({ apiKeyHash, projectId }) =>
      findProject({ db: deps.db.lane("read", String(projectId)) }, apiKeyHash),
    forget: (apiKeyHash) => known.delete(apiKeyHash),
    async learn(apiKeyHash) {
      unknownUntil.delete(apiKeyHash);
      const found = await findProject({ db: deps.db.lane("work", "new keys") }, apiKeyHash).catch(() => null);
      if (found) known.set(apiKeyHash, found.id);
    },
    learnRecent() {
      if (now() < learnsAgainAt) return;
      learnsAgainAt = now() + LEARN_INTERVAL_SECONDS * SECOND_MS;
      // If it fails, the next call after the interval tries again. Until then the keys are refused as before.
      readRecent().catch(() => undefined);
    },
  };
}
