import {
  ALL_SHARES,
  LANE_SHARES,
  MAX_WAITING_OF_OWNER_PER_CONNECTION,
  MAX_WAITING_PER_CONNECTION,
  MIN_WAITING,
  MIN_WAITING_OF_OWNER,
} from "./limits.js";

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
export type Lane = keyof typeof LANE_SHARES;

export const lanes = Object.keys(LANE_SHARES) as Lane[];

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
  const share = LANE_SHARES[lane];
  const connections = Math.max(1, Math.floor((poolSize * share.connections) / ALL_SHARES));
  return {
    connections,
    timeoutMs: Math.round(timeoutMs * share.time),
    // One connection stays free for the other owners.
    maxRunningPerOwner: Math.max(1, connections - 1),
    maxWaiting: Math.max(MIN_WAITING, connections * MAX_WAITING_PER_CONNECTION),
    maxWaitingPerOwner: Math.max(MIN_WAITING_OF_OWNER, connections * MAX_WAITING_OF_OWNER_PER_CONNECTION),
  };
}
