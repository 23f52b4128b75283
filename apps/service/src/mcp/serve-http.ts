import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";

export interface HttpOptions {
  host: string;
  /** 0: a free port. */
  port: number;
  /** What callers send as `Authorization: Bearer`. Without it, only this machine may call. */
  token: string | undefined;
  onError(error: Error): void;
}

/** The only path, because clients expect it. */
const PATH = "/mcp";
const MAX_BODY_BYTES = 256 * 1024;
const MAX_CONNECTIONS = 100;
/** For the whole request. Its answer may take longer. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Those of Streamable HTTP. The SDK answers 500 to others, such as TRACE, and to a Host that is no host. */
const METHODS = ["POST", "GET", "DELETE"];

/**
 * Serves Streamable HTTP. Without a token, it refuses pages of other sites, and names that lead to this machine (DNS rebinding).
 *
 * @param create makes a server for each request
 * @throws {Error} if the port is taken
 */
export async function serveHttp(
  create: () => McpServer,
  { host, port, token, onError }: HttpOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const options = { maxRequestBodySize: MAX_BODY_BYTES, onerror: onError };
  const mcp = createMcpHandler(create, options);
  // It reads the body, and the other one only checks it.
  const handle = toNodeHandler(mcp, options);
  const isAllowed = token === undefined ? isFromThisMachine() : hasToken(token);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (request.url?.split("?")[0] !== PATH) response.writeHead(404).end();
    else if (!METHODS.includes(request.method ?? ""))
      response.writeHead(405, { Allow: METHODS.join(", ") }).end();
    else if (!URL.canParse(`http://${request.headers.host}`)) response.writeHead(400).end();
    else if (isAllowed(request, response)) void handle(request as ServerRequest, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, "listening");
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}${PATH}`,
    async close() {
      await mcp.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A request that a server has received has both. */
type ServerRequest = IncomingMessage & { method: string; url: string };

type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

function isFromThisMachine(): Guard {
  const hasLocalHost = localhostHostValidation();
  const hasLocalOrigin = localhostOriginValidation();
  return (request, response) => hasLocalHost(request, response) && hasLocalOrigin(request, response);
}

function hasToken(token: string): Guard {
  const expected = sha256(`Bearer ${token}`);
  return (request, response) => {
    if (timingSafeEqual(sha256(request.headers.authorization ?? ""), expected)) return true;
    response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end();
    return false;
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest();
