import { serve as serveHono } from "@hono/node-server";
import express from "express";
import express4 from "express-4";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { toExpressHandler } from "../src/adapters/express.js";
import { toFastifyPlugin } from "../src/adapters/fastify.js";
import { toHonoHandler } from "../src/adapters/hono.js";
import { toNodeHandler } from "../src/adapters/node.js";
import type { Handler } from "../src/http/handler.js";

export interface Served extends AsyncDisposable {
  port: number;
  url: string;
}

/** Serves a helper, or a receiver of webhooks, at and below `/api/stowage` in one framework and one set-up of it. */
export type Host = (stowage: { handler: Handler }) => Promise<Served>;

/** The response of each request to a server that {@link serve} started. */
export const responses = new WeakMap<IncomingMessage, ServerResponse>();

export async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer((request, response) => {
    responses.set(request, response);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return served(server);
}

function served(server: Server): Served {
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/api/stowage`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const onNode: Host = (stowage) => serve(toNodeHandler(stowage));

const expresses = { 4: express4, 5: express };
const onExpress =
  (version: 4 | 5, ...before: express.RequestHandler[]): Host =>
  (stowage) => {
    const app = expresses[version]();
    app.use(...before, (_request, _response, next) => next());
    app.use("/api/stowage", toExpressHandler(stowage));
    return serve(app);
  };

export const onFastify =
  (prepare: (app: FastifyInstance) => unknown = () => undefined): Host =>
  async (stowage) => {
    const app = fastify();
    prepare(app);
    app.register(toFastifyPlugin(stowage), { prefix: "/api/stowage" });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return served(app.server);
  };

const onHono =
  (prepare: (app: Hono) => unknown = () => undefined): Host =>
  async (stowage) => {
    const app = new Hono();
    prepare(app);
    app.all("/api/stowage/*", toHonoHandler(stowage));
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    if (!server.listening) await once(server, "listening");
    return served(server);
  };

/** Hosts where nothing has read the request's body before the adapter. */
export const hostsWithUnreadBody: [string, Host][] = [
  ["node:http", onNode],
  ["Express 4 without a body parser", onExpress(4)],
  ["Express 5 without a body parser", onExpress(5)],
  ["Fastify", onFastify()],
  ["Fastify without body parsers", onFastify((app) => app.removeAllContentTypeParsers())],
  ["Hono", onHono()],
];

export const hosts: [string, Host][] = [
  ...hostsWithUnreadBody,
  ...([4, 5] as const).flatMap((version): [string, Host][] => {
    const parse = expresses[version];
    return [
      [`Express ${version} after express.json()`, onExpress(version, parse.json())],
      [
        `Express ${version} after express.text()`,
        onExpress(version, parse.text({ type: "application/json" })),
      ],
      [`Express ${version} after express.raw()`, onExpress(version, parse.raw({ type: "application/json" }))],
      [
        `Express ${version} after parsers of other types`,
        onExpress(version, parse.urlencoded({ extended: false }), parse.text()),
      ],
    ];
  }),
  [
    "Fastify with a parser of the app",
    onFastify((app) =>
      app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, _body, done) =>
        done(new Error("the helper must not use this parser")),
      ),
    ),
  ],
  [
    "Hono after a middleware that reads the body",
    onHono((app) =>
      app.use(async (context, next) => {
        if (context.req.method === "POST") await context.req.text();
        await next();
      }),
    ),
  ],
];

/** A browser's call of a served helper. */
export const call = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Test-User": "user_ada", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
