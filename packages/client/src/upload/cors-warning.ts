import type { Connection } from "../network/connection.js";
import { hintOnce } from "../network/hint-once.js";
import type { PutTarget } from "../transport.js";

/** After this many PUTs in a row with a network error, missing CORS rules are likely. */
const SUSPICIOUS_PUTS = 3;

/** PUTs in a row with a network error, though the backend answers. Counted for each store, by its network. */
const failedPuts = new WeakMap<object, number>();

/** Counts how PUTs end, and tells the developer about missing CORS rules. Never rejects. */
export async function recordPut(
  network: Pick<Connection, "isLost">,
  target: PutTarget,
  outcome: "network-error" | "other",
): Promise<void> {
  const isExplained = outcome === "other" || (await network.isLost());
  const puts = isExplained ? 0 : (failedPuts.get(network) ?? 0) + 1;
  failedPuts.set(network, puts);
  if (puts >= SUSPICIOUS_PUTS) void hintOnce({ cause: "storage-unreachable", target });
}
