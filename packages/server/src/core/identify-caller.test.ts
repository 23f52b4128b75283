import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { aService, type FakeService } from "@stowage/service-fake";
import type { TenantOf } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

async function refusalFor(tenant: unknown, timeoutMs?: number) {
  const stowage = aStowage(service, { tenant: tenant as TenantOf, timeoutMs });
  const response = await stowage.handler(post("request", { filename: "a" }));
  expect(service.calls).toEqual([]);
  return { status: response.status, body: await response.text(), faults: stowage.faults };
}

it("answers 401 while nobody is signed in, before it looks at the body", async () => {
  for (const nobody of [null, undefined, ""]) {
    const { status, body, faults } = await refusalFor(() => nobody);
    expect(status).toBe(401);
    expect(JSON.parse(body)).toEqual({ detail: "Unauthorized", code: "unauthorized" });
    expect(faults).toEqual([]);
  }
  const stowage = aStowage(service, { tenant: () => null });
  expect((await stowage.handler(post("request", "{"))).status).toBe(401);
});

it("answers 500 when tenant throws, and tells the operator alone why", async () => {
  for (const tenant of [
    () => {
      throw new Error("session store down");
    },
    async () => Promise.reject(new Error("session store down")),
    async () => Promise.reject("session store down"),
  ]) {
    const { status, body, faults } = await refusalFor(tenant);
    expect(status).toBe(500);
    expect(JSON.parse(body)).toEqual({ detail: "Internal error", code: "internal_error" });
    expect(faults[0]?.message).toMatch(/tenant\(\) threw/);
    expect(String(faults[0]?.cause)).toContain("session store down");
  }
});

it("answers 500 when tenant returns what cannot be an ID", async () => {
  for (const wrong of [42, { id: "x" }, "  ", "a\u0000b", "x".repeat(256)]) {
    const { status, faults } = await refusalFor(() => wrong);
    expect(status).toBe(500);
    expect(faults[0]?.message).toMatch(/tenant\(\) must return the user's ID as a string, or null/);
  }
});

it("does not wait for ever for a tenant that never answers", async () => {
  const { status, faults } = await refusalFor(() => new Promise(() => {}), 50);
  expect(status).toBe(500);
  expect(faults[0]?.message).toBe("tenant() did not answer within 50 ms");
});

it("says so when tenant has eaten the body", async () => {
  const { status, faults } = await refusalFor(async (request: Request) => {
    await request.text();
    return "user_ada";
  });
  expect(status).toBe(500);
  expect(faults[0]?.message).toMatch(/request\.clone\(\)/);
});

it("refuses a page of another site, and asks no session for it", async () => {
  let asked = 0;
  const stowage = aStowage(service, { tenant: () => `user_${++asked}` });
  const status = async (site: string) =>
    (await stowage.handler(post("request", { filename: "a" }, { "Sec-Fetch-Site": site }))).status;
  expect(await status("cross-site")).toBe(403);
  expect(asked).toBe(0);
  expect(await status("same-origin")).toBe(200);
});

it("answers although onError itself fails", async () => {
  const broken = [
    () => {
      throw new Error("log is full");
    },
    async () => Promise.reject(new Error("log is full")),
  ];
  for (const onError of broken) {
    const stowage = aStowage(service, { tenant: () => Promise.reject(new Error("no")), onError });
    expect((await stowage.handler(post("request", { filename: "a" }))).status).toBe(500);
  }
});
