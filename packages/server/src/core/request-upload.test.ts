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
      idempotency_key: "key",
    });
    expect([status, keys()]).toEqual([200, ["key", "key"]]);
    expect(service.calls[1]?.body).not.toHaveProperty("idempotency_key");
  });

  test("is not repeated without a key", async () => {
    service.next(hangsUp);
    const { status } = await transport.call(aStowage(service), "request", { filename: "a" });
    expect([status, keys()]).toEqual([503, [undefined]]);
  });

  test("opens another upload without the key if the metadata has changed since the first request", async () => {
    let calls = 0;
    const routes = { photo: { metadata: () => ({ call: String(++calls) }) } };
    const stowage = aStowage(service, { routes });
    const body = {
      filename: "a",
      route: "photo",
      idempotency_key: `changing-${transport.name.replaceAll(" ", "-")}`,
    };
    expect(await transport.call(stowage, "request", body)).toMatchObject({ status: 200 });
    expect(await transport.call(stowage, "request", body)).toMatchObject({ status: 200 });
    const key = body.idempotency_key;
    expect(keys()).toEqual([key, key, undefined]);
  });

  test.each(["", "two words", "x".repeat(256), 7])("refuses the key %j", async (key) => {
    const { status } = await transport.call(aStowage(service), "request", {
      filename: "a",
      idempotency_key: key,
    });
    expect([status, service.calls]).toEqual([400, []]);
  });

  test("does not repeat a refusal", async () => {
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }));
    const { status } = await transport.call(aStowage(service), "request", {
      filename: "a",
      idempotency_key: "full",
    });
    expect([status, keys()]).toEqual([403, ["full"]]);
  });
});
