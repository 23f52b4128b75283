import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aFileAnswer, aService, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type FileContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const path = { file_path: FILE_PATH };
const refused = {
  status: 403,
  code: "delete_refused",
  detail: "Files cannot be deleted here: allowDelete does not allow it",
};
const notFound = { status: 404, code: "file_not_found", detail: "File not found" };
const deletions = () => service.calls.filter((call) => call.path === "/api/storage/delete/");

describe.each(transports)("over $name, delete", (transport) => {
  test("refuses a deletion by default", async () => {
    for (const options of [{}, { allowDelete: false }, { allowDelete: undefined }]) {
      expect(await transport.call(aStowage(service, options), "delete", path)).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("requires a session and file_path", async () => {
    const stowage = aStowage(service, { allowDelete: true });
    const signedOut = { "X-Test-User": "" };
    expect((await transport.call(stowage, "delete", path, signedOut)).status).toBe(401);
    expect(await transport.call(stowage, "delete", {})).toEqual({
      status: 400,
      code: "invalid_request",
      detail: "file_path is required",
    });
    expect(service.calls).toEqual([]);
  });

  test("deletes a file of the user, and sends the tenant along", async () => {
    const stowage = aStowage(service, { allowDelete: true });
    const body = { ...path, tenant_id: "user_grace", file_paths: ["another"] };
    expect(await transport.call(stowage, "delete", body)).toEqual({ status: 200, body: {} });
    expect(deletions().map((call) => call.body)).toEqual([{ ...path, tenant_id: "user_ada" }]);
  });

  test("does not find another user's file, and does not call allowDelete for it", async () => {
    let called = 0;
    const stowage = aStowage(service, { allowDelete: () => ++called > 0 });
    await transport.call(stowage, "request", { filename: "a", size: 1 });
    const grace = { "X-Test-User": "user_grace" };
    expect(await transport.call(stowage, "delete", path, grace)).toEqual(notFound);
    expect(called).toBe(0);
    expect(deletions()).toEqual([]);
  });

  test("does not find a file that was already deleted", async () => {
    const stowage = aStowage(service, { allowDelete: true });
    service.next(says(404, { detail: "File not found" }));
    expect(await transport.call(stowage, "delete", path)).toEqual(notFound);
  });

  test("passes the file to allowDelete, and obeys its answer", async () => {
    const contexts: FileContext[] = [];
    for (const answer of [true, Promise.resolve(true), false, Promise.resolve(false)]) {
      const allowDelete = (context: FileContext) => {
        contexts.push(context);
        return answer;
      };
      const seen = await transport.call(aStowage(service, { allowDelete }), "delete", path);
      expect(seen).toEqual((await answer) ? { status: 200, body: {} } : refused);
    }
    expect(deletions()).toHaveLength(2);
    expect(contexts[0]?.tenantId).toBe("user_ada");
    expect(contexts[0]?.file).toMatchObject({ filePath: FILE_PATH, status: "stored" });
    expect(contexts[0]?.request.headers.get("X-Test-User")).toBe("user_ada");
  });

  test("takes only true as permission", async () => {
    const allowDelete = (() => "yes") as unknown as () => boolean;
    expect(await transport.call(aStowage(service, { allowDelete }), "delete", path)).toEqual(refused);
  });

  test("sends a StowageError of the callback unchanged", async () => {
    const allowDelete = () => {
      throw new StowageError("delete_refused", { detail: "Invoices are kept for ten years" });
    };
    expect(await transport.call(aStowage(service, { allowDelete }), "delete", path)).toEqual({
      ...refused,
      detail: "Invoices are kept for ten years",
    });
  });

  test.each<[string, () => boolean | Promise<boolean>, string]>([
    [
      "throws",
      () => {
        throw new Error("no database");
      },
      "allowDelete threw an error",
    ],
    ["rejects", async () => Promise.reject(new Error("no database")), "allowDelete threw an error"],
    ["hangs", () => new Promise(() => {}), "allowDelete did not answer within 500 ms"],
  ])("deletes nothing when the callback %s", async (_how, allowDelete, sentence) => {
    const stowage = aStowage(service, { allowDelete, timeoutMs: 500 });
    expect(await transport.call(stowage, "delete", path)).toEqual({
      status: 500,
      code: "internal_error",
      detail: "Internal error",
    });
    expect(stowage.reported.map(({ message }) => message)).toEqual([sentence]);
    expect(deletions()).toEqual([]);
  });

  test("says that a file can be restored, if allowRestore allows it and the project has a trash", async () => {
    const restorable = { status: 200, body: { restorable: true } };
    const stowage = aStowage(service, { allowDelete: true, allowRestore: true });
    expect(await transport.call(stowage, "delete", path)).toEqual(restorable);
    expect(deletions().map((call) => call.body["trash_only"])).toEqual([true]);
    service.next(undefined, says(400, { detail: "The project has no trash" }));
    expect(await transport.call(stowage, "delete", path)).toEqual({ status: 200, body: {} });
    expect(deletions().map((call) => call.body["trash_only"])).toEqual([true, true, undefined]);
    const refuse = () => {
      throw new StowageError("restore_refused");
    };
    for (const allowRestore of [() => false, refuse]) {
      const refusing = aStowage(service, { allowDelete: true, allowRestore });
      expect(await transport.call(refusing, "delete", path)).toEqual({ status: 200, body: {} });
    }
  });

  test("deletes an upload that has not arrived for good", async () => {
    const stowage = aStowage(service, { allowDelete: true, allowRestore: true });
    const pending = { ...aFileAnswer({ ...path, tenant_id: "user_ada" }), status: "pending", size: null };
    service.next(says(200, { ...pending, stored_at: null, etag: null }));
    expect(await transport.call(stowage, "delete", path)).toEqual({ status: 200, body: {} });
  });

  test("keeps a file that is on hold, without a second attempt", async () => {
    const stowage = aStowage(service, { allowDelete: true, allowRestore: true });
    service.next(undefined, says(409, { detail: "File is on hold" }, { "X-Error-Code": "file_on_hold" }));
    expect(await transport.call(stowage, "delete", path)).toMatchObject({
      status: 409,
      code: "file_on_hold",
    });
    expect(deletions()).toHaveLength(1);
  });

  test("retries after a broken connection", async () => {
    service.next(hangsUp);
    expect((await transport.call(aStowage(service, { allowDelete: true }), "delete", path)).status).toBe(200);
  });
});
