import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { limits, StowageError } from "@stowage/schemas";
import type { FastifyInstance } from "fastify";
import { discardRest } from "./linger.js";

/**
 * Stops reading the body of a request that is answered before its body has arrived. Node would read and discard the rest, however
 * long it is. Call it before the routes are registered.
 *
 * The connection ends soon after the response. A short rest is left to Node, and the connection stays open.
 */
export function stopUnreadBodies(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    // No parser of Fastify checks these, because it ignores the body of a GET.
    const isIgnored = request.method === "GET" || request.method === "HEAD";
    done(isIgnored && mayBeLong(request.raw) ? new StowageError("body_too_large") : undefined);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.complete || !mayBeLong(raw)) {
      // Fastify closes the connection after each invalid body, also after one that has arrived as a whole. The header is replaced
      // and not removed, because without it Node would not announce that the connection of a draining service closes.
      if (raw.complete && reply.hasHeader("Connection") && reply.raw.shouldKeepAlive) {
        reply.header("Connection", "keep-alive");
      }
      return done(null, payload);
    }
    reply.header("Connection", "close");
    // A HEAD with a body may be answered by closing the connection alone (RFC 9110 section 9.3.2).
    if (typeof payload !== "string" || request.method === "HEAD") return done(null, payload);
    reply.header("Content-Length", Buffer.byteLength(payload));
    done(null, Readable.from(sendThenDiscard(payload, raw), { objectMode: false }));
  });
}

/** Tells whether a body is longer than the usual limit, or has an unknown length. */
function mayBeLong({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined ||
    Number(headers["content-length"] ?? 0) > limits.requestBodyBytes
  );
}

async function* sendThenDiscard(payload: string, message: IncomingMessage): AsyncGenerator<string> {
  yield payload;
  await discardRest(message);
}
