import { browserUploadRequest, parse, uploadRequest } from "@stowage/schemas";
import { tryItTenantId } from "@stowage/operator-schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUnbatchedAdmit } from "#files/upload/admit-uploads.js";
import { requestUpload } from "#files/upload/request-upload.js";
import { tryUpload } from "#files/upload/try-upload.js";
import { aMember, anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call } from "../fixtures/call.js";
import { aWorld } from "../fixtures/a-world.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

interface Ticket {
  presigned_url: string;
  file_path: string;
  headers: Record<string, string>;
  expires_in: number;
  max_bytes: number;
}
interface Line {
  action: string;
  operatorEmail: string;
  details: Record<string, unknown>;
}

const request = (person: Person, projectRef: string, file: object = {}) =>
  person.mutate<Ticket>("tryIt.request", { projectRef, filename: "hello.txt", size: 6, ...file });
const complete = (person: Person, projectRef: string, file_path: string) =>
  person.mutate<{ status: string; size: number }>("tryIt.complete", { projectRef, file_path });
const put = async ({ presigned_url, headers }: Ticket, body = "hello\n") =>
  (await fetch(presigned_url, { method: "PUT", headers, body })).status;
const uploadLines = async (projectRef: string) =>
  (await owner.query<{ lines: Line[] }>("audit.list", { projectRef })).data.lines.filter(({ action }) =>
    action.startsWith("file."),
  );
const filesOf = (projectRef: string) =>
  queryDatabase(
    `select t.tenant_id, t.used_bytes::int as used, t.reserved_bytes::int as reserved, f.filename, f.status
     from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
     join projects p on p.id = f.project_id where p.ref = $1 order by f.id`,
    [projectRef],
  );

test("a member uploads without an API key as the dashboard's tenant, and the audit log names the member", async () => {
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const member = await aMember(service.url, projectRef, "member");

  const asked = await request(member, projectRef);
  expect(asked.status).toBe(200);
  const { presigned_url, ...upload } = asked.data;
  expect(upload).toEqual({
    file_path: expect.stringMatching(new RegExp(`^projects/${projectRef}/tenants/.*_hello\\.txt$`)),
    content_type: "text/plain",
    headers: { "Content-Type": "text/plain" },
    expires_at: expect.any(String),
    expires_in: expect.any(Number),
    max_bytes: 6,
  });
  expect(upload.expires_in).toBeGreaterThan(3590);
  expect(await put(asked.data)).toBe(200);
  expect((await complete(member, projectRef, upload.file_path)).data).toEqual({
    file_path: upload.file_path,
    filename: "hello.txt",
    content_type: "text/plain",
    size: 6,
    status: "stored",
    etag: expect.any(String),
    scan_status: "none",
    created_at: expect.any(String),
    stored_at: expect.any(String),
  });

  expect(await filesOf(projectRef)).toEqual([
    { tenant_id: tryItTenantId, used: 6, reserved: 0, filename: "hello.txt", status: "stored" },
  ]);
  expect(await uploadLines(projectRef)).toMatchObject([
    {
      action: "file.upload_requested",
      operatorEmail: member.email,
      details: { filename: "hello.txt", size: 6, file_path: upload.file_path },
    },
  ]);
  // Customers see a normal file.
  const seen = await call(
    `${service.url}/api/storage/file/?file_path=${encodeURIComponent(upload.file_path)}`,
    {
      key: apiKey,
      method: "GET",
    },
  );
  expect(seen.body).toMatchObject({ tenant_id: tryItTenantId, status: "stored" });
  const log = service.log();
  expect(log).not.toContain(new URL(presigned_url).searchParams.get("X-Amz-Signature"));
});

test("applies quota, maximum size and required size, and a refused upload leaves no file and no audit entry", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const updateSettings = (settings: object) => owner.mutate("settings.update", { projectRef, ...settings });

  await updateSettings({ defaultQuotaBytes: 10, requireSize: true, maxFileBytes: 8 });
  expect(await request(owner, projectRef, { size: 9 })).toMatchObject({
    status: 400,
    code: "file_too_large",
  });
  expect(await request(owner, projectRef, { size: undefined })).toMatchObject({ code: "size_required" });
  expect(await filesOf(projectRef)).toEqual([]);
  expect(await uploadLines(projectRef)).toEqual([]);

  const answers = await Promise.all([1, 2, 3, 4].map(() => request(owner, projectRef, { size: 5 })));
  expect(answers.map(({ status, code }) => code ?? status).sort()).toEqual([
    200,
    200,
    "quota_exceeded",
    "quota_exceeded",
  ]);
  expect(await filesOf(projectRef)).toMatchObject([{ reserved: 10 }, { reserved: 10 }]);
  expect(await uploadLines(projectRef)).toHaveLength(2);
});

test("refuses to complete an upload of a customer's user, or a missing file", async () => {
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const theirs = await anUpload(service.url, apiKey, { tenant_id: "user_42", filename: "a.txt" });
  expect(await complete(owner, projectRef, theirs.file_path)).toMatchObject({
    status: 404,
    code: "file_not_found",
  });
  const asked = await request(owner, projectRef);
  expect(await complete(owner, projectRef, asked.data.file_path)).toMatchObject({
    status: 409,
    code: "upload_not_found",
  });
});

test("refuses a file without a name", async () => {
  const { projectRef } = await anOwnedProject(owner);
  expect(await request(owner, projectRef, { filename: "" })).toMatchObject({
    status: 400,
    detail: "filename is required",
  });
});

test("refuses an upload to a project that is deleted in the meantime", async () => {
  const world = await aWorld();
  const { id: projectId } = await world.project();
  const input = parse(uploadRequest, { tenant_id: "t", filename: "a.txt" });
  const deps = { ...world.deps, admit: createUnbatchedAdmit(world.deps.db) };
  expect(await requestUpload(deps, { projectId }, input)).toMatchObject({ tenantId: "t" });
  await world.rows("update projects set deleted_at = now() where id = $1", [projectId]);
  await expect(requestUpload(deps, { projectId }, input)).rejects.toMatchObject({ code: "not_found" });
  await world.close();
});

test("does not admit an upload if its audit entry cannot be written", async () => {
  const world = await aWorld();
  const { id, ref } = await world.project();
  const invalidCaller = {
    operator: { id: "nobody", email: null as unknown as string },
    project: { id, ref },
  };
  const by = { ...invalidCaller, client: { ipAddress: "127.0.0.1", userAgent: "" } };
  const input = parse(browserUploadRequest, { filename: "a.txt", size: 6 });
  await expect(tryUpload(world.deps, by, input)).rejects.toThrow();
  expect(await world.tenant({ id }, tryItTenantId)).toBeUndefined();
  await world.close();
});

test("answers too many calls from one address with too_many_requests and the seconds to wait", async () => {
  const strict = await aService({ RATE_LIMIT_PER_MINUTE: "3" });
  const person = await anOperator(strict.url);
  const asked = () => person.mutate("tryIt.request", { projectRef: "nothere" });
  const codes = [await asked(), await asked(), await asked()].map(({ code }) => code);
  expect(codes).toEqual(["not_found", "not_found", "not_found"]);
  const refused = await asked();
  expect(refused).toMatchObject({ status: 429, code: "too_many_requests" });
  expect(refused.text).toMatch(/"retryAfterSeconds":[1-9]\d?[,}]/);
  // Another address is not affected.
  expect((await (await anOperator(strict.url)).query("session.me")).status).toBe(200);
  await strict.close();
});
