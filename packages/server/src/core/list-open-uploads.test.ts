import { aService, type FakeService } from "@stowage/service-fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeEach(async () => void (service = await aService()));
afterEach(() => service[Symbol.asyncDispose]());

/** Opens an upload, as the newest one. */
async function open(filename: string, { tenant = "user_ada", route = "video" } = {}) {
  const routes = { video: { metadata: () => ({ secret: "of the backend" }) }, other: {} };
  const body = { filename, size: 40_000_000, accepts_parts: true, fingerprint: `of ${filename}`, route };
  const request = post("request", body, { "X-Test-User": tenant });
  expect((await aStowage(service, { routes }).handler(request)).status).toBe(200);
  service.calls.length = 0;
}

describe.each(transports)("over $name, open", (transport) => {
  test("requires a session, and no option", async () => {
    const refused = await transport.read(aStowage(service), "open", {}, { "X-Test-User": "" });
    expect([refused.status, service.calls]).toEqual([401, []]);
    const none = { uploads: [], next_cursor: null };
    expect(await transport.read(aStowage(service), "open")).toEqual({ status: 200, body: none });
  });

  test("lists the user's own open uploads with their routes, without tenant and metadata", async () => {
    await open("old.mp4", { route: "other" });
    await open("of grace.mp4", { tenant: "user_grace" });
    await open("new.mp4");
    const query = { tenant_id: "user_grace", limit: "10" };
    const { status, body } = await transport.read(aStowage(service), "open", query);
    const upload = {
      file_path: expect.any(String),
      content_type: "text/plain",
      size: null,
      status: "pending",
      etag: null,
      created_at: "2026-01-01T00:00:00.000Z",
      stored_at: null,
      scan_status: "none",
      declared_size: 40_000_000,
      part_size: 5_242_880,
      part_count: 8,
      parts_stored: 0,
      bytes_stored: 0,
      expires_at: expect.any(String),
    };
    expect([status, body]).toEqual([
      200,
      {
        uploads: [
          { ...upload, filename: "new.mp4", fingerprint: "of new.mp4", route: "video" },
          { ...upload, filename: "old.mp4", fingerprint: "of old.mp4", route: "other" },
        ],
        next_cursor: null,
      },
    ]);
    const sent = new URL(service.calls[0]!.path, service.url);
    expect([sent.pathname, Object.fromEntries(sent.searchParams)]).toEqual([
      "/api/storage/uploads/",
      { tenant_id: "user_ada", limit: "10" },
    ]);
  });

  test("pages by the service's cursor", async () => {
    await open("1");
    await open("2");
    const first = await transport.read(aStowage(service), "open", { limit: "1" });
    expect(first.body).toMatchObject({ uploads: [{ filename: "2" }], next_cursor: "1" });
    const second = await transport.read(aStowage(service), "open", { limit: "1", cursor: "1" });
    expect(second.body).toMatchObject({ uploads: [{ filename: "1" }], next_cursor: null });
  });
});
