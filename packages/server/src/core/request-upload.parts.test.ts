import { aService, says, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const MiB = 1024 ** 2;
const GiB = 1024 ** 3;
const video = { filename: "a.mp4", content_type: "video/mp4", size: 32 * MiB, accepts_parts: true };
const paths = () => service.calls.map(({ path }) => path);
const byParts = ["/api/storage/uploads/"];
const byPut = ["/api/storage/upload/"];

describe.each(transports)("over $name, request of a large file", (transport) => {
  test("answers an upload by parts to a client that accepts parts", async () => {
    const routes = { video: { metadata: () => ({ album: "sea" }) } };
    const body = { ...video, route: "video", fingerprint: "f1", tenant_id: "user_grace" };
    const answer = await transport.call(aStowage(service, { routes }), "request", body);
    expect(answer).toEqual({
      status: 200,
      body: {
        file_path: expect.stringMatching(/^projects\/p\/tenants\/t\/./),
        content_type: "video/mp4",
        part_size: 5 * MiB,
        part_count: 7,
        expires_at: expect.any(String),
        expires_in: expect.any(Number),
        max_bytes: 32 * MiB,
      },
    });
    // A week, not the hour of a URL. The header `Date` has whole seconds.
    const weekSeconds = 7 * 86_400;
    expect(Math.abs(Number(answer.body?.["expires_in"]) - weekSeconds)).toBeLessThanOrEqual(1);
    expect(service.calls.map(({ path, body }) => ({ path, body }))).toEqual([
      {
        path: "/api/storage/uploads/",
        body: {
          filename: "a.mp4",
          content_type: "video/mp4",
          size: 32 * MiB,
          metadata: { album: "sea", stowage_route: "video" },
          fingerprint: "f1",
          tenant_id: "user_ada",
        },
      },
    ]);
  });

  test("signs the first parts with the answer, if the client asks for them", async () => {
    const answer = await transport.call(aStowage(service), "request", { ...video, sign_parts: 3 });
    const signed = { presigned_url: expect.any(String), headers: {}, size: 5 * MiB };
    const times = {
      expires_at: expect.any(String),
      expires_in: expect.toSatisfy((seconds) => seconds > 3590 && seconds <= 3600),
    };
    expect(answer.body?.["parts"]).toEqual([1, 2, 3].map((number) => ({ number, ...signed, ...times })));
    const [, signing] = service.calls;
    expect(signing).toMatchObject({
      path: "/api/storage/uploads/parts/",
      body: { file_path: answer.body?.["file_path"], tenant_id: "user_ada" },
    });
  });

  test("signs all parts of a file that has fewer than the client asks for", async () => {
    const { body } = await transport.call(aStowage(service), "request", { ...video, sign_parts: 100 });
    expect(body?.["parts"]).toHaveLength(7);
  });

  test("answers the upload without its parts if the service cannot sign them now", async () => {
    service.next(undefined, says(503, { detail: "Service temporarily unavailable" }));
    const answer = await transport.call(aStowage(service), "request", { ...video, sign_parts: 3 });
    expect(answer).toMatchObject({ status: 200, body: { part_count: 7 } });
    expect(answer.body).not.toHaveProperty("parts");
    expect(paths()).toEqual([...byParts, "/api/storage/uploads/parts/"]);
  });

  test.each([
    [0, "sign_parts must be at least 1"],
    [101, "sign_parts must be at most 100"],
    [1.5, "sign_parts must be a whole number"],
  ])("refuses to sign %j parts", async (sign_parts, detail) => {
    const answer = await transport.call(aStowage(service), "request", { ...video, sign_parts });
    expect(answer).toEqual({ status: 400, code: "invalid_request", detail });
    expect(service.calls).toEqual([]);
  });

  test.each([{}, { multipartFrom: "1GB" }] as const)(
    "answers parts earlier to a client on a slow line, with %j",
    async (options) => {
      const file = { ...video, size: 5 * MiB + 1, slow_line: true };
      const answer = await transport.call(aStowage(service, options), "request", file);
      expect(answer).toMatchObject({ status: 200, body: { part_count: 2 } });
      expect(paths()).toEqual(byParts);
    },
  );

  test.each([
    ["a client that does not accept parts", { accepts_parts: undefined }, {}],
    ["a client that refuses parts", { accepts_parts: false }, {}],
    ["a file below 32 MiB", { size: 32 * MiB - 1 }, {}],
    ["a file with an MD5 of the whole", { content_md5: "XrY7u+Ae7tCTyyK7j1rNww==" }, {}],
    ["a file below the helper's threshold", {}, { multipartFrom: "1GB" }],
    ["any file if parts are off", { size: GiB }, { multipartFrom: false }],
    ["a file of one part on a slow line", { size: 5 * MiB, slow_line: true }, {}],
    ["any file on a slow line if parts are off", { slow_line: true }, { multipartFrom: false }],
    ["a file below its route's threshold", { route: "a" }, { routes: { a: { multipartFrom: "1GB" } } }],
    [
      "any file of a route without parts",
      { route: "a", size: GiB },
      { multipartFrom: 0, routes: { a: { multipartFrom: false } } },
    ],
    ["an empty file", { size: 0 }, { multipartFrom: 0 }],
  ] as const)("answers one PUT for %s", async (_, file, options) => {
    const answer = await transport.call(aStowage(service, options), "request", { ...video, ...file });
    expect(answer).toMatchObject({ status: 200, body: { presigned_url: expect.any(String) } });
    expect(paths()).toEqual(byPut);
  });

  test.each([
    ["the helper's threshold", { size: 1 }, { multipartFrom: 1 }],
    [
      "its route's threshold",
      { size: 5, route: "a" },
      { multipartFrom: false, routes: { a: { multipartFrom: 5 } } },
    ],
    ["the helper's, if its route has none", { size: 5, route: "a" }, { multipartFrom: 5, routes: { a: {} } }],
  ] as const)("answers parts from %s on", async (_, file, options) => {
    const answer = await transport.call(aStowage(service, options), "request", { ...video, ...file });
    expect(answer).toMatchObject({ status: 200, body: { part_count: 1 } });
    expect(paths()).toEqual(byParts);
  });

  test("takes more than 5 GiB only from a client that accepts parts", async () => {
    const huge = { ...video, size: 5 * GiB + 1 };
    expect(await transport.call(aStowage(service), "request", huge)).toMatchObject({ status: 200 });
    const detail = "size must be at most 5368709120 bytes";
    expect(await transport.call(aStowage(service), "request", { ...huge, accepts_parts: false })).toEqual({
      status: 400,
      code: "file_too_large",
      detail,
    });
    expect(paths()).toEqual(byParts);
  });

  test("repeats a call with a key until it has an answer", async () => {
    service.next(says(503, { detail: "Service temporarily unavailable" }));
    const body = { ...video, idempotency_key: `parts-${transport.name.replaceAll(" ", "-")}` };
    expect(await transport.call(aStowage(service), "request", body)).toMatchObject({ status: 200 });
    const keys = service.calls.map(({ idempotencyKey }) => idempotencyKey);
    expect(keys).toEqual([body.idempotency_key, body.idempotency_key]);
  });

  test("still applies the rules of its route", async () => {
    const stowage = aStowage(service, { routes: { small: { maxSize: "40MB" } } });
    const body = { ...video, size: 40_000_001, route: "small" };
    expect(await transport.call(stowage, "request", body)).toMatchObject({ code: "file_too_large" });
    expect(paths()).toEqual([]);
  });
});
