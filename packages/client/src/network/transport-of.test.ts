import { expect, test } from "vitest";
import { startBackend } from "../../test/backend.js";
import { aRuntime } from "../../test/runtime.js";
import { createFakeTransport } from "../testing/index.js";
import { keepTransport } from "./transport-of.js";

const { signal } = new AbortController();

test("keeps the transport of an endpoint, and sends the headers of the last settings", async () => {
  const backend = await startBackend();
  try {
    const transportOf = keepTransport(aRuntime());
    const { endpoint } = backend;
    const first = transportOf({ endpoint, headers: { "X-User": "ada" } });
    expect(transportOf({ endpoint, headers: { "X-User": "grace" } })).toBe(first);
    await first.request({ filename: "a", size: 1 }, signal);
    expect(backend.of("request").map(({ headers }) => headers["x-user"])).toEqual(["grace"]);
  } finally {
    backend.close();
  }
});

test("returns another transport for another endpoint, and the page's own one", () => {
  const transportOf = keepTransport(aRuntime());
  const first = transportOf({ endpoint: "/one" });
  expect(transportOf({ endpoint: "/two" })).not.toBe(first);
  const transport = createFakeTransport();
  expect(transportOf({ endpoint: "/two", transport })).toBe(transport);
  expect(() => transportOf({})).toThrow("Set endpoint or transport: the widget needs a backend");
});
