import { aService, says, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aStowage } from "../../../test/a-stowage.js";
import { call, onNode } from "../../../test/hosts.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

/** A fetch that records the paths it is called for. */
function aRecordingFetch() {
  const original = globalThis.fetch;
  const paths: string[] = [];
  const fetch = (async (url: string, init?: RequestInit) => {
    paths.push(new URL(url).pathname);
    return original(url, init);
  }) as typeof globalThis.fetch;
  return { fetch, paths };
}

test("uses the fetch that the customer passed", async () => {
  const { fetch, paths } = aRecordingFetch();
  await using app = await onNode(aStowage(service, { fetch }));
  expect((await call(`${app.url}/request`, { filename: "a", size: 1 })).status).toBe(200);
  expect(paths).toEqual(["/api/storage/upload/"]);
});

test("uses a global fetch that instrumentation has replaced", async () => {
  await using app = await onNode(aStowage(service));
  const { fetch, paths } = aRecordingFetch();
  const original = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    expect((await call(`${app.url}/request`, { filename: "a", size: 1 })).status).toBe(200);
  } finally {
    globalThis.fetch = original;
  }
  expect(paths).toEqual(["/api/stowage/request", "/api/storage/upload/"]);
});

test.each([204, 304, 999])(
  "survives a status that a Web response cannot have with a body: %i",
  async (status) => {
    const stowage = aStowage(service);
    await using app = await onNode(stowage);
    service.next(says(status, ""));
    expect((await call(`${app.url}/request`, { filename: "a", size: 1 })).status).toBe(503);
    expect(stowage.reported).toHaveLength(1);
  },
);
