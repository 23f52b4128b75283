import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, says, type FakeService } from "@stowage/service-fake";
import type { PathContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const path = { file_path: FILE_PATH };
const refused = {
  status: 403,
  code: "restore_refused",
  detail: "Files cannot be restored here: allowRestore does not allow it",
};

describe.each(transports)("over $name, restore", (transport) => {
  test("is refused by default, and by any answer but true", async () => {
    const contexts: PathContext[] = [];
    const allowRestore = (context: PathContext) => contexts.push(context) as unknown as boolean;
    for (const options of [{}, { allowRestore: false }, { allowRestore }]) {
      expect(await transport.call(aStowage(service, options), "restore", path)).toEqual(refused);
    }
    expect(contexts).toMatchObject([{ tenantId: "user_ada", filePath: FILE_PATH }]);
    expect(service.calls).toEqual([]);
  });

  test("requires a session and file_path", async () => {
    const stowage = aStowage(service, { allowRestore: true });
    expect((await transport.call(stowage, "restore", path, { "X-Test-User": "" })).status).toBe(401);
    expect(await transport.call(stowage, "restore", {})).toMatchObject({ status: 400 });
    expect(service.calls).toEqual([]);
  });

  test("restores a file of the user, and says nothing else of it", async () => {
    const stowage = aStowage(service, { allowRestore: true });
    const body = { ...path, tenant_id: "user_grace", file_paths: ["another"] };
    expect(await transport.call(stowage, "restore", body)).toEqual({ status: 200, body: {} });
    expect(service.calls.map(({ path, body }) => [path, body])).toEqual([
      ["/api/storage/restore/", { ...path, tenant_id: "user_ada" }],
    ]);
  });

  test("does not find a file that is not in the trash", async () => {
    service.next(says(404, { detail: "File not found" }));
    const answer = await transport.call(aStowage(service, { allowRestore: true }), "restore", path);
    expect(answer).toEqual({ status: 404, code: "file_not_found", detail: "File not found" });
  });
});
