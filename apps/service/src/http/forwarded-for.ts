import { isIP } from "node:net";
import type { IncomingHttpHeaders } from "node:http";

const HEADER = "x-forwarded-for";

/**
 * Leaves only addresses in X-Forwarded-For, before the client's address is read from it. Some proxies write `192.0.2.1:40000` or
 * `[2001:db8::1]:40000`: with its port, each connection of a client would count as another client.
 *
 * An entry that is no address is removed with all entries before it: the proxy that wrote them cannot be judged any more.
 */
export function normalizeForwardedFor(headers: IncomingHttpHeaders): void {
  const sent = headers[HEADER];
  if (sent === undefined) return;
  const entries = String(sent).split(",").map(addressOf);
  const known = entries.slice(entries.lastIndexOf(null) + 1);
  if (known.length === 0) delete headers[HEADER];
  else headers[HEADER] = known.join(", ");
}

/** Removes the port and the brackets. @returns null if it is no address */
function addressOf(entry: string): string | null {
  const text = entry.trim();
  const inBrackets = /^\[(.*)\](?::\d{1,5})?$/.exec(text)?.[1];
  const beforePort = /^([^:]*):\d{1,5}$/.exec(text)?.[1];
  const address = inBrackets ?? beforePort ?? text;
  // Node accepts a zone, such as fe80::1%eth0, which means nothing to another machine.
  return isIP(address) !== 0 && !address.includes("%") ? address : null;
}
