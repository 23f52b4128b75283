import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@stowage/dev-postgres";
import { aDebianServer } from "@stowage/service/test/fixtures/a-debian-server.js";

/** HAProxy in front of a primary and its standby. */
export interface HaProxy {
  /** The primary's URL, through the proxy. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts HAProxy, which sends connections to the primary while it accepts any, and otherwise to the standby. It closes the
 * connections to a server that is down.
 */
export async function aHaProxy(primaryUrl: string, standbyUrl: string): Promise<HaProxy> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-haproxy-"));
  const port = await freePort();
  const file = join(dir, "haproxy.cfg");
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  default-server check inter 200ms fall 2 rise 2 on-marked-down shutdown-sessions
  server primary ${new URL(primaryUrl).host}
  server standby ${new URL(standbyUrl).host} backup
`,
  );
  const server = await aDebianServer({ program: "haproxy", args: ["-f", file], port });
  const url = new URL(primaryUrl);
  url.port = String(port);
  return {
    url: url.href,
    close: async () => {
      await server.end("SIGTERM");
      await rm(dir, { recursive: true, force: true });
    },
  };
}
