import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../http/handler.js";
import { withHttpFetch } from "./node/http-fetch.js";
import { toNodeResponse } from "./node-response.js";
import { bodyStreamOf, nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/** The part of Fastify's request that the adapter uses. */
export interface FastifyRequestLike {
  raw: IncomingMessage;
}
/** The part of Fastify's reply that the adapter uses. */
export interface FastifyReplyLike {
  raw: ServerResponse;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string | Buffer): unknown;
}
/** The part of a Fastify app that the adapter uses. */
export interface FastifyAppLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null) => void) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

const requests = new WeakMap<Request, FastifyRequestLike>();

/**
 * Creates a plugin for Fastify 5. It reads its own requests and does not change the body parsers of the app.
 *
 * @example app.register(toFastifyPlugin(stowage), { prefix: "/api/stowage" });
 */
export function toFastifyPlugin({ handler }: { handler: Handler }) {
  const fastHandler = withHttpFetch(handler);
  return async (app: FastifyAppLike): Promise<void> => {
    // Only inside this plugin: Fastify does not pass a plugin's changes to its parent.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    const respond = async (request: FastifyRequestLike, reply: FastifyReplyLike): Promise<unknown> => {
      const { status, headers, body } = await toNodeResponse(async () => {
        const webRequest = toWebRequest(request.raw, reply.raw, bodyStreamOf(request.raw));
        requests.set(webRequest, request);
        return fastHandler(webRequest);
      });
      // Sent through Fastify, so that the app's hooks run: a session plugin may have to renew its cookie.
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    };
    // "/*" does not match the prefix itself, at which a receiver of webhooks is mounted.
    app.all("/", respond);
    app.all("/*", respond);
  };
}

/**
 * Returns the Fastify request behind a Web request. Fastify plugins keep the session there.
 *
 * @throws {TypeError} for a request that did not come through this adapter
 * @example tenant: (request) => fastifyRequest<FastifyRequest>(request).session.userId
 */
export function fastifyRequest<T extends FastifyRequestLike = FastifyRequestLike>(request: Request): T {
  const found = requests.get(request);
  if (found === undefined) throw new TypeError("fastifyRequest: this request did not come from Fastify");
  // The caller knows its app. The adapter stored exactly the request that Fastify passed to it.
  return found as T;
}
