import ipaddr from "ipaddr.js";

/** Tells whether a connection goes past the proxy. */
export type IsDirect = (host: string, port: number) => boolean;

/**
 * Reads NO_PROXY as curl, Python and undici do: a domain is the host and everything below it, with or without a dot or `*.` before it. An
 * entry may also be an address, a network such as `10.0.0.0/8`, or `*`, and may end with a port.
 *
 * @param list separated by commas or spaces
 */
export function parseNoProxy(list: string): IsDirect {
  const rules = list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseEntry);
  return (host, port) => {
    const name = normalHost(host);
    return rules.some((rule) => (rule.port === undefined || rule.port === port) && rule.matches(name));
  };
}

interface Rule {
  port: number | undefined;
  matches(host: string): boolean;
}

function parseEntry(entry: string): Rule {
  // A bare IPv6 address has colons, but no port.
  const [, host = entry, port] = /^(\[.*\](?:\/\d+)?|[^:]*):(\d+)$/.exec(entry) ?? [];
  // A network may have its brackets around the address.
  const bare = host.replace(/^\[(.*)\](?=\/\d+$)/, "$1");
  return { port: port === undefined ? undefined : Number(port), matches: matcherOf(normalHost(bare)) };
}

function matcherOf(entry: string): Rule["matches"] {
  if (entry === "*") return () => true;
  if (ipaddr.isValidCIDR(entry)) {
    const [network, bits] = ipaddr.parseCIDR(entry);
    return (host) => {
      const address = addressOf(host);
      return address?.kind() === network.kind() && address.match([network, bits] as never);
    };
  }
  const address = addressOf(entry)?.toNormalizedString();
  if (address !== undefined) return (host) => addressOf(host)?.toNormalizedString() === address;
  const domain = entry.replace(/^\*?\./, "");
  return (host) => addressOf(host) === null && (host === domain || host.endsWith(`.${domain}`));
}

/** Only the form with four numbers is IPv4 here, as browsers and curl write it. */
function addressOf(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host) ? ipaddr.process(host) : null;
}

/** Without brackets, and without the dot at the end of a complete name. */
function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/(?<=.)\.$/, "");
}
