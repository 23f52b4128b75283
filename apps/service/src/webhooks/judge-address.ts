import { isIP } from "node:net";
import { StowageError } from "@stowage/schemas";
import ipaddr from "ipaddr.js";

/** Where webhooks may be sent to. */
export interface AddressPolicy {
  /** Allows every address, and http. For development, and for receivers in the operator's own network. */
  allowPrivate: boolean;
  /** Judges each address instead. Tests use it, because they can only reach their own machine. */
  isAllowed?: (address: string) => boolean;
}

/** Addresses of the public internet in IPv6 (RFC 4291, section 2.4). All others are reserved or local. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

/**
 * Whether an address belongs to the public internet. Private, loopback, link-local, shared (RFC 6598), multicast and reserved
 * addresses do not, and neither do IPv6 addresses that lead to an IPv4 address: mapped, translated, 6to4 and Teredo.
 *
 * @param address IPv4 or IPv6. Any other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/**
 * Refuses a URL that can never be delivered to. Names are judged at each delivery, after DNS.
 *
 * @throws {StowageError} `invalid_request`
 */
export function requireAllowedUrl({ allowPrivate }: AddressPolicy, text: string): void {
  if (allowPrivate) return;
  const { protocol, hostname } = new URL(text);
  if (protocol !== "https:")
    throw new StowageError("invalid_request", { detail: "url must be an https URL" });
  const address = hostname.replace(/^\[|\]$/g, "");
  // A name may end with the dot of the DNS root.
  const isLocalName = /(^|\.)(localhost|local|internal)\.*$/.test(hostname);
  if (isLocalName || (isIP(address) !== 0 && !isPublicAddress(address)))
    throw new StowageError("invalid_request", { detail: "url must be a public address" });
}
