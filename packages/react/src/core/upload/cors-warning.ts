import type { Connection } from "../network/connection.js";
import type { UploadTicket } from "../transport.js";

/** After this many PUTs in a row with a network error, missing CORS rules are likely. */
const SUSPICIOUS_PUTS = 3;

/** PUTs in a row with a network error, though the backend answers. Counted for each store, by its network. */
const failedPuts = new WeakMap<object, number>();

// Bundlers replace `process.env.NODE_ENV` in exactly this spelling, so that production builds drop the warning.
declare const process: { env: { NODE_ENV?: string } };

/** Counts how PUTs end, and warns the developer about missing CORS rules. Does nothing in production. Never rejects. */
export async function recordPut(
  network: Pick<Connection, "isLost">,
  ticket: UploadTicket,
  outcome: "network-error" | "other",
): Promise<void> {
  try {
    if (process.env.NODE_ENV !== "production") {
      const isExplained = outcome === "other" || (await network.isLost());
      const puts = isExplained ? 0 : (failedPuts.get(network) ?? 0) + 1;
      failedPuts.set(network, puts);
      if (puts === SUSPICIOUS_PUTS) (await import("./cors-checklist.js")).logCorsChecklist(ticket);
    }
  } catch {
    // `process` is not defined here, or the checklist could not be loaded. The upload does not depend on it.
  }
}
