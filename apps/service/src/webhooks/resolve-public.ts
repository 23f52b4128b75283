import type { LookupAddress } from "node:dns";
import { Resolver } from "node:dns/promises";

/** Two tries of one name server end within {@link MAX_MS}, because the second one waits for twice as long. */
const FIRST_TRY_MS = 1500;
const TRIES = 2;
/** Leaves time for the request itself. */
const MAX_MS = 6000;

/**
 * Asks the name servers of this machine for all addresses of a name. It does not read the file of hosts.
 *
 * `dns.lookup` would: but it uses threads, and the whole process has only two. A customer's name server that never answers would
 * delay every other endpoint, and connections to storage and the database.
 *
 * @param servers @default the name servers of this machine
 * @throws {Error} with the codes of `dns.lookup`: `ENOTFOUND` if the name has no address, `EAI_AGAIN` if no name server answers
 */
export async function resolvePublic(hostname: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const timer = setTimeout(() => resolver.cancel(), MAX_MS);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(timer);
  const found = [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)];
  if (found.length > 0) return found;
  const isMissing = [ipv4, ipv6].every((result) => result.status === "fulfilled" || isAbsence(result.reason));
  throw Object.assign(new Error("no address was found"), { code: isMissing ? "ENOTFOUND" : "EAI_AGAIN" });
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
}

/** The name does not exist, or has no address of this family. */
function isAbsence(error: NodeJS.ErrnoException): boolean {
  return error.code === "ENOTFOUND" || error.code === "ENODATA";
}
