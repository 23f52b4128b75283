import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Stowage } from "../src/index.js";
import { toNodeHandler } from "../src/adapters/node.js";

/** Sends a request to a helper behind a Node server. It does not use `fetch`, because `fetch` adds headers. */
export async function overNode(stowage: Stowage, request: Request): Promise<Response> {
  const server = createServer(toNodeHandler(stowage)).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { host, pathname, search } = new URL(request.url);
    const call = httpRequest({
      host: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
      path: pathname + search,
      method: request.method,
      headers: { host, ...Object.fromEntries(request.headers) },
      agent: false,
      signal: request.signal,
    });
    call.end(await request.text());
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
    const body = (await answer.toArray()).join("");
    return new Response(body || null, {
      status: answer.statusCode ?? 0,
      headers: Object.fromEntries(headers),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
