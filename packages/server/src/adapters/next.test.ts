import { API_KEY, aService, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { toNextHandlers } from "./next.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

test("creates GET, POST and OPTIONS of a route of the app router", async () => {
  const handlers = toNextHandlers(aStowage(service));
  expect(Object.keys(handlers)).toEqual(["GET", "POST", "OPTIONS"]);
  const response = await handlers.POST(post("request", { filename: "a", size: 1 }));
  expect(response.status).toBe(200);
  expect(await response.text()).not.toContain(API_KEY);
});

test("creates the helper on the first request, and tries again on the next one if that fails", async () => {
  let created = 0;
  const { GET } = toNextHandlers(() => {
    if (++created === 1) throw new TypeError("createStowage: apiKey is missing");
    return aStowage(service);
  });
  expect(created).toBe(0);
  const routes = () => GET(new Request("https://app.example/api/stowage/routes"));
  await expect(routes()).rejects.toThrow("apiKey is missing");
  expect((await routes()).status).toBe(200);
  expect((await routes()).status).toBe(200);
  expect(created).toBe(2);
});
