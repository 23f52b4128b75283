import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { clientNetwork } from "#lib/client-network.js";

export interface ConnectionLimit {
  /** Open connections of one client: an IPv4 address or an IPv6 network. 0: no limit. */
  maxPerClient: number;
  /** Addresses or networks without a limit. All clients behind a proxy share its address, so the proxy has to limit them. */
  trustedProxies: string[];
  /** Is called when connections were refused, at most once a minute. */
  onRefused(): void;
}

const REPORT_INTERVAL_MS = 60_000;

/**
 * Closes new connections of a client that has too many, without an answer: an answer would cost as much as the connection. Its open
 * connections continue. The map has an entry for each client with open connections, so its size is bounded by theirs.
 */
export function limitConnections(server: Server, limit: ConnectionLimit): void {
  if (limit.maxPerClient === 0) return;
  const proxies = toBlockList(limit.trustedProxies);
  const open = new Map<string, number>();
  let reportsAgainAt = 0;
  const report = () => {
    const now = performance.now();
    if (now < reportsAgainAt) return;
    reportsAgainAt = now + REPORT_INTERVAL_MS;
    limit.onRefused();
  };
  server.on("connection", (socket) => {
    const { remoteAddress: address } = socket;
    // Undefined if the client has disconnected already.
    if (address === undefined || proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4")) return;
    const client = clientNetwork(address);
    const count = open.get(client) ?? 0;
    if (count >= limit.maxPerClient) {
      socket.destroy();
      report();
      return;
    }
    open.set(client, count + 1);
    socket.on("close", () => {
      const left = open.get(client)! - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
  });
}

function toBlockList(networks: string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
