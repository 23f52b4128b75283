import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { faces } from "../../test/transports.js";
import { aService, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

describe.each(faces)("over $name", (face) => {
  it("tells what each route takes, to a page that has not signed in yet", async () => {
    const stowage = aStowage(service, {
      routes: {
        avatar: { accept: "image/*, .HEIC", maxSize: "4MB", minSize: 1, maxFiles: 1 },
        any: { onComplete: () => "secret", metadata: () => ({ secret: "secret" }) },
      },
    });
    expect(await face.routes(stowage, { "X-Test-User": "" })).toEqual({
      status: 200,
      body: {
        routes: {
          avatar: { accept: ["image/*", ".heic"], max_size: 4_194_304, min_size: 1, max_files: 1 },
          any: {},
        },
      },
    });
    expect(service.calls).toEqual([]);
  });

  it("has nothing to tell where none are configured", async () => {
    expect((await face.routes(aStowage(service))).body).toEqual({ routes: {} });
  });
});

it("is kept by no cache, found with a slash at the end, and by GET alone", async () => {
  const { handler } = aStowage(service, { routes: { avatar: {} } });
  const response = await handler(new Request("https://app.example/api/stowage/routes/"));
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  for (const method of ["POST", "PUT", "DELETE"]) {
    expect((await handler(new Request("https://app.example/routes", { method }))).status).toBe(404);
  }
});
