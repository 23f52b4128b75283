import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { aService, type FakeService } from "@stowage/service-fake";
import type { TenantOf } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

async function refusalFor(tenant: unknown, timeoutMs?: number) {
  const stowage = aStowage(service, { tenant: tenant as TenantOf, timeoutMs });
  const response = await stowage.handler(post("request", { filename: "a", size: 1 }));
  expect(service.calls).toEqual([]);
  return { status: response.status, body: await response.text(), reported: stowage.reported };
}

test("answers 401 without a signed-in user, before it reads the body", async () => {
  for (const signedOut of [null, undefined, ""]) {
    const { status, body, reported } = await refusalFor(() => signedOut);
    expect(status).toBe(401);
    expect(JSON.parse(body)).toEqual({ detail: "Unauthorized", code: "unauthorized" });
    expect(reported).toEqual([]);
  }
  const stowage = aStowage(service, { tenant: () => null });
  expect((await stowage.handler(post("request", "{"))).status).toBe(401);
});

test("answers 500 when tenant throws, and reports the reason only to the operator", async () => {
  for (const tenant of [
    () => {
      throw new Error("session store down");
    },
    async () => Promise.reject(new Error("session store down")),
    async () => Promise.reject("session store down"),
  ]) {
    const { status, body, reported } = await refusalFor(tenant);
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ detail: "Internal error", code: "internal_error" });
    expect(reported[0]?.message).toMatch(/tenant\(\) threw/);
    expect(String(reported[0]?.cause)).toContain("session store down");
  }
});

test("answers 500 when tenant returns a value that cannot be an ID", async () => {
  for (const wrong of [42, { id: "x" }, "  ", "a\u0000b", "x".repeat(256)]) {
    const { status, reported } = await refusalFor(() => wrong);
    expect(status).toBe(500);
    expect(reported[0]?.message).toMatch(/tenant\(\) must return the user's ID as a string, or null/);
  }
});

test("answers 500 after the timeout if tenant never answers", async () => {
  const { status, reported } = await refusalFor(() => new Promise(() => {}), 50);
  expect(status).toBe(500);
  expect(reported[0]?.message).toBe("tenant() did not answer within 50 ms");
});

test("reports a tenant that reads the request's body", async () => {
  const { status, reported } = await refusalFor(async (request: Request) => {
    await request.text();
    return "user_ada";
  });
  expect(status).toBe(500);
  expect(reported[0]?.message).toMatch(/request\.clone\(\)/);
});

test("refuses a page of another site without calling tenant", async () => {
  let called = 0;
  const stowage = aStowage(service, { tenant: () => `user_${++called}` });
  const status = async (site: string) =>
    (await stowage.handler(post("request", { filename: "a", size: 1 }, { "Sec-Fetch-Site": site }))).status;
  expect(await status("cross-site")).toBe(403);
  expect(called).toBe(0);
  expect(await status("same-origin")).toBe(200);
});

test("answers even if onError fails", async () => {
  const broken = [
    () => {
      throw new Error("log is full");
    },
    async () => Promise.reject(new Error("log is full")),
  ];
  for (const onError of broken) {
    const stowage = aStowage(service, { tenant: () => Promise.reject(new Error("no")), onError });
    expect((await stowage.handler(post("request", { filename: "a", size: 1 }))).status).toBe(500);
  }
});
