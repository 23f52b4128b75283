import { anOpenUpload, aService, says, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.openUploads.length = 0;
});

/** Opens an upload, as the newest one. */
function open(name: string, { tenant = "user_ada", ...more }: { tenant?: string; metadata?: object } = {}) {
  const upload = { file_path: `projects/p/${name}`, filename: name, size: 40_000_000, tenant_id: tenant };
  service.openUploads.unshift(anOpenUpload({ ...upload, ...more }));
}

describe.each(transports)("over $name, open", (transport) => {
  test("requires a session, and no option", async () => {
    const refused = await transport.read(aStowage(service), "open", {}, { "X-Test-User": "" });
    expect([refused.status, service.calls]).toEqual([401, []]);
    const none = { uploads: [], next_cursor: null };
    expect(await transport.read(aStowage(service), "open")).toEqual({ status: 200, body: none });
  });

  test("lists the user's own open uploads with their routes, without tenant and metadata", async () => {
    open("old.mp4");
    open("of grace.mp4", { tenant: "user_grace" });
    open("new.mp4", { metadata: { secret: "of the backend", stowage_route: "video" } });
    const query = { tenant_id: "user_grace", limit: "10" };
    const { status, body } = await transport.read(aStowage(service), "open", query);
    const upload = {
      file_path: "projects/p/new.mp4",
      filename: "new.mp4",
      content_type: "text/plain",
      size: null,
      status: "pending",
      etag: null,
      created_at: "2026-01-01T00:00:00.000Z",
      stored_at: null,
      declared_size: 40_000_000,
      part_size: 8_388_608,
      part_count: 5,
      parts_stored: 0,
      bytes_stored: 0,
      expires_at: expect.any(String),
      fingerprint: null,
    };
    expect([status, body]).toEqual([
      200,
      {
        uploads: [
          { ...upload, route: "video" },
          { ...upload, file_path: "projects/p/old.mp4", filename: "old.mp4" },
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
    open("1");
    open("2");
    const first = await transport.read(aStowage(service), "open", { limit: "1" });
    expect(first.body).toMatchObject({ uploads: [{ filename: "2" }], next_cursor: "1" });
    const second = await transport.read(aStowage(service), "open", { limit: "1", cursor: "1" });
    expect(second.body).toMatchObject({ uploads: [{ filename: "1" }], next_cursor: null });
  });

  test("answers none if the service is older than uploads by parts", async () => {
    service.next(says(404, { detail: "Not found" }, { "X-Error-Code": "not_found" }));
    const stowage = aStowage(service);
    expect(await transport.read(stowage, "open")).toEqual({
      status: 200,
      body: { uploads: [], next_cursor: null },
    });
    expect([service.calls.length, stowage.reported]).toEqual([1, []]);
  });
});
