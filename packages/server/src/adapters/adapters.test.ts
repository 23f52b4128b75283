import { serve as serveHono } from "@hono/node-server";
import express from "express";
import express4 from "express-4";
import fastify, { type FastifyInstance } from "fastify";
import { Hono, type Context } from "hono";
import { once } from "node:events";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { API_KEY, aService, staysSilent, type FakeService } from "@stowage/service-fake";
import { nodeRequest, toExpressHandler } from "./express.js";
import { fastifyRequest, toFastifyPlugin } from "./fastify.js";
import { honoContext, toHonoHandler } from "./hono.js";
import { toNextHandlers } from "./next.js";
import { toNodeHandler } from "./node.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

interface Served extends AsyncDisposable {
  port: number;
  url: string;
}

const json = { "Content-Type": "application/json" };
const responses = new WeakMap<IncomingMessage, ServerResponse>();

async function serve(listener: RequestListener): Promise<Served> {
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

type Options = Parameters<typeof aStowage>[1];
type Host = (options?: Options) => Promise<Served>;

const expresses = { 4: express4, 5: express };
const onExpress =
  (version: 4 | 5, ...before: express.RequestHandler[]): Host =>
  (options) => {
    const app = expresses[version]();
    app.use(...before, (_request, _response, next) => next());
    app.use("/api/stowage", toExpressHandler(aStowage(service, options)));
    return serve(app);
  };

const onFastify =
  (prepare: (app: FastifyInstance) => unknown = () => undefined): Host =>
  async (options) => {
    const app = fastify();
    prepare(app);
    app.register(toFastifyPlugin(aStowage(service, options)), { prefix: "/api/stowage" });
    await app.listen({ port: 0, host: "127.0.0.1" });
    return served(app.server);
  };

const onHono =
  (prepare: (app: Hono) => unknown = () => undefined): Host =>
  async (options) => {
    const app = new Hono();
    prepare(app);
    app.all("/api/stowage/*", toHonoHandler(aStowage(service, options)));
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    if (!server.listening) await once(server, "listening");
    return served(server);
  };

const onNode: Host = (options) => serve(toNodeHandler(aStowage(service, options)));

/** Where the stream is the adapter's own to read. */
const unread: [string, Host][] = [
  ["node:http", onNode],
  ["Express 4 without a body parser", onExpress(4)],
  ["Express 5 without a body parser", onExpress(5)],
  ["Fastify", onFastify()],
  ["Fastify without body parsers", onFastify((app) => app.removeAllContentTypeParsers())],
  ["Hono", onHono()],
];
const hosts: [string, Host][] = [
  ...unread,
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
    "Fastify with a parser of its own",
    onFastify((app) =>
      app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, _body, done) =>
        done(new Error("not for the helper")),
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

const call = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Test-User": "user_ada", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe.each(hosts)("on %s", (_name, host) => {
  it("requests and completes, with and without a slash at the end", async () => {
    await using app = await host();
    for (const slash of ["", "/"]) {
      const requested = await call(`${app.url}/request${slash}`, { filename: "Ünïcode 文.txt", size: 3 });
      expect(requested.status).toBe(200);
      expect(requested.headers.get("Cache-Control")).toBe("no-store");
      expect(await requested.json()).toMatchObject({ file_path: FILE_PATH, expires_in: expect.any(Number) });
      const completed = await call(`${app.url}/complete${slash}`, { file_path: FILE_PATH });
      expect(await completed.json()).toMatchObject({ status: "stored" });
    }
    expect(service.calls).toHaveLength(4);
    expect(service.calls[0]?.body).toEqual({ filename: "Ünïcode 文.txt", size: 3, tenant_id: "user_ada" });
  });

  it("lets GET and OPTIONS through, with and without a slash at the end", async () => {
    const routes = { avatar: { accept: "image/*", maxSize: "4MB" as const } };
    await using app = await host({ routes, allowedOrigins: ["https://page.example"] });
    for (const slash of ["", "/"]) {
      const told = await fetch(`${app.url}/routes${slash}`);
      expect(await told.json()).toEqual({ routes: { avatar: { accept: ["image/*"], max_size: 4_194_304 } } });
      const preflight = await fetch(`${app.url}/request${slash}`, {
        method: "OPTIONS",
        headers: { Origin: "https://page.example", "Access-Control-Request-Method": "POST" },
      });
      expect(preflight.status).toBeLessThan(300);
      expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("https://page.example");
    }
  });

  it("lets tenant read a clone of the body, and tells it of the body itself", async () => {
    const faults: Error[] = [];
    const reads: Record<string, (request: Request) => Promise<unknown>> = {
      clone: (request) => request.clone().json(),
      body: (request) => request.json(),
    };
    const tenant = async (request: Request) => {
      const read = (await reads[request.headers.get("X-Read")!]!(request)) as { filename: string };
      return `user of ${read.filename}`;
    };
    await using app = await host({ tenant, onError: (error) => void faults.push(error) });
    expect((await call(`${app.url}/request`, { filename: "a" }, { "X-Read": "clone" })).status).toBe(200);
    expect(service.calls[0]?.body).toMatchObject({ filename: "a", tenant_id: "user of a" });
    expect((await call(`${app.url}/request`, { filename: "a" }, { "X-Read": "body" })).status).toBe(500);
    expect(faults.map(String)).toEqual([expect.stringContaining("request.clone() instead")]);
  });

  it("keeps concurrent users apart", async () => {
    await using app = await host();
    const users = Array.from({ length: 40 }, (_, index) => `user_${index}`);
    const answers = await Promise.all(
      users.map((user) => call(`${app.url}/request`, { filename: user }, { "X-Test-User": user })),
    );
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200));
    const asked = service.calls.map(({ body }) => [body["filename"], body["tenant_id"]]);
    expect(asked.toSorted()).toEqual(users.map((user) => [user, user]).toSorted());
  });

  it("answers each refusal in JSON", async () => {
    await using app = await host();
    const code = async (response: Response) =>
      `${response.status} ${((await response.json()) as { code: string }).code}`;
    expect(await code(await call(`${app.url}/nowhere`, {}))).toBe("404 not_found");
    expect(await code(await fetch(`${app.url}/request`))).toBe("404 not_found");
    expect(await code(await call(`${app.url}/request`, {}))).toBe("400 filename_required");
    expect(await code(await call(`${app.url}/request`, {}, { "X-Test-User": "" }))).toBe("401 unauthorized");
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    expect(await code(await call(`${app.url}/request`, "filename=a", form))).toBe(
      "415 unsupported_media_type",
    );
  });
});

describe.each(unread)("a body beyond the limit on %s", (_name, host) => {
  it.each(["Content-Length", "Transfer-Encoding"])(
    "is refused, and the refusal read by a client that sends all of it first: %s",
    async (framing) => {
      await using app = await host();
      const length = framing === "Content-Length" ? { "Content-Length": 30_000_000 } : {};
      const headers = { "Content-Type": "application/json", "X-Test-User": "user_ada", ...length };
      const client = httpRequest(`${app.url}/request`, { method: "POST", headers });
      // Hono's server cuts a client that goes on sending after the answer; before it, a cut fails the test below.
      client.on("error", () => {});
      client.on("socket", (socket) => socket.on("error", () => {}));
      for (let chunk = 0; chunk < 30; chunk++) client.write(Buffer.alloc(1_000_000, " "));
      const sent = new Promise<void>((resolve) => client.end(resolve));
      const [response] = (await once(client, "response")) as [IncomingMessage];
      expect(response.statusCode).toBe(413);
      expect((await response.toArray()).join("")).toContain("body_too_large");
      await sent;
    },
  );
});

describe.each(unread)("a browser that goes away from %s", (_name, host) => {
  it("has the call of the service given up", async () => {
    const gone = new Promise<void>((resolve) => {
      service.next((recorded, response) => {
        response.on("close", resolve);
        staysSilent(recorded, response);
        browser.destroy();
      });
    });
    // Longer than the test may take, so that only the browser's leaving can end the call.
    await using app = await host({ timeoutMs: 60_000 });
    const headers = { "Content-Type": "application/json", "X-Test-User": "user_ada" };
    const browser = httpRequest(`${app.url}/request`, { method: "POST", headers });
    browser.on("error", () => {});
    browser.end('{"filename":"a"}');
    await expect(gone).resolves.toBeUndefined();
  });
});

describe.each(unread)("a browser that stays with %s", (_name, host) => {
  it("leaves the signal of its request as it was, once it has its answer", async () => {
    let signal: AbortSignal | undefined;
    await using app = await host({
      tenant: (request) => {
        ({ signal } = request);
        return "user_ada";
      },
    });
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(`${app.url}/request`, { method: "POST", headers, body: '{"filename":"a"}' });
    expect(response.status).toBe(200);
    await response.text();
    // The connection ends after the answer.
    await sleep(20);
    expect(signal?.aborted).toBe(false);
  });
});

describe.each(hosts.filter(([name]) => /Express|node/.test(name)))("on %s", (_name, host) => {
  it("leaves alone a call that has been answered by another in the meantime", async () => {
    await using app = await host({
      tenant: (request) => {
        // As a middleware does that limits the time of a call.
        responses.get(nodeRequest(request))?.writeHead(504).end("too late");
        return null;
      },
    });
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const answer = await fetch(`${app.url}/request`, { method: "POST", headers: json, body: "{}" });
      expect([answer.status, await answer.text()]).toEqual([504, "too late"]);
      await new Promise((resolve) => setTimeout(resolve, 20));
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});

describe("the Node adapter", () => {
  it("calls the service by the fetch that it was given", async () => {
    const asked: string[] = [];
    const fetch = (async (url: string, init?: RequestInit) => {
      asked.push(new URL(url).pathname);
      return globalThis.fetch(url, init);
    }) as typeof globalThis.fetch;
    await using app = await onNode({ fetch });
    expect((await call(`${app.url}/request`, { filename: "a" })).status).toBe(200);
    expect(asked).toEqual(["/api/storage/upload/"]);
  });

  it("calls the service by a fetch that somebody has put in the global's place", async () => {
    await using app = await onNode();
    const asked: string[] = [];
    const own = globalThis.fetch;
    globalThis.fetch = (async (input: string, init?: RequestInit) => {
      asked.push(new URL(input).pathname);
      return own(input, init);
    }) as typeof globalThis.fetch;
    try {
      expect((await call(`${app.url}/request`, { filename: "a" })).status).toBe(200);
    } finally {
      globalThis.fetch = own;
    }
    expect(asked).toEqual(["/api/stowage/request", "/api/storage/upload/"]);
  });

  it.each([
    "OPTIONS * HTTP/1.1\r\nHost: x\r\n",
    "TRACE /request HTTP/1.1\r\nHost: x\r\n",
    "POST /request HTTP/1.1\r\nHost: a:b@c d\r\nContent-Length: 0\r\n",
    "POST /request HTTP/1.1\r\nHost: a:b@c\r\nContent-Length: 0\r\n",
    "POST //[ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n",
  ])("answers odd requests instead of falling over: %j", async (head) => {
    await using app = await serve(toNodeHandler(aStowage(service)));
    const socket = connect(app.port, "127.0.0.1");
    socket.end(`${head}Connection: close\r\n\r\n`);
    const answer = (await socket.toArray()).join("");
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
  });

  it("lets tenant see the framework's own request, where its session lives", async () => {
    const sessions = new WeakMap<object, string>();
    const app = express();
    app.use((request, _response, next) => {
      sessions.set(request, "user_from_session");
      next();
    });
    const tenant = (request: Request) => sessions.get(nodeRequest<express.Request>(request)) ?? null;
    app.use("/api/stowage", toExpressHandler(aStowage(service, { tenant })));
    await using served = await serve(app);
    expect((await call(`${served.url}/request`, { filename: "a" })).status).toBe(200);
    expect(service.calls[0]?.body["tenant_id"]).toBe("user_from_session");
    expect(() => nodeRequest(new Request("https://a"))).toThrow(/did not come from Node/);
  });
});

it("lets tenant see Fastify's request and Hono's context, and tells of others", async () => {
  const tenant = (request: Request) =>
    fastifyRequest<{ raw: IncomingMessage; userId?: string }>(request).userId;
  await using onePlugin = await onFastify((app) =>
    app.decorateRequest("userId", "").addHook("onRequest", async (request) => {
      Object.assign(request, { userId: "user_of_fastify" });
    }),
  )({ tenant });
  expect((await call(`${onePlugin.url}/request`, { filename: "a" })).status).toBe(200);
  expect(service.calls[0]?.body["tenant_id"]).toBe("user_of_fastify");
  expect(() => fastifyRequest(new Request("https://a"))).toThrow(/did not come from Fastify/);
  expect(() => honoContext(new Request("https://a"))).toThrow(/did not come from Hono/);
});

it("needs no server under Hono: app.request answers, with what a middleware has set", async () => {
  const app = new Hono<{ Variables: { userId: string } }>();
  type Seen = Context<{ Variables: { userId: string } }>;
  const tenant = (request: Request) => honoContext<Seen>(request).get("userId");
  app.use(async (context, next) => {
    context.set("userId", "user_of_hono");
    await next();
  });
  app.all("/api/stowage/*", toHonoHandler(aStowage(service, { tenant })));
  const response = await app.request(post("request", { filename: "a" }));
  expect(response.status).toBe(200);
  expect(service.calls[0]?.body["tenant_id"]).toBe("user_of_hono");
});

it("is GET, POST and OPTIONS of a route of Next's app router", async () => {
  const handlers = toNextHandlers(aStowage(service));
  expect(Object.keys(handlers)).toEqual(["GET", "POST", "OPTIONS"]);
  const response = await handlers.POST(post("request", { filename: "a" }));
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain(API_KEY);
});

it("makes the helper at the first request of Next's, when its key is there, and tries again if it was not", async () => {
  let made = 0;
  const { GET } = toNextHandlers(() => {
    if (++made === 1) throw new TypeError("createStowage: apiKey is missing");
    return aStowage(service);
  });
  expect(made).toBe(0);
  const routes = () => GET(new Request("https://app.example/api/stowage/routes"));
  await expect(routes()).rejects.toThrow("apiKey is missing");
  expect((await routes()).status).toBe(200);
  expect((await routes()).status).toBe(200);
  expect(made).toBe(2);
});

it("keeps how an answer is sent to itself", async () => {
  const entries = await Promise.all([
    import("./node.js"),
    import("./express.js"),
    import("./fastify.js"),
    import("./hono.js"),
    import("./next.js"),
    import("../index.js"),
  ]);
  expect(entries.flatMap((entry) => Object.keys(entry)).toSorted()).toEqual(
    [
      "toNodeHandler",
      "nodeRequest",
      "toWebRequest",
      "toExpressHandler",
      "nodeRequest",
      "toWebRequest",
      "toFastifyPlugin",
      "fastifyRequest",
      "nodeRequest",
      "toWebRequest",
      "toHonoHandler",
      "honoContext",
      "toNextHandlers",
      "createStowage",
      "routeOf",
      "StowageError",
    ].toSorted(),
  );
});
