import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { aService, staysSilent, type FakeService } from "@stowage/service-fake";
import express from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { call, hostsWithUnreadBody, onNode, serve } from "../../test/hosts.js";
import { nodeRequest, toExpressHandler } from "./express.js";
import { toWebRequest } from "./web-request.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const browserHeaders = { "Content-Type": "application/json", "X-Test-User": "user_ada" };

describe.each(hostsWithUnreadBody)("on %s", (_name, host) => {
  test.each(["Content-Length", "Transfer-Encoding"])(
    "refuses a body over the limit; a client that sends all of it first can read the refusal: %s",
    async (framing) => {
      await using app = await host(aStowage(service));
      const length = framing === "Content-Length" ? { "Content-Length": 30_000_000 } : {};
      const client = httpRequest(`${app.url}/request`, {
        method: "POST",
        headers: { ...browserHeaders, ...length },
      });
      // Hono's server closes the connection if the client still sends after the response. If the connection closes before the
      // response, the assertions below fail.
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

  test("cancels the call of the service when the browser closes the connection", async () => {
    const closed = new Promise<void>((resolve) => {
      service.next((recorded, response) => {
        response.on("close", resolve);
        staysSilent(recorded, response);
        browser.destroy();
      });
    });
    // Longer than the test may take, so that only the closed connection can end the call.
    await using app = await host(aStowage(service, { timeoutMs: 60_000 }));
    const browser = httpRequest(`${app.url}/request`, { method: "POST", headers: browserHeaders });
    browser.on("error", () => {});
    browser.end('{"filename":"a","size":1}');
    await expect(closed).resolves.toBeUndefined();
  });

  test("does not abort the request's signal when the connection closes after the response", async () => {
    let signal: AbortSignal | undefined;
    const tenant = (request: Request) => {
      ({ signal } = request);
      return "user_ada";
    };
    await using app = await host(aStowage(service, { tenant }));
    const response = await call(`${app.url}/request`, { filename: "a", size: 1 });
    expect(response.status).toBe(200);
    await response.text();
    await sleep(20);
    expect(signal?.aborted).toBe(false);
  });
});

test.each([
  "OPTIONS * HTTP/1.1\r\nHost: x\r\n",
  "TRACE /request HTTP/1.1\r\nHost: x\r\n",
  "POST /request HTTP/1.1\r\nHost: a:b@c d\r\nContent-Length: 0\r\n",
  "POST /request HTTP/1.1\r\nHost: a:b@c\r\nContent-Length: 0\r\n",
  "POST //[ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n",
])("answers requests that a Web request cannot express: %j", async (head) => {
  await using app = await onNode(aStowage(service));
  const socket = connect(app.port, "127.0.0.1");
  socket.end(`${head}Connection: close\r\n\r\n`);
  const answer = (await socket.toArray()).join("");
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d/);
});

test("gives tenant the framework's own request, which holds the session", async () => {
  const sessions = new WeakMap<object, string>();
  const app = express();
  app.use((request, _response, next) => {
    sessions.set(request, "user_from_session");
    next();
  });
  const tenant = (request: Request) => sessions.get(nodeRequest<express.Request>(request)) ?? null;
  app.use("/api/stowage", toExpressHandler(aStowage(service, { tenant })));
  await using served = await serve(app);
  expect((await call(`${served.url}/request`, { filename: "a", size: 1 })).status).toBe(200);
  expect(service.calls[0]?.body["tenant_id"]).toBe("user_from_session");
});

test("refuses to look up a request that did not come from Node", () => {
  expect(() => nodeRequest(new Request("https://a"))).toThrow(/did not come from Node/);
});

test("aborts the signal immediately if the connection has closed before", async () => {
  const signal = new Promise<AbortSignal>((resolve) => {
    void serve((message, response) => {
      response.once("close", () => setImmediate(() => resolve(toWebRequest(message, response).signal)));
      response.destroy();
    }).then(async (app) => {
      await call(app.url, {}).catch(() => {});
      await app[Symbol.asyncDispose]();
    });
  });
  expect((await signal).aborted).toBe(true);
});
