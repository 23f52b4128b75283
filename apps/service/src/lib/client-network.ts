import { normalizeIP } from "@fastify/rate-limit";

/** A provider gives each client at least a network of this size (RFC 6177), so its addresses count as one client. */
const IPV6_PREFIX_BITS = 64;

/**
 * Returns what a client is counted by: its IPv4 address, or the first address of its IPv6 network. An IPv4 address that is mapped to
 * IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function clientNetwork(address: string): string {
  return normalizeIP(address, IPV6_PREFIX_BITS);
}
