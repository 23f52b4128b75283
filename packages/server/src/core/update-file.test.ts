import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aFileAnswer, aService, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type UpdateContext } from "../index.js";
import { ROUTE_LABEL } from "../routes/route-label.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const rename = { file_path: FILE_PATH, filename: "new.txt" };
const move = { file_path: FILE_PATH, folder: "reports/2026" };
const refused = {
  status: 403,
  code: "update_refused",
  detail: "Files cannot be changed here: allowUpdate does not allow it",
};
const updates = () => service.calls.filter((call) => call.path === "/api/storage/update/");
const allowed = { allowUpdate: true, allowFolders: true };

describe.each(transports)("over $name, update", (transport) => {
  test("is refused by default", async () => {
    for (const options of [{}, { allowUpdate: false, allowFolders: true }]) {
      expect(await transport.call(aStowage(service, options), "update", rename)).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("requires a session, file_path and a change, and valid names", async () => {
    const stowage = aStowage(service, allowed);
    expect((await transport.call(stowage, "update", rename, { "X-Test-User": "" })).status).toBe(401);
    for (const [body, detail] of [
      [{ filename: "a" }, "file_path is required"],
      [{ file_path: FILE_PATH }, "filename or folder is required"],
      [{ file_path: FILE_PATH, metadata: { a: "b" } }, "filename or folder is required"],
      [{ ...rename, filename: "" }, "filename is required"],
      [{ ...move, folder: "../a" }, 'a segment of folder must not be empty, "." or ".."'],
    ] as const) {
      expect(await transport.call(stowage, "update", body)).toMatchObject({ status: 400, detail });
    }
    expect(service.calls).toEqual([]);
  });

  test("renames a file of the user, and answers it without what is internal", async () => {
    const body = { ...rename, tenant_id: "user_grace", metadata: { role: "admin" } };
    const answer = await transport.call(aStowage(service, { allowUpdate: true }), "update", body);
    expect(answer).toMatchObject({
      status: 200,
      body: { file_path: FILE_PATH, filename: "new.txt", size: 12 },
    });
    for (const name of ["tenant_id", "metadata", "folder"]) expect(answer.body).not.toHaveProperty(name);
    expect(updates().map((call) => call.body)).toEqual([{ ...rename, tenant_id: "user_ada" }]);
  });

  test("moves a file only where allowFolders allows both folders", async () => {
    const inside = { ...aFileAnswer({ file_path: FILE_PATH, tenant_id: "user_ada" }), folder: "inbox" };
    for (const [folders, isAllowed] of [
      [[], false],
      [["inbox"], false],
      [["reports/2026"], false],
      [["inbox", "reports/2026"], true],
    ] as const) {
      service.next(says(200, inside));
      const allowFolders = ({ folder }: { folder: string }) => folders.some((name) => name === folder);
      const answer = await transport.call(
        aStowage(service, { allowUpdate: true, allowFolders }),
        "update",
        move,
      );
      expect(answer).toMatchObject(isAllowed ? { status: 200 } : { status: 403, code: "folder_refused" });
    }
    expect(updates().map((call) => call.body)).toEqual([{ ...move, tenant_id: "user_ada" }]);
  });

  test("passes the file and the change to allowUpdate, and obeys its answer", async () => {
    const contexts: UpdateContext[] = [];
    for (const answer of [true, false, "yes"]) {
      const allowUpdate = (context: UpdateContext) => {
        contexts.push(context);
        return answer as boolean;
      };
      const stowage = aStowage(service, { allowUpdate, allowFolders: true });
      const { status } = await transport.call(stowage, "update", { ...rename, folder: "" });
      expect(status).toBe(answer === true ? 200 : 403);
    }
    expect(contexts[0]).toMatchObject({
      tenantId: "user_ada",
      file: { filePath: FILE_PATH, filename: "notes.txt" },
      change: { filename: "new.txt", folder: "" },
    });
    const allowUpdate = () => {
      throw new StowageError("update_refused", { detail: "Invoices keep their names" });
    };
    const told = await transport.call(aStowage(service, { allowUpdate }), "update", rename);
    expect(told).toEqual({ ...refused, detail: "Invoices keep their names" });
    expect(updates()).toHaveLength(1);
  });

  test("gives a file no name that its route refuses", async () => {
    const routes = { note: { accept: ".txt" } };
    const stowage = aStowage(service, { allowUpdate: true, routes });
    const ofRoute = {
      ...aFileAnswer({ file_path: FILE_PATH, tenant_id: "user_ada" }),
      metadata: { [ROUTE_LABEL]: "note" },
    };
    for (const [filename, status] of [
      ["setup.exe", 400],
      ["page.html", 400],
      ["new.txt", 200],
    ] as const) {
      service.next(says(200, ofRoute));
      const answer = await transport.call(stowage, "update", { ...rename, filename });
      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.code).toBe("file_type_not_accepted");
    }
    expect(updates()).toHaveLength(1);
  });

  test("does not find another user's file or one that is not stored, and does not ask about it", async () => {
    let asked = 0;
    const ask = () => ++asked > 0;
    const stowage = aStowage(service, { allowUpdate: ask, allowFolders: ask });
    await transport.call(stowage, "request", { filename: "a", size: 1 });
    const notFound = { status: 404, code: "file_not_found", detail: "File not found" };
    const grace = { "X-Test-User": "user_grace" };
    expect(await transport.call(stowage, "update", { ...rename, ...move }, grace)).toEqual(notFound);
    const pending = { ...aFileAnswer({ file_path: FILE_PATH, tenant_id: "user_ada" }), status: "pending" };
    service.next(says(200, { ...pending, size: null, stored_at: null, etag: null }));
    expect(await transport.call(stowage, "update", rename)).toEqual(notFound);
    expect(asked).toBe(0);
    expect(updates()).toEqual([]);
  });
});
