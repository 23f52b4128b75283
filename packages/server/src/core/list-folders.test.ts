import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aFileAnswer, aService, says, type FakeService } from "@stowage/service-fake";
import type { FolderContext } from "../index.js";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  service.calls.length = 0;
  service.files.length = 0;
});

const refused = {
  status: 403,
  code: "folder_refused",
  detail: "Folders cannot be used here: allowFolders does not allow it",
};
const folderOf = (folder: string) => ({ folder, file_count: 2, used_bytes: 24 });
const aPage = (...names: string[]) => says(200, { folders: names.map(folderOf), next_cursor: "more" });

describe.each(transports)("over $name, folders", (transport) => {
  test("are refused by default, and in a list of files", async () => {
    const stowage = aStowage(service, { allowList: true });
    expect(await transport.read(stowage, "folders")).toEqual(refused);
    for (const folder of ["", "reports"]) {
      expect(await transport.read(stowage, "list", { folder })).toEqual(refused);
    }
    expect(service.calls).toEqual([]);
  });

  test("require a session, and a name that can be one", async () => {
    const stowage = aStowage(service, { allowFolders: true, allowList: true });
    expect((await transport.read(stowage, "folders", {}, { "X-Test-User": "" })).status).toBe(401);
    for (const name of ["../a", "a//b", "/", "."]) {
      expect(await transport.read(stowage, "folders", { parent: name })).toMatchObject({ status: 400 });
      expect(await transport.read(stowage, "list", { folder: name })).toMatchObject({ status: 400 });
    }
    expect(service.calls).toEqual([]);
  });

  test("are those of the user in the folder, page by page", async () => {
    service.next(aPage("reports/2025", "reports/2026"));
    const query = { parent: "reports", limit: "2", cursor: "start", tenant_id: "user_grace" };
    expect(await transport.read(aStowage(service, { allowFolders: true }), "folders", query)).toEqual({
      status: 200,
      body: { folders: ["reports/2025", "reports/2026"].map(folderOf), next_cursor: "more" },
    });
    const sent = new URL(service.calls[0]!.path, service.url);
    expect(Object.fromEntries(sent.searchParams)).toEqual({
      tenant_id: "user_ada",
      parent: "reports",
      limit: "2",
      cursor: "start",
    });
  });

  test("asks allowFolders about the folder and about each one in it", async () => {
    const asked: FolderContext[] = [];
    const allowFolders = (context: FolderContext) => {
      asked.push(context);
      return context.folder !== "secret";
    };
    const stowage = aStowage(service, { allowFolders, allowList: true });
    service.next(aPage("public", "secret"));
    const { body } = await transport.read(stowage, "folders");
    expect(body).toEqual({ folders: [folderOf("public")], next_cursor: "more" });
    expect(asked.map(({ folder, tenantId }) => [folder, tenantId])).toEqual([
      ["", "user_ada"],
      ["public", "user_ada"],
      ["secret", "user_ada"],
    ]);
    service.calls.length = 0;
    expect(await transport.read(stowage, "folders", { parent: "secret" })).toEqual(refused);
    expect(await transport.read(stowage, "list", { folder: "secret" })).toEqual(refused);
    expect(service.calls).toEqual([]);
  });

  test("filter a list of files, without telling the folder of each file", async () => {
    for (const folder of ["", "reports"]) {
      const file = aFileAnswer({ file_path: `projects/p/${folder}`, tenant_id: "user_ada" });
      service.files.push({ ...file, folder });
    }
    const stowage = aStowage(service, { allowFolders: true, allowList: true });
    for (const folder of ["", "reports"]) {
      const { body } = await transport.read(stowage, "list", { folder });
      expect(body).toMatchObject({ files: [{ file_path: `projects/p/${folder}` }], next_cursor: null });
      expect(JSON.stringify(body)).not.toContain("folder");
    }
  });
});
