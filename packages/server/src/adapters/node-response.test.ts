import { setTimeout as sleep } from "node:timers/promises";
import { aService, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { call, hosts, onNode, responses } from "../../test/hosts.js";
import { nodeRequest } from "./node.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

describe.each(hosts.filter(([name]) => /Express|node/.test(name)))("on %s", (_name, host) => {
  test("sends nothing if a middleware has already answered", async () => {
    const tenant = (request: Request) => {
      // As a middleware does that limits the time of a request.
      responses.get(nodeRequest(request))?.writeHead(504).end("too late");
      return null;
    };
    await using app = await host(aStowage(service, { tenant }));
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    try {
      const answer = await call(`${app.url}/request`, {});
      expect([answer.status, await answer.text()]).toEqual([504, "too late"]);
      await sleep(20);
    } finally {
      process.off("unhandledRejection", onUnhandled);
    }
    expect(unhandled).toEqual([]);
  });
});

test("sends the responses of a handler around the helper's own, also if it rejects", async () => {
  const stowage = aStowage(service);
  const wrapped = async (request: Request) => {
    if (request.url.endsWith("/fails")) throw new Error("the wrapper failed");
    const response = await stowage.handler(request);
    response.headers.set("X-Wrapped", "yes");
    return response;
  };
  await using app = await onNode({ handler: wrapped });
  const answer = await call(`${app.url}/request`, { filename: "a", size: 1 });
  expect([answer.status, answer.headers.get("X-Wrapped")]).toEqual([200, "yes"]);
  const failed = await call(`${app.url}/fails`, {});
  expect([failed.status, await failed.json()]).toEqual([
    500,
    { detail: "Internal error", code: "internal_error" },
  ]);
});
