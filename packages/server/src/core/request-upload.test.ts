import { aService, type FakeService, hangsUp, says } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const keys = () => service.calls.map(({ idempotencyKey }) => idempotencyKey);

describe.each(transports)("over $name, request", (transport) => {
  test("passes the page's idempotency key on, and repeats a call that got no answer", async () => {
    service.next(hangsUp);
    const { status } = await transport.call(aStowage(service), "request", {
      filename: "a",
      size: 1,
      idempotency_key: "key",
    });
    expect([status, keys()]).toEqual([200, ["key", "key"]]);
    expect(service.calls[1]?.body).not.toHaveProperty("idempotency_key");
  });

  test("is not repeated without a key", async () => {
    service.next(hangsUp);
    const { status } = await transport.call(aStowage(service), "request", { filename: "a", size: 1 });
    expect([status, keys()]).toEqual([503, [undefined]]);
  });

  test("opens another upload without the key if the metadata has changed since the first request", async () => {
    let calls = 0;
    const routes = { photo: { metadata: () => ({ call: String(++calls) }) } };
    const stowage = aStowage(service, { routes });
    const body = {
      filename: "a",
      size: 1,
      route: "photo",
      idempotency_key: `changing-${transport.name.replaceAll(" ", "-")}`,
    };
    expect(await transport.call(stowage, "request", body)).toMatchObject({ status: 200 });
    expect(await transport.call(stowage, "request", body)).toMatchObject({ status: 200 });
    const key = body.idempotency_key;
    expect(keys()).toEqual([key, key, undefined]);
  });

  test("sends the route's folder, expiresAfter, cacheControl and visibility, for one PUT and for an upload by parts, and none without them", async () => {
    const routes = {
      brief: { folder: "a/b", expiresAfter: 3600, cacheControl: "no-store", visibility: "public" as const },
      kept: {},
    };
    const stowage = aStowage(service, { routes, multipartFrom: 10 });
    const request = (body: object) => transport.call(stowage, "request", { filename: "a", size: 1, ...body });
    await request({ route: "brief" });
    await request({ route: "brief", size: 10, accepts_parts: true });
    await request({
      route: "kept",
      folder: "c",
      expires_after: 60,
      cache_control: "no-cache",
      visibility: "public",
    });
    const sent = service.calls.map(({ path, body }) => [
      path,
      body["folder"],
      body["expires_after"],
      body["cache_control"],
      body["visibility"],
    ]);
    expect(sent).toEqual([
      ["/api/storage/upload/", "a/b", 3600, "no-store", "public"],
      ["/api/storage/uploads/", "a/b", 3600, "no-store", "public"],
      ["/api/storage/upload/", undefined, undefined, undefined, undefined],
    ]);
  });

  test.each(["", "two words", "x".repeat(256), 7])("refuses the key %j", async (key) => {
    const { status } = await transport.call(aStowage(service), "request", {
      filename: "a",
      size: 1,
      idempotency_key: key,
    });
    expect([status, service.calls]).toEqual([400, []]);
  });

  test("does not repeat a refusal", async () => {
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }));
    const { status } = await transport.call(aStowage(service), "request", {
      filename: "a",
      size: 1,
      idempotency_key: "full",
    });
    const requests = service.calls.filter((call) => call.path === "/api/storage/upload/");
    expect([status, requests.length]).toEqual([403, 1]);
  });

  test.each([
    ["tells what open uploads hold if the file would fit without them", { size: 60 }, 40],
    ["does not tell it if the file would not fit without them", { size: 61 }, undefined],
  ])("%s", async (_, size, expected) => {
    const usage = {
      used_bytes: 40,
      reserved_bytes: 40,
      file_count: 1,
      quota_bytes: 100,
      plan: null,
      max_files: null,
      max_open_uploads: null,
      uploads_per_minute: null,
    };
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }), says(200, usage));
    const answer = await transport.call(aStowage(service), "request", { filename: "a", ...size });
    expect(answer).toMatchObject({ status: 403, code: "quota_exceeded" });
    expect(answer.reserved_bytes).toBe(expected);
    expect(service.calls.map(({ path }) => path)).toEqual([
      "/api/storage/upload/",
      "/api/storage/usage/?tenant_id=user_ada",
    ]);
  });

  test("answers the refusal if the usage cannot be read", async () => {
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }), hangsUp);
    const stowage = aStowage(service);
    expect(await transport.call(stowage, "request", { filename: "a", size: 1 })).toEqual({
      status: 403,
      code: "quota_exceeded",
      detail: "Storage quota exceeded for this tenant",
    });
    expect(stowage.reported).toEqual([]);
  });
});
