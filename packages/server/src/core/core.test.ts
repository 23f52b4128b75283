import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

describe.each(transports)("over $name, routes", (transport) => {
  test("returns the limits of each route, without requiring a session", async () => {
    const stowage = aStowage(service, {
      routes: {
        avatar: { accept: "image/*, .HEIC", maxSize: "4MB", minSize: 1, maxFiles: 1 },
        any: { onComplete: () => "secret", metadata: () => ({ secret: "secret" }) },
      },
    });
    expect(await transport.routes(stowage, { "X-Test-User": "" })).toEqual({
      status: 200,
      body: {
        routes: {
          avatar: { accept: ["image/*", ".heic"], max_size: 4_000_000, min_size: 1, max_files: 1 },
          any: {},
        },
      },
    });
    expect(service.calls).toEqual([]);
  });

  test("returns no routes if none are configured", async () => {
    expect((await transport.routes(aStowage(service))).body).toEqual({ routes: {} });
  });
});

test("answers routes only to GET, with a trailing slash too, and forbids caching and guessing the type", async () => {
  const { handler } = aStowage(service, { routes: { avatar: {} } });
  const response = await handler(new Request("https://app.example/api/stowage/routes/"));
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect((await handler(new Request("https://app.example/routes", { method }))).status).toBe(404);
  }
});
