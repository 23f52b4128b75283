import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DeletedFileIds } from "#files/delete/delete-selection.js";
import { aMember, anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, readCounters } from "../fixtures/a-stored-file.js";
import { anUpload, call } from "../fixtures/call.js";
import { queryDatabase, readStoredObject } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

const nothing = { used: 0, reserved: 0, files: 0 };
const remove = (person: Person, projectRef: string, fileIds: unknown) =>
  person.mutate<DeletedFileIds>("files.delete", { projectRef, fileIds });
const linesOf = async (projectRef: string) => {
  const { data } = await owner.query<{ lines: { action: string; details: object; operatorEmail: string }[] }>(
    "audit.list",
    { projectRef },
  );
  return data.lines.filter(({ action }) => action === "file.deleted");
};
async function idOf(path: string): Promise<number> {
  const [row] = await queryDatabase<{ id: number }>("select id::float8 as id from files where path = $1", [
    path,
  ]);
  return row!.id;
}

describe("files that an operator deletes", () => {
  test("disappear everywhere immediately, and the audit log names the operator and the files", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const member = await aMember(service.url, projectRef, "member");
    const { file_path } = await aStoredFile(service.url, apiKey, { bytes: "away" });
    const kept = await aStoredFile(service.url, apiKey, { bytes: "kept!" });
    const fileId = await idOf(file_path);
    const answer = await remove(member, projectRef, [fileId]);
    expect(answer.data).toEqual({ deleted: [fileId], notFound: [], onHold: [] });
    expect((await readCounters(projectRef)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
    expect(await readStoredObject(file_path)).toBeNull();
    expect(await readStoredObject(kept.file_path)).not.toBeNull();
    const download = await call(`${service.url}/api/storage/download/`, { key: apiKey, body: { file_path } });
    expect(download.status).toBe(404);
    expect(await member.query("files.read", { projectRef, fileId })).toMatchObject({
      code: "file_not_found",
    });
    expect((await member.query("files.history", { projectRef, fileId })).text).toContain(member.email);
    expect(await linesOf(projectRef)).toMatchObject([
      {
        operatorEmail: member.email,
        details: { filename: "a.txt", tenantId: "t", path: file_path, size: 4 },
      },
    ]);
  });

  test("cannot be deleted again: nothing changes, and the audit log gets no line", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const { file_path } = await aStoredFile(service.url, apiKey);
    const pending = await anUpload(service.url, apiKey, { tenant_id: "t", filename: "b", size: 7 });
    const fileIds = [await idOf(pending.file_path), await idOf(file_path)];
    expect((await remove(owner, projectRef, [...fileIds, ...fileIds])).data).toEqual({
      deleted: fileIds,
      notFound: [],
      onHold: [],
    });
    expect((await remove(owner, projectRef, fileIds)).data).toEqual({
      deleted: [],
      notFound: fileIds,
      onHold: [],
    });
    expect(await readCounters(projectRef)).toEqual({ counted: nothing, rows: nothing });
    expect(await linesOf(projectRef)).toMatchObject([
      { details: { filename: "b", path: pending.file_path, size: null } },
      { details: { filename: "a.txt", path: file_path, size: 5 } },
    ]);
  });

  test("are counted once if 20 calls delete them at the same time", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const { file_path } = await aStoredFile(service.url, apiKey);
    const fileId = await idOf(file_path);
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(owner, projectRef, [fileId])));
    expect(answers.flatMap(({ data }) => data.deleted)).toEqual([fileId]);
    expect(await readCounters(projectRef)).toEqual({ counted: nothing, rows: nothing });
    expect(await linesOf(projectRef)).toHaveLength(1);
  });

  test("must belong to the project", async () => {
    const [one, other] = [await anOwnedProject(owner), await anOwnedProject(owner)];
    const { file_path } = await aStoredFile(service.url, one.apiKey);
    const fileId = await idOf(file_path);
    expect((await remove(owner, other.projectRef, [fileId])).data).toEqual({
      deleted: [],
      notFound: [fileId],
      onHold: [],
    });
    expect(await readStoredObject(file_path)).not.toBeNull();
    expect((await readCounters(one.projectRef)).counted.files).toBe(1);
  });

  test("can be 1,000 files of many tenants, and the audit log names each of them", async () => {
    const { projectRef } = await anOwnedProject(owner);
    await queryDatabase(
      `insert into tenants (project_id, tenant_id, ref, used_bytes, file_count, created_at)
       select id, 'bulk ' || i, 'bulk' || i, 100, 10, now() from projects, generate_series(1, 100) i where ref = $1`,
      [projectRef],
    );
    const seeded = await queryDatabase<{ id: number }>(
      `insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
       select p.id, t.id, 'bulk/' || p.ref || '/' || i, 'x', 'text/plain', 10, 'stored', now() - interval '2 days', now()
       from projects p, generate_series(1, 1000) i join tenants t on t.tenant_id = 'bulk ' || (1 + i % 100)
       where p.ref = $1 and t.project_id = p.id returning id::float8 as id`,
      [projectRef],
    );
    const fileIds = seeded.map(({ id }) => id);
    expect((await remove(owner, projectRef, fileIds)).data).toEqual({
      deleted: fileIds,
      notFound: [],
      onHold: [],
    });
    expect(await readCounters(projectRef)).toEqual({ counted: nothing, rows: nothing });
    const [count] = await queryDatabase<{ files: number; tenants: number }>(
      `select count(distinct details ->> 'path')::int as files, count(distinct details ->> 'tenantId')::int as tenants
       from audit_log join projects p on p.id = project_id where p.ref = $1 and action = 'file.deleted'`,
      [projectRef],
    );
    expect(count).toEqual({ files: 1000, tenants: 100 });
    const history = await owner.query("files.history", { projectRef, fileId: fileIds[500] });
    expect(history.text).toContain(owner.email);
  });

  test.each([
    [[], "fileIds must have at least 1 id"],
    [Array.from({ length: 1001 }, (_, i) => i + 1), "fileIds must have at most 1000 ids"],
    [["1"], "fileId must be a file's id"],
    [undefined, "fileIds must be a list of ids"],
  ])("are refused with a message for %j", async (fileIds, detail) => {
    const { projectRef } = await anOwnedProject(owner);
    expect(await remove(owner, projectRef, fileIds)).toMatchObject({ status: 400, detail });
  });
});
