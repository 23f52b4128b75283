import type { Connection } from "../network/connection.js";
import { hintOnce } from "../network/hint-once.js";
import type { PutTarget } from "../transport.js";

/** After this many PUTs in a row with a network error, missing CORS rules are likely. */
const SUSPICIOUS_PUTS = 3;

/** PUTs in a row with a network error, though the backend answers. Counted for each store, by its network. */
const failedPuts = new WeakMap<object, number>();

/**
 * Counts how PUTs end, and tells the developer about missing CORS rules. Never rejects.
 *
 * @returns whether the browser is likely to keep this page from storage
 */
export async function recordPut(
  network: Pick<Connection, "isLost">,
  target: PutTarget,
  outcome: "network-error" | "other",
): Promise<boolean> {
  const isExplained = outcome === "other" || (await network.isLost());
  const puts = isExplained ? 0 : (failedPuts.get(network) ?? 0) + 1;
  failedPuts.set(network, puts);
  const isLikely = puts >= SUSPICIOUS_PUTS;
  if (isLikely) void hintOnce({ cause: "storage-unreachable", target });
  return isLikely;
}
