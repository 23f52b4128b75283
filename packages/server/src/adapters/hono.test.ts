import { aService, type FakeService } from "@stowage/service-fake";
import { Hono, type Context } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { honoContext, toHonoHandler } from "./hono.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

test("needs no server, and gives tenant Hono's context, which holds the session", async () => {
  interface Env {
    Variables: { userId: string };
  }
  const app = new Hono<Env>();
  const tenant = (request: Request) => honoContext<Context<Env>>(request).get("userId");
  app.use(async (context, next) => {
    context.set("userId", "user_of_hono");
    await next();
  });
  app.all("/api/stowage/*", toHonoHandler(aStowage(service, { tenant })));
  const response = await app.request(post("request", { filename: "a", size: 1 }));
  expect(response.status).toBe(200);
  expect(service.calls[0]?.body["tenant_id"]).toBe("user_of_hono");
});

test("refuses to look up a request that did not come from Hono", () => {
  expect(() => honoContext(new Request("https://a"))).toThrow(/did not come from Hono/);
});
