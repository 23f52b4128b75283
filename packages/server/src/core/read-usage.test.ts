import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aFileAnswer, aService, hangsUp, type FakeService } from "@stowage/service-fake";
import type { CallerContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const refused = {
  status: 403,
  code: "usage_refused",
  detail: "Usage cannot be read here: allowUsage does not allow it",
};

describe.each(transports)("over $name, usage", (transport) => {
  test("is refused by default, with the name of the option", async () => {
    expect(await transport.read(aStowage(service), "usage")).toEqual(refused);
    expect(service.calls).toEqual([]);
  });

  test("requires a session", async () => {
    const stowage = aStowage(service, { allowUsage: true });
    expect((await transport.read(stowage, "usage", {}, { "X-Test-User": "" })).status).toBe(401);
    expect(service.calls).toEqual([]);
  });

  test("answers what the user stores and may store, in bytes", async () => {
    service.files.push(aFileAnswer({ file_path: "a", tenant_id: "user_ada" }));
    const stowage = aStowage(service, { allowUsage: true });
    expect(await transport.read(stowage, "usage", { tenant_id: "user_grace" })).toEqual({
      status: 200,
      body: {
        used_bytes: 12,
        reserved_bytes: 0,
        file_count: 1,
        quota_bytes: 1_000_000_000,
        plan: null,
        max_files: null,
        max_open_uploads: null,
        uploads_per_minute: null,
      },
    });
    expect(service.calls.map(({ path }) => path)).toEqual(["/api/storage/usage/?tenant_id=user_ada"]);
    service.files.length = 0;
  });

  test("asks allowUsage about the user, and takes only true as permission", async () => {
    const contexts: CallerContext[] = [];
    for (const answer of [true, false, "yes"]) {
      const allowUsage = (context: CallerContext) => {
        contexts.push(context);
        return answer as boolean;
      };
      const { status } = await transport.read(aStowage(service, { allowUsage }), "usage");
      expect(status).toBe(answer === true ? 200 : 403);
    }
    expect(contexts.map(({ tenantId }) => tenantId)).toEqual(["user_ada", "user_ada", "user_ada"]);
  });

  test("retries after a broken connection", async () => {
    service.next(hangsUp);
    expect((await transport.read(aStowage(service, { allowUsage: true }), "usage")).status).toBe(200);
  });
});
