import type {
  CreateLinkResponse,
  DeleteResponse,
  DeleteTenantResponse,
  ExportLine,
  File,
} from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, readCounters } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, type Answer, call } from "../fixtures/call.js";

/*
 * Expiry, trash, hold, and the deletion and export of tenants as a customer's backend sees them: status, detail and X-Error-Code.
 */
let service: RunningService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service.close());

async function aCustomer(settings: Parameters<typeof aProject>[0] = { trashDays: 30 }) {
  const { apiKey: key, ref } = await aProject(settings);
  return { ref, key, ...callsWith(key) };
}

function callsWith(key: string) {
  const post = <Body = { detail: string }>(path: string, body: object) =>
    call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
  return {
    post,
    get: <Body = { detail: string }>(path: string, query: Record<string, string>) =>
      call<Body>(`${service.url}/api/storage/${path}/?${new URLSearchParams(query).toString()}`, { key }),
    store: (body = {}) => aStoredFile(service.url, key, body),
    remove: (body: object) => post<DeleteResponse>("delete", body),
  };
}

const refusal = ({ status, headers, body }: Answer) => [status, headers.get("x-error-code"), body];
const notFound = [404, "file_not_found", { detail: "File not found" }];
const onHold = [409, "file_on_hold", { detail: "File is on hold" }];

describe("expires_after", () => {
  test.each([60, 315_360_000])("of %j seconds counts from the request", async (expires_after) => {
    const { key, store, get } = await aCustomer();
    const file = await store({ expires_after });
    const ends = Date.parse(file.created_at) + expires_after * 1000;
    expect(Math.abs(Date.parse(file.expires_at!) - ends)).toBeLessThan(15_000);
    const { file_path } = await anOpenUpload(service.url, key, {
      tenant_id: "t",
      filename: "b",
      expires_after,
    });
    expect((await get<File>("file", { file_path })).body.expires_at).toBeDefined();
  });
});

describe("a file in the trash", () => {
  test("is unreachable for all calls, is listed as trashed, counts, and comes back", async () => {
    const { ref, remove, store, get, post } = await aCustomer();
    const { file_path } = await store();
    expect(await remove({ file_path })).toMatchObject({ status: 200, body: { deleted: [file_path] } });
    for (const path of ["download", "complete", "delete"]) {
      expect(refusal(await post(path, { file_path }))).toEqual(notFound);
    }
    expect(refusal(await get("file", { file_path }))).toEqual(notFound);
    expect((await get<{ files: File[] }>("files", {})).body.files).toEqual([]);
    const trashed = (await get<{ files: File[] }>("files", { status: "trashed" })).body.files;
    expect(trashed).toMatchObject([{ file_path, status: "trashed", purge_at: expect.any(String) as string }]);
    expect((await readCounters(ref)).counted).toEqual({ used: 5, reserved: 0, files: 1 });
    const restored = await post<File>("restore", { file_path, tenant_id: "t" });
    expect(restored).toMatchObject({ status: 200, body: { file_path, status: "stored" } });
    expect(restored.body).not.toHaveProperty("purge_at");
    expect((await post("download", { file_path })).status).toBe(200);
  });

  test("restore answers 404 for unknown, stored, and another owner's files, and a list names them", async () => {
    const { store, remove, post } = await aCustomer();
    const [stored, trashed] = [await store(), await store()];
    await remove({ file_path: trashed.file_path });
    const other = await aCustomer();
    const { file_path } = trashed;
    for (const body of [
      { file_path: "unknown" },
      { file_path: stored.file_path },
      { file_path, tenant_id: "u" },
    ]) {
      expect(refusal(await post("restore", body))).toEqual(notFound);
    }
    expect(refusal(await other.post("restore", { file_path }))).toEqual(notFound);
    expect(await post("restore", { file_paths: [file_path, stored.file_path, "unknown"] })).toMatchObject({
      status: 200,
      body: { restored: [file_path], not_found: [stored.file_path, "unknown"] },
    });
    expect((await post("restore", {})).status).toBe(400);
    expect((await post("restore", { file_path, file_paths: [file_path] })).status).toBe(400);
  });

  test("is deleted for good with purge, as is a file that is not in the trash", async () => {
    const { ref, store, remove, post } = await aCustomer();
    const [trashed, stored] = [await store(), await store()];
    await remove({ file_path: trashed.file_path });
    const file_paths = [trashed.file_path, stored.file_path];
    const foreign = await aCustomer();
    expect((await foreign.remove({ file_paths, purge: true })).body.not_found).toEqual(file_paths);
    expect((await remove({ file_paths, purge: true })).body).toEqual({ deleted: file_paths, not_found: [] });
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 0, files: 0 });
    expect(refusal(await post("restore", { file_path: trashed.file_path }))).toEqual(notFound);
    expect((await remove({ file_path: "x", purge: "yes" })).status).toBe(400);
  });
});

describe("a file on hold", () => {
  let owner: Person;
  beforeAll(async () => void (owner = await anOperator(service.url)));

  test("is neither deleted nor purged, is named in on_hold, and keeps its project", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const { post, remove, store } = callsWith(apiKey);
    const [{ file_path }, free] = [await store(), await store()];
    expect((await post<File>("hold", { file_path, tenant_id: "t", hold: true })).body.hold).toBe(true);
    for (const purge of [false, true]) {
      expect(refusal(await remove({ file_path, purge }))).toEqual(onHold);
    }
    expect((await remove({ file_paths: [file_path, free.file_path] })).body).toEqual({
      deleted: [free.file_path],
      not_found: [],
      on_hold: [file_path],
    });
    expect(refusal(await post("tenants/delete", { tenant_id: "t" }))).toEqual(onHold);
    const { projects } = (
      await owner.query<{ projects: { ref: string; name: string }[] }>("projects.list", {})
    ).data;
    const { name } = projects.find(({ ref }) => ref === projectRef)!;
    expect(await owner.mutate("projects.delete", { projectRef, name })).toMatchObject({
      status: 409,
      code: "file_on_hold",
    });
    expect((await post<File>("hold", { file_path, hold: false })).body).not.toHaveProperty("hold");
    expect((await remove({ file_path })).status).toBe(200);
  });

  test("hold answers 404 for unknown and another owner's files, and holds an upload before its bytes arrive", async () => {
    const { key, store, post } = await aCustomer();
    const { file_path } = await store();
    const hold = (body: object) => post("hold", { hold: true, ...body });
    expect(refusal(await hold({ file_path: "unknown" }))).toEqual(notFound);
    expect(refusal(await hold({ file_path, tenant_id: "u" }))).toEqual(notFound);
    expect(refusal(await (await aCustomer()).post("hold", { file_path, hold: true }))).toEqual(notFound);
    const pending = await anUpload(service.url, key, { tenant_id: "t", filename: "a" });
    expect(await hold({ file_path: pending.file_path })).toMatchObject({
      status: 200,
      body: { status: "pending", hold: true },
    });
    expect(refusal(await post("cancel", { file_path: pending.file_path }))).toEqual(onHold);
    expect(refusal(await post("hold", { file_path }))).toEqual([
      400,
      "invalid_request",
      { detail: "hold is required" },
    ]);
  });
});

const noTenant = [404, "tenant_not_found", { detail: "Tenant not found" }];

describe("a tenant", () => {
  test("is deleted with its files, also those in the trash, and is unknown afterwards", async () => {
    const { ref, store, remove, post } = await aCustomer();
    await store();
    await remove({ file_path: (await store()).file_path });
    const removeTenant = () => post<DeleteTenantResponse>("tenants/delete", { tenant_id: "t" });
    expect(await removeTenant()).toMatchObject({
      status: 200,
      body: { tenant_id: "t", remaining_files: 0 },
    });
    expect(refusal(await removeTenant())).toEqual(noTenant);
    expect((await readCounters(ref)).counted).toEqual({ used: 0, reserved: 0, files: 0 });
    expect((await store()).status).toBe("stored");
  });

  test("that is being deleted refuses uploads until nothing of it is left", async () => {
    const { key, store, post } = await aCustomer();
    await store();
    const withoutStorage = await aService({ S3_ENDPOINT: "http://127.0.0.1:1", S3_TIMEOUT_MS: "500" });
    const url = `${withoutStorage.url}/api/storage/tenants/delete/`;
    const removeTenant = () => call<DeleteTenantResponse>(url, { key, body: { tenant_id: "t" } });
    for (const answer of [await removeTenant(), await removeTenant()]) {
      expect(answer).toMatchObject({ status: 200, body: { tenant_id: "t", remaining_files: 1 } });
    }
    await withoutStorage.close();
    expect(refusal(await post("upload", { tenant_id: "t", filename: "a" }))).toEqual([
      409,
      "tenant_being_deleted",
      { detail: "Tenant is being deleted" },
    ]);
  });

  test("is exported as lines, and the export continues after a cursor", async () => {
    const { key, store, remove, post } = await aCustomer();
    const [first, trashed] = [await store(), await store()];
    await remove({ file_path: trashed.file_path });
    const lines = async (query: Record<string, string>) => {
      const url = `${service.url}/api/storage/tenants/export/?${new URLSearchParams(query).toString()}`;
      const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
      const text = await response.text();
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as ExportLine);
    };
    const link = { file_path: first.file_path, password: "correct horse" };
    const { link_id, url } = (await post<CreateLinkResponse>("links", link)).body;
    const all = await lines({ tenant_id: "t" });
    expect(JSON.stringify(all)).not.toContain(url.slice(-22));
    expect(all).toMatchObject([
      { type: "tenant", tenant_id: "t", file_count: 2 },
      { type: "file", file_path: first.file_path, presigned_url: expect.stringMatching(/^http/) as string },
      { type: "file", file_path: trashed.file_path, presigned_url: null },
      { type: "link", link_id, file_path: first.file_path, has_password: true },
      { type: "end", files: 2, links: 1 },
    ]);
    const { cursor } = all[1] as Extract<ExportLine, { type: "file" }>;
    expect(await lines({ tenant_id: "t", after: cursor })).toMatchObject([
      { type: "file", file_path: trashed.file_path },
      { type: "link", link_id },
      { type: "end", files: 1, links: 1 },
    ]);
  });

  test("of another project is neither deleted nor exported, and a wrong cursor is refused", async () => {
    const { store, get } = await aCustomer();
    await store();
    const other = await aCustomer();
    expect(refusal(await other.post("tenants/delete", { tenant_id: "t" }))).toEqual(noTenant);
    expect(refusal(await other.get("tenants/export", { tenant_id: "t" }))).toEqual(noTenant);
    const wrong = await get("tenants/export", { tenant_id: "t", after: "eA" });
    expect(refusal(wrong).slice(0, 2)).toEqual([400, "invalid_request"]);
  });
});
