/**
 * The kinds of statements. Each lane has its own connections, so a lane that is full or waits for a lock delays no other lane.
 *
 * - `upload`: writes on the path of an upload: admissions and settles
 * - `read`: single reads, and the checks of known API keys
 * - `work`: changes by operators, deletes, jobs, the command line
 * - `list`: lists, searches, exports, sums
 * - `unknown-key`: looks up API keys that are not known to be valid
 * - `health`: the readiness check
 */
export type Lane = "upload" | "read" | "work" | "list" | "unknown-key" | "health";

interface LaneShare {
  /** This many of {@link ALL_SHARES} connections. */
  connections: number;
  /** The time limit as a share of the database's. Short reads need less, and should not hold their connections for longer. */
  time: number;
}

const shares: Record<Lane, LaneShare> = {
  upload: { connections: 4, time: 1 },
  read: { connections: 3, time: 0.6 },
  work: { connections: 3, time: 1 },
  list: { connections: 2, time: 1 },
  "unknown-key": { connections: 1, time: 0.4 },
  health: { connections: 1, time: 1 },
};
const ALL_SHARES = 14;
export const lanes = Object.keys(shares) as Lane[];

/** Further statements of a lane could not be served before their deadline. */
const MAX_WAITING_PER_CONNECTION = 200;
/** How many of a lane's waiting statements may belong to one owner. */
const WAITING_SHARE_OF_OWNER = 0.25;
/**
 * A backend that makes 200 calls at once is answered, also by a lane with one or two connections, where a share of the queue would be 50
 * or 100. Waiting costs no other owner time: owners take turns. A statement that waits for half of its time is refused.
 */
const MIN_WAITING_PER_OWNER = 250;

export interface LaneLimits {
  connections: number;
  timeoutMs: number;
  maxRunningPerOwner: number;
  maxWaiting: number;
  maxWaitingPerOwner: number;
}

/** @param poolSize connections of all lanes together; but a lane has at least one */
export function limitsOf(
  lane: Lane,
  { poolSize, timeoutMs }: { poolSize: number; timeoutMs: number },
): LaneLimits {
  const connections = Math.max(1, Math.floor((poolSize * shares[lane].connections) / ALL_SHARES));
  const maxWaiting = Math.max(
    connections * MAX_WAITING_PER_CONNECTION,
    MIN_WAITING_PER_OWNER / WAITING_SHARE_OF_OWNER,
  );
  return {
    connections,
    timeoutMs: Math.round(timeoutMs * shares[lane].time),
    // One connection stays free for the other owners.
    maxRunningPerOwner: Math.max(1, connections - 1),
    maxWaiting,
    maxWaitingPerOwner: maxWaiting * WAITING_SHARE_OF_OWNER,
  };
}
