import type { IncomingMessage } from "node:http";
import { aService, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { call, onFastify } from "../../test/hosts.js";
import { fastifyRequest } from "./fastify.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

test("gives tenant Fastify's request, which holds the session", async () => {
  const tenant = (request: Request) =>
    fastifyRequest<{ raw: IncomingMessage; userId?: string }>(request).userId;
  const host = onFastify((app) =>
    app.decorateRequest("userId", "").addHook("onRequest", async (request) => {
      Object.assign(request, { userId: "user_of_fastify" });
    }),
  );
  await using app = await host(aStowage(service, { tenant }));
  expect((await call(`${app.url}/request`, { filename: "a", size: 1 })).status).toBe(200);
  expect(service.calls[0]?.body["tenant_id"]).toBe("user_of_fastify");
});

test("refuses to look up a request that did not come from Fastify", () => {
  expect(() => fastifyRequest(new Request("https://a"))).toThrow(/did not come from Fastify/);
});
