import { aFileAnswer, aService, says, type FakeService } from "@stowage/service-fake";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.files.length = 0;
});

const open = (path: string, tenant = "user_ada") =>
  void service.files.push(aFileAnswer({ file_path: `projects/p/${path}`, tenant_id: tenant }));
const cancelled = () =>
  service.calls.filter(({ path }) => path === "/api/storage/cancel/").map(({ body }) => body);

describe.each(transports)("over $name, discard", (transport) => {
  test("requires a session, and a list of paths if there is one", async () => {
    const stowage = aStowage(service);
    expect((await transport.call(stowage, "discard", {}, { "X-Test-User": "" })).status).toBe(401);
    for (const except of ["all", [""], Array.from({ length: 201 }, (_, index) => `p/${index}`)]) {
      expect(await transport.call(stowage, "discard", { except })).toMatchObject({ code: "invalid_request" });
    }
    expect(service.calls).toEqual([]);
  });

  test("cancels the pending uploads of the user only, except those that it is told to keep", async () => {
    open("a");
    open("kept");
    open("of grace", "user_grace");
    const body = { except: ["projects/p/kept"], tenant_id: "user_grace" };
    expect(await transport.call(aStowage(service), "discard", body)).toEqual({
      status: 200,
      body: {},
    });
    expect(service.calls[0]?.path).toBe("/api/storage/files/?tenant_id=user_ada&status=pending&limit=100");
    expect(cancelled()).toEqual([{ file_path: "projects/p/a", tenant_id: "user_ada" }]);
  });

  test("ignores an upload that is stored meanwhile", async () => {
    open("a");
    service.next(says(200, { files: service.files, next_cursor: null }));
    service.next(says(409, { detail: "Upload is already stored" }));
    expect(await transport.call(aStowage(service), "discard", {})).toEqual({
      status: 200,
      body: {},
    });
  });

  test("ends at most 200 uploads in one call", async () => {
    for (let index = 0; index < 250; index++) open(String(index));
    expect(await transport.call(aStowage(service), "discard", {})).toMatchObject({
      status: 200,
    });
    const paths = cancelled().map((body) => JSON.stringify(body));
    expect([paths.length, new Set(paths).size]).toEqual([200, 200]);
  });
});
