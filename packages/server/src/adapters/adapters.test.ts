import express from "express";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aStowage, FILE_PATH, post } from "../../test/a-stowage.js";
import { API_KEY, aService, staysSilent, type StandInService } from "../../test/stand-in-service.js";
import { nodeRequest, toExpressHandler } from "./express.js";
import { toNextHandlers } from "./next.js";
import { toNodeHandler } from "./node.js";

let service: StandInService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
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

const onExpress = (...before: express.RequestHandler[]) => {
  const app = express();
  app.use(...before, (_request, _response, next) => next());
  app.use("/api/stowage", toExpressHandler(aStowage(service)));
  return app;
};

const hosts: [string, () => RequestListener][] = [
  ["node:http", () => toNodeHandler(aStowage(service))],
  ["Express without a body parser", () => onExpress()],
  ["Express after express.json()", () => onExpress(express.json())],
  ["Express after express.text()", () => onExpress(express.text({ type: "application/json" }))],
  ["Express after express.raw()", () => onExpress(express.raw({ type: "application/json" }))],
];

const call = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Test-User": "user_ada", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe.each(hosts)("on %s", (_name, listener) => {
  it("requests and completes, with and without a slash at the end", async () => {
    await using app = await serve(listener());
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

  it("answers each refusal in JSON", async () => {
    await using app = await serve(listener());
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

describe.each(hosts.slice(0, 2))("a body beyond the limit on %s", (_name, listener) => {
  it.each(["Content-Length", "Transfer-Encoding"])(
    "is refused, and the refusal read by a client that sends all of it first: %s",
    async (framing) => {
      await using app = await serve(listener());
      const length = framing === "Content-Length" ? { "Content-Length": 30_000_000 } : {};
      const headers = { "Content-Type": "application/json", "X-Test-User": "user_ada", ...length };
      const client = httpRequest(`${app.url}/request`, { method: "POST", headers });
      for (let chunk = 0; chunk < 30; chunk++) client.write(Buffer.alloc(1_000_000, " "));
      const sent = new Promise<void>((resolve) => client.end(resolve));
      const [response] = (await once(client, "response")) as [IncomingMessage];
      expect(response.statusCode).toBe(413);
      expect((await response.toArray()).join("")).toContain("body_too_large");
      await sent;
    },
  );
});

describe("the Node adapter", () => {
  it("gives up the call of the service when the browser goes away", async () => {
    const gone = new Promise<void>((resolve) => {
      service.next((recorded, response) => {
        response.on("close", resolve);
        staysSilent(recorded, response);
        browser.destroy();
      });
    });
    // Longer than the test may take, so that only the browser's leaving can end the call.
    await using app = await serve(toNodeHandler(aStowage(service, { timeoutMs: 60_000 })));
    const headers = { "Content-Type": "application/json", "X-Test-User": "user_ada" };
    const browser = httpRequest(`${app.url}/request`, { method: "POST", headers });
    browser.on("error", () => {});
    browser.end('{"filename":"a"}');
    await expect(gone).resolves.toBeUndefined();
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

it("is a POST route of Next's app router", async () => {
  const { POST, ...others } = toNextHandlers(aStowage(service));
  expect(others).toEqual({});
  const response = await POST(post("request", { filename: "a" }));
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain(API_KEY);
});
