import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, hangsUp, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const path = { file_path: FILE_PATH };
const cancelled = { status: 200, body: {} };

describe.each(transports)("over $name, cancel", (transport) => {
  test("requires a session and file_path", async () => {
    const stowage = aStowage(service);
    expect((await transport.call(stowage, "cancel", path, { "X-Test-User": "" })).status).toBe(401);
    expect(await transport.call(stowage, "cancel", {})).toEqual({
      status: 400,
      code: "invalid_request",
      detail: "file_path is required",
    });
    expect(service.calls).toEqual([]);
  });

  test("cancels an upload of the user without allowDelete, and sends the tenant along", async () => {
    const body = { ...path, tenant_id: "user_grace" };
    expect(await transport.call(aStowage(service), "cancel", body)).toEqual(cancelled);
    expect(service.calls.map((call) => [call.path, call.body])).toEqual([
      ["/api/storage/cancel/", { ...path, tenant_id: "user_ada" }],
    ]);
  });

  test("does not find another user's upload", async () => {
    const stowage = aStowage(service);
    await transport.call(stowage, "request", { filename: "a", size: 1 });
    expect(await transport.call(stowage, "cancel", path, { "X-Test-User": "user_grace" })).toEqual({
      status: 404,
      code: "file_not_found",
      detail: "File not found",
    });
  });

  test("refuses to cancel a stored file", async () => {
    service.next(says(409, { detail: "Upload is already stored" }));
    expect(await transport.call(aStowage(service), "cancel", path)).toEqual({
      status: 409,
      code: "upload_already_stored",
      detail: "Upload is already stored",
    });
  });

  test("retries after a broken connection", async () => {
    service.next(hangsUp);
    expect(await transport.call(aStowage(service), "cancel", path)).toEqual(cancelled);
    expect(service.calls).toHaveLength(2);
  });
});
