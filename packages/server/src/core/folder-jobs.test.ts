import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, hangsUp, says, type FakeService } from "@stowage/service-fake";
import { StowageError, type FolderJobContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const move = { from: "drafts", to: "reports/2026" };
const remove = { folder: "old" };
const started = { job_id: "a1b2c3" };
const allowed = { allowFolders: true, allowFolderJobs: true };
const signedOut = { "X-Test-User": "" };
const refused = {
  status: 403,
  code: "folder_job_refused",
  detail: "This folder cannot be moved or deleted here: allowFolderJobs does not allow it",
};
const noFolder = { status: 403, code: "folder_refused" };

describe.each(transports)("over $name, jobs for folders", (transport) => {
  test("are refused by default, also where folders and all files are allowed", async () => {
    for (const options of [{}, { allowFolderJobs: false }, { allowFolderJobs: undefined }]) {
      const files = { allowFolders: true, allowUpdate: true, allowDelete: true, allowList: true };
      const stowage = aStowage(service, { ...files, ...options });
      expect(await transport.call(stowage, "move-folder", move)).toEqual(refused);
      expect(await transport.call(stowage, "delete-folder", remove)).toEqual(refused);
      expect(await transport.read(stowage, "job", started)).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("need a session, and names that can be ones", async () => {
    const stowage = aStowage(service, allowed);
    expect((await transport.call(stowage, "move-folder", move, signedOut)).status).toBe(401);
    expect((await transport.call(stowage, "delete-folder", remove, signedOut)).status).toBe(401);
    expect((await transport.read(stowage, "job", started, signedOut)).status).toBe(401);
    const moves = [
      {},
      { from: "", to: "a" },
      { from: "a", to: "a" },
      { from: "a", to: "a/b" },
      { from: "../a", to: "b" },
    ];
    for (const body of [...moves, { from: "a", to: "b//c" }, { from: ["a"], to: "b" }]) {
      expect(await transport.call(stowage, "move-folder", body)).toMatchObject({ status: 400 });
    }
    for (const body of [{}, { folder: "" }, { folder: "." }, { folder: null }]) {
      expect(await transport.call(stowage, "delete-folder", body)).toMatchObject({ status: 400 });
    }
    expect(await transport.read(stowage, "job", {})).toMatchObject({ status: 400 });
    expect(service.calls).toEqual([]);
  });

  test("start in the user's tenant, which the browser can neither choose nor read", async () => {
    const stowage = aStowage(service, allowed);
    const other = { tenant_id: "user_grace", tenantId: "user_grace" };
    const answer = { status: 200, body: started };
    service.next(says(200, started));
    expect(await transport.call(stowage, "move-folder", { ...move, ...other })).toEqual(answer);
    service.next(says(200, started));
    expect(await transport.call(stowage, "delete-folder", { ...remove, ...other })).toEqual(answer);
    expect(service.calls.map(({ body }) => body)).toEqual([
      { tenant_id: "user_ada", ...move },
      { tenant_id: "user_ada", ...remove },
    ]);
    const job = { ...started, kind: "move_folder", state: "running", total: 5, done: 2, kept: 0 };
    const times = { created_at: "2026-01-01T00:00:00.000Z", ended_at: null };
    service.next(says(200, { ...job, ...times, tenant_id: "user_ada" }));
    expect(await transport.read(stowage, "job", { ...started, ...other })).toEqual({
      status: 200,
      body: { ...job, ...times },
    });
    const sent = new URL(service.calls[2]!.path, service.url);
    expect(Object.fromEntries(sent.searchParams)).toEqual({ ...started, tenant_id: "user_ada" });
  });

  test("ask allowFolders about both folders, and then allowFolderJobs about the change", async () => {
    const asked: object[] = [];
    const allowFolderJobs = ({ folder, to, tenantId }: FolderJobContext) => {
      asked.push({ folder, to, tenantId });
      return to !== "locked";
    };
    const stowage = aStowage(service, { allowFolders: ({ folder }) => folder !== "secret", allowFolderJobs });
    for (const body of [
      { from: "secret", to: "a" },
      { from: "a", to: "secret" },
    ]) {
      expect(await transport.call(stowage, "move-folder", body)).toMatchObject(noFolder);
    }
    expect(await transport.call(stowage, "delete-folder", { folder: "secret" })).toMatchObject(noFolder);
    expect(asked).toEqual([]);
    expect(await transport.call(stowage, "move-folder", { from: "a", to: "locked" })).toEqual(refused);
    expect(service.calls).toEqual([]);
    service.next(says(200, started));
    expect((await transport.call(stowage, "delete-folder", remove)).status).toBe(200);
    expect(asked).toEqual([
      { folder: "a", to: "locked", tenantId: "user_ada" },
      { folder: "old", to: undefined, tenantId: "user_ada" },
    ]);
  });

  test("are allowed only by true, and refused with the text of the customer's own error", async () => {
    const answers = ["yes", 1, undefined].map((answer) => () => answer as unknown as boolean);
    const ownError = () => {
      throw new StowageError("folder_job_refused", { detail: "Contracts stay here" });
    };
    for (const allowFolderJobs of answers) {
      const stowage = aStowage(service, { ...allowed, allowFolderJobs });
      expect(await transport.call(stowage, "delete-folder", remove)).toEqual(refused);
    }
    const stowage = aStowage(service, { ...allowed, allowFolderJobs: ownError });
    expect(await transport.call(stowage, "move-folder", move)).toEqual({
      ...refused,
      detail: "Contracts stay here",
    });
    expect(service.calls).toEqual([]);
  });

  test("are started by one call of the service, also when it fails, and their state is asked again", async () => {
    const stowage = aStowage(service, allowed);
    service.next(hangsUp);
    expect((await transport.call(stowage, "move-folder", move)).status).toBe(503);
    service.next(says(503, { detail: "Service temporarily unavailable" }));
    expect((await transport.call(stowage, "delete-folder", remove)).status).toBe(503);
    expect(service.calls).toHaveLength(2);
    const busy = { status: 409, code: "folder_busy", detail: "Folder is being moved or deleted" };
    service.next(says(409, { detail: busy.detail }, { "X-Error-Code": busy.code }));
    expect(await transport.call(stowage, "move-folder", move)).toEqual(busy);
    service.calls.length = 0;
    service.next(says(503, { detail: "Service temporarily unavailable" }));
    service.next(says(404, { detail: "Job not found" }, { "X-Error-Code": "job_not_found" }));
    const gone = { status: 404, code: "job_not_found", detail: "Job not found" };
    expect(await transport.read(stowage, "job", started)).toEqual(gone);
    expect(service.calls).toHaveLength(2);
  });
});
