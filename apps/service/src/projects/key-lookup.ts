import { StowageError } from "@stowage/schemas";
import type { Database } from "#db/client.js";
import { batchCalls } from "#lib/batch-calls.js";
import { findProject, findProjectsByKeys, type Project } from "./find-project.js";

/**
 * Finds the projects of API keys. It remembers which project a key had, but only to choose the lane of the database: the database
 * still decides about every request, so a regenerated key stops working immediately. Keys that are not known to be valid have their
 * own lane, where clients are served fairly by their address, so a flood of invalid keys does not delay valid ones.
 */
export interface KeyLookup {
  /**
   * Finds the project of a key.
   *
   * @param clientAddress the IP address of the client
   * @throws {StowageError} `unauthorized`, `too_many_requests`, `unavailable`
   */
  findProject(apiKeyHash: string, clientAddress: string): Promise<Project>;
  /**
   * Finds the id of the project that the key has or had. A known key needs no query, so the caller has to check the key in its own
   * statement.
   *
   * @throws the same errors as `findProject`
   */
  findProjectId(apiKeyHash: string, clientAddress: string): Promise<number>;
  /** Call it when the database says that no project has the key. */
  forget(apiKeyHash: string): void;
}

/** About two megabytes. */
const MAX_KNOWN_KEYS = 10_000;
/** A look-up of this many keys takes a few milliseconds. */
const MAX_BATCH_SIZE = 100;
const MAX_QUEUE_LENGTH = 2000;
const MAX_QUEUE_LENGTH_PER_CLIENT = 200;

/** @param options.timeoutMs how long one look-up may wait for its answer */
export function createKeyLookup(
  deps: { db: Database },
  { timeoutMs, maxKnownKeys = MAX_KNOWN_KEYS }: { timeoutMs: number; maxKnownKeys?: number },
): KeyLookup {
  /** Project ids by the hash of the key. The first key is the one that has not been used for the longest time. */
  const known = new Map<string, number>();

  function remember(apiKeyHash: string, projectId: number): void {
    known.delete(apiKeyHash);
    known.set(apiKeyHash, projectId);
    if (known.size <= maxKnownKeys) return;
    const [oldest] = known.keys();
    known.delete(oldest!);
  }

  const lookUp = batchCalls(
    (lookups: { apiKeyHash: string; clientAddress: string }[]) =>
      findProjectsByKeys(
        { db: deps.db.lane("unknown-key", "all clients") },
        lookups.map(({ apiKeyHash }) => apiKeyHash),
      ),
    {
      ownerOf: ({ clientAddress }) => clientAddress,
      maxConcurrentCalls: 1,
      maxBatchSize: MAX_BATCH_SIZE,
      maxQueueLength: MAX_QUEUE_LENGTH,
      maxQueueLengthPerOwner: MAX_QUEUE_LENGTH_PER_CLIENT,
      timeoutMs,
    },
  );

  async function findUnknown(apiKeyHash: string, clientAddress: string): Promise<Project> {
    const project = await lookUp({ apiKeyHash, clientAddress });
    if (!project) throw new StowageError("unauthorized");
    remember(apiKeyHash, project.id);
    return project;
  }

  return {
    async findProject(apiKeyHash, clientAddress) {
      const projectId = known.get(apiKeyHash);
      if (projectId === undefined) return findUnknown(apiKeyHash, clientAddress);
      const project = await findProject({ db: deps.db.lane("read", String(projectId)) }, apiKeyHash);
      remember(apiKeyHash, project.id);
      return project;
    },
    async findProjectId(apiKeyHash, clientAddress) {
      const projectId = known.get(apiKeyHash) ?? (await findUnknown(apiKeyHash, clientAddress)).id;
      remember(apiKeyHash, projectId);
      return projectId;
    },
    forget: (apiKeyHash) => void known.delete(apiKeyHash),
  };
}
