import { aService, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const MiB = 1024 ** 2;
const video = { filename: "a.mp4", size: 33 * MiB, accepts_parts: true };
const aPart = { number: 5, content_md5: "XrY7u+Ae7tCTyyK7j1rNww==" };

describe.each(transports)("over $name, parts", (transport) => {
  /** The path of an upload of Ada. */
  let path: string;
  beforeEach(async () => {
    const { body } = await transport.call(aStowage(service), "request", video);
    path = body?.["file_path"] as string;
    service.calls.length = 0;
  });

  test("requires a session to sign and to list", async () => {
    const noSession = { "X-Test-User": "" };
    const query = { file_path: path };
    const body = { ...query, parts: [aPart] };
    expect((await transport.call(aStowage(service), "parts", body, noSession)).status).toBe(401);
    expect((await transport.read(aStowage(service), "parts", query, noSession)).status).toBe(401);
    expect(service.calls).toEqual([]);
  });

  test("signs parts of the user's own upload, with the seconds until they expire", async () => {
    const body = { file_path: path, parts: [aPart, { number: 1 }], tenant_id: "user_grace" };
    const answer = await transport.call(aStowage(service), "parts", body);
    const signed = { presigned_url: expect.any(String), expires_at: expect.any(String) };
    expect(answer).toEqual({
      status: 200,
      body: {
        parts: [
          {
            ...signed,
            number: 5,
            headers: { "Content-MD5": aPart.content_md5 },
            size: 5 * MiB,
            expires_in: expect.toSatisfy((seconds) => seconds > 3590 && seconds <= 3600),
          },
          { ...signed, number: 1, headers: {}, size: 5 * MiB, expires_in: expect.any(Number) },
        ],
      },
    });
    expect(service.calls.map(({ path, body }) => [path, body])).toEqual([
      [
        "/api/storage/uploads/parts/",
        { file_path: path, parts: [aPart, { number: 1 }], tenant_id: "user_ada" },
      ],
    ]);
  });

  test("lists the stored parts of the user's own upload", async () => {
    const part = { number: 5, size: MiB, etag: "5eb63bbbe01eeed093cb22bb8f5acdc3" };
    service.storePart(path, part);
    const query = { file_path: path, cursor: "4", tenant_id: "user_grace" };
    expect(await transport.read(aStowage(service), "parts", query)).toEqual({
      status: 200,
      body: { parts: [part], next_cursor: null },
    });
    const sent = new URL(service.calls[0]!.path, service.url);
    expect([sent.pathname, Object.fromEntries(sent.searchParams)]).toEqual([
      "/api/storage/uploads/parts/",
      { file_path: path, tenant_id: "user_ada", cursor: "4" },
    ]);
  });

  test("reports another user's upload as not found", async () => {
    const ofGrace = { "X-Test-User": "user_grace" };
    const notFound = { status: 404, code: "file_not_found", detail: "File not found" };
    const query = { file_path: path };
    const body = { ...query, parts: [aPart] };
    expect(await transport.call(aStowage(service), "parts", body, ofGrace)).toEqual(notFound);
    expect(await transport.read(aStowage(service), "parts", query, ofGrace)).toEqual(notFound);
  });

  test.each([
    [undefined, "parts must be a list"],
    [[], "parts must name at least one part"],
    [Array.from({ length: 101 }, () => ({ number: 1 })), "parts must name at most 100 parts"],
    [[{ number: 10_001 }], "number must be at most 10000"],
  ])("refuses %j", async (parts, detail) => {
    const body = { file_path: path, parts };
    expect(await transport.call(aStowage(service), "parts", body)).toEqual({
      status: 400,
      code: "invalid_request",
      detail,
    });
    expect(service.calls).toEqual([]);
  });

  test("passes on that the upload has expired, and repeats a call that got no answer", async () => {
    const body = { file_path: path, parts: [aPart] };
    service.next(hangsUp);
    expect(await transport.call(aStowage(service), "parts", body)).toMatchObject({ status: 200 });
    service.next(says(409, { detail: "Upload has expired" }, { "X-Error-Code": "upload_expired" }));
    expect(await transport.call(aStowage(service), "parts", body)).toEqual({
      status: 409,
      code: "upload_expired",
      detail: "Upload has expired",
    });
  });
});
