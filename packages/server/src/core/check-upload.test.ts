import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const THERE_ARE = "is not an upload route. There are: avatar, atMost, atLeast, any";
const image = { filename: "a.png", content_type: "image/png", size: 100 };

describe.each(transports)("over $name, a route", (transport) => {
  const rules = {
    avatar: { accept: ["image/*", ".heic"], maxSize: "4KB", minSize: 10, maxFiles: 2 },
    atMost: { maxSize: "4KB" },
    atLeast: { minSize: 10 },
    any: {},
  } as const;

  test.each([
    [404, "route_not_found", `"nowhere" ${THERE_ARE}`, { ...image, route: "nowhere" }],
    [404, "route_not_found", `"constructor" ${THERE_ARE}`, { ...image, route: "constructor" }],
    [404, "route_not_found", `"__proto__" ${THERE_ARE}`, { ...image, route: "__proto__" }],
    [404, "route_not_found", "No upload route was named. There are: avatar, atMost, atLeast, any", image],
    [400, "invalid_request", "route must be a string", { ...image, route: 7 }],
    [400, "filename_required", "filename is required", { route: "avatar" }],
    [400, "size_required", "size is required", { ...image, route: "avatar", size: undefined }],
    [400, "size_required", "size is required", { ...image, route: "atMost", size: undefined }],
    [400, "size_required", "size is required", { ...image, route: "atLeast", size: undefined }],
    [400, "size_required", "size is required", { ...image, route: "any", size: undefined }],
    [400, "size_required", "size is required", { ...image, route: "any", size: null }],
    [400, "file_too_large", "size must be at most 4000 bytes", { ...image, route: "avatar", size: 4001 }],
    [400, "file_too_small", "size must be at least 10 bytes", { ...image, route: "avatar", size: 9 }],
    [400, "too_many_files", "Too many files", { ...image, route: "avatar", files_before: 2 }],
    [
      400,
      "file_type_not_accepted",
      "File type is not accepted",
      { ...image, route: "avatar", content_type: "text/html" },
    ],
    [
      400,
      "file_type_not_accepted",
      "File type is not accepted",
      { ...image, filename: "a.exe", route: "avatar", content_type: "" },
    ],
    [
      400,
      "file_type_not_accepted",
      "File type is not accepted",
      { ...image, filename: "a", route: "avatar", content_type: null },
    ],
    [
      400,
      "invalid_request",
      "files_before must be at least 0",
      { ...image, route: "avatar", files_before: -1 },
    ],
  ])("refuses with %i %s: %s", async (status, code, detail, body) => {
    const stowage = aStowage(service, { routes: rules });
    expect(await transport.call(stowage, "request", body)).toEqual({ status, code, detail });
    expect(service.calls).toEqual([]);
    expect(stowage.reported).toEqual([]);
  });

  test.each([
    { ...image, route: "avatar", size: 4000, files_before: 1 },
    { ...image, route: "avatar", size: 10 },
    { ...image, route: "avatar", content_type: "IMAGE/PNG; a=b" },
    { filename: "A.HEIC", size: 10, route: "avatar" },
    { filename: "a", size: 1, route: "any", files_before: 99, input: { ignored: true } },
  ])("accepts: %j", async (body) => {
    const seen = await transport.call(aStowage(service, { routes: rules }), "request", body);
    expect(seen.status).toBe(200);
  });

  test("needs no limit of size to require the size, nor any routes", async () => {
    const answer = await transport.call(aStowage(service), "request", { ...image, size: undefined });
    expect(answer).toEqual({ status: 400, code: "size_required", detail: "size is required" });
    expect(service.calls).toEqual([]);
  });

  test("is stored with the file; only the file's own members are passed from the page to the service", async () => {
    const body = {
      ...image,
      route: "any",
      input: { a: 1 },
      files_before: 1,
      metadata: { stowage_route: "avatar" },
      tenant_id: "user_grace",
    };
    await transport.call(aStowage(service, { routes: rules }), "request", body);
    expect(service.calls[0]?.body).toEqual({
      ...image,
      tenant_id: "user_ada",
      metadata: { stowage_route: "any" },
    });
  });

  test("is not found if no routes are configured, and is not required then", async () => {
    const stowage = aStowage(service);
    expect(await transport.call(stowage, "request", { ...image, route: "avatar" })).toEqual({
      status: 404,
      code: "route_not_found",
      detail: '"avatar" is not an upload route. The helper has no routes',
    });
    expect(await transport.call(stowage, "request", image)).toMatchObject({ status: 200 });
    expect(service.calls.map(({ body }) => body)).toEqual([{ ...image, tenant_id: "user_ada" }]);
  });

  test("passes on a refusal of the service", async () => {
    service.next(says(403, { detail: "Storage quota exceeded for this tenant" }));
    const stowage = aStowage(service, { routes: rules });
    expect(await transport.call(stowage, "request", { ...image, route: "any" })).toEqual({
      status: 403,
      code: "quota_exceeded",
      detail: "Storage quota exceeded for this tenant",
    });
  });
});
