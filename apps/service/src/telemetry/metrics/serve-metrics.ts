import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

/** What a registry of prom-client has. */
export interface MetricsSource {
  contentType: string;
  metrics(): Promise<string>;
}

/** A few scrapers, each with a connection or two. */
const MAX_CONNECTIONS = 20;
/** How long a request may take to arrive. */
const REQUEST_MS = 5000;
/** A scrape that waits for the database takes 3 seconds. A connection without bytes for longer is closed; scrapers open it again. */
const IDLE_MS = 20_000;

/**
 * Serves `/metrics`, and nothing else, on a port of its own. There is no password: only the scraper's network may reach the port.
 *
 * @throws the error of `listen`
 */
export async function serveMetrics(
  source: MetricsSource,
  { host, port, requestMs = REQUEST_MS }: { host: string; port: number; requestMs?: number },
): Promise<MetricsServer> {
  let running: Promise<string> | undefined;
  // Scrapes at the same time share their work.
  const render = () =>
    (running ??= source.metrics().finally(() => {
      running = undefined;
    }));

  async function answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split("?")[0] !== "/metrics") return void response.writeHead(404).end();
    if (method !== "GET" && method !== "HEAD")
      return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
    const text = await render();
    response.writeHead(200, { "Content-Type": source.contentType, "Cache-Control": "no-store" }).end(text);
  }

  const server = createServer(
    { headersTimeout: requestMs, requestTimeout: requestMs, connectionsCheckingInterval: requestMs / 5 },
    (request, response) => {
      answer(request, response).catch(() => response.headersSent || response.writeHead(500).end());
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(IDLE_MS);
  server.listen(port, host);
  await once(server, "listening");
  const { address, family, port: usedPort } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${usedPort}/metrics`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
