import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "../handler.js";
import { bodyOf } from "./node-body.js";
import { NodeRequest } from "./node-request.js";
import { onNode } from "./on-node.js";
import { answerOf } from "./send-answer.js";
import { nodeRequest, toWebRequest } from "./web-request.js";

export { nodeRequest, toWebRequest };

/** What the adapter uses of Fastify's request. */
export interface FastifyRequestLike {
  raw: IncomingMessage;
}
/** What it uses of Fastify's reply. */
export interface FastifyReplyLike {
  raw: ServerResponse;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: string | Buffer): unknown;
}
/** What it uses of the app. */
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
 * A plugin for Fastify 5. Body parsers of the app are left alone: the plugin reads its own requests itself.
 *
 * @example app.register(toFastifyPlugin(stowage), { prefix: "/api/stowage" });
 */
export function toFastifyPlugin({ handler }: { handler: Handler }) {
  const answer = onNode(handler);
  return async (app: FastifyAppLike): Promise<void> => {
    // Within this plugin alone: Fastify keeps what a plugin changes from its parent.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    app.all("/*", async (request, reply) => {
      const { status, headers, body } = await answerOf(async () => {
        const web = new NodeRequest(request.raw, reply.raw, bodyOf(request.raw));
        requests.set(web, request);
        return answer(web);
      });
      // Sent by Fastify, so that the app's hooks see the answer, as those that roll a session's cookie must.
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    });
  };
}

/**
 * Fastify's request of a Web request, where its plugins leave who is signed in.
 *
 * @throws {TypeError} for a request that did not come through this adapter
 * @example tenant: (request) => fastifyRequest<FastifyRequest>(request).session.userId
 */
export function fastifyRequest<T extends FastifyRequestLike = FastifyRequestLike>(request: Request): T {
  const found = requests.get(request);
  if (found === undefined) throw new TypeError("fastifyRequest: this request did not come from Fastify");
  // The caller knows its app: the adapter put in exactly what Fastify handed it.
  return found as T;
}
