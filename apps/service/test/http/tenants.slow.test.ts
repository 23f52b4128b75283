import {
  listTenantsResponse,
  type ListTenantsResponse,
  type Tenant,
  tenant as tenantSchema,
  usageResponse,
  type UsageResponse,
} from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let withDefaultQuota: RunningService;
beforeAll(async () => {
  [service, withDefaultQuota] = await Promise.all([aService(), aService({ DEFAULT_QUOTA_BYTES: "5000" })]);
});
afterAll(() => Promise.all([service.close(), withDefaultQuota.close()]));

const usage = (key: string, query: Record<string, string> = {}, at: RunningService = service) =>
  call<UsageResponse>(`${at.url}/api/storage/usage/?${new URLSearchParams(query).toString()}`, { key });
const list = (key: string, query: Record<string, string> = {}, at: RunningService = service) =>
  call<ListTenantsResponse>(`${at.url}/api/storage/tenants/?${new URLSearchParams(query).toString()}`, {
    key,
  });
const setQuota = (key: string, body: object, at: RunningService = service) =>
  call<Tenant>(`${at.url}/api/storage/quota/`, { key, body, method: "PUT" });
const requestUpload = (key: string, body: object) =>
  call<{ is_new_tenant: boolean }>(`${service.url}/api/storage/upload/`, { key, body });
const noUsage = { used_bytes: 0, reserved_bytes: 0, file_count: 0 };
const noLimits = { plan: null, max_files: null, max_open_uploads: null, uploads_per_minute: null };

describe("usage", () => {
  test("contains a tenant's stored bytes, reservations, files and effective quota", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    await aStoredFile(service.url, apiKey, { tenant_id: "a", bytes: "12345" });
    await aStoredFile(service.url, apiKey, { tenant_id: "b", bytes: "123" });
    await anUpload(service.url, apiKey, { tenant_id: "a", filename: "open", size: 7 });
    const { body } = await usage(apiKey, { tenant_id: "a" });
    usageResponse.strict().parse(body);
    expect(body).toEqual({ used_bytes: 5, reserved_bytes: 7, file_count: 1, quota_bytes: 100, ...noLimits });
  });

  test("of a project is the sum of its tenants and has no quota", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    expect((await usage(apiKey)).body).toEqual({
      ...noUsage,
      ...noLimits,
      variant_bytes: 0,
      quota_bytes: null,
    });
    await aStoredFile(service.url, apiKey, { tenant_id: "a", bytes: "12345" });
    await aStoredFile(service.url, apiKey, { tenant_id: "b", bytes: "123" });
    await anUpload(service.url, apiKey, { tenant_id: "b", filename: "open", size: 7 });
    expect((await usage(apiKey)).body).toEqual({
      used_bytes: 8,
      reserved_bytes: 7,
      file_count: 2,
      variant_bytes: 0,
      quota_bytes: null,
      ...noLimits,
    });
  });

  test("of a tenant without uploads is zero and contains the quota that will apply", async () => {
    const [one, other] = await Promise.all([aProject(), aProject({ defaultQuotaBytes: 9 })]);
    await aStoredFile(service.url, one.apiKey, { tenant_id: "shared name" });
    const query = { tenant_id: "shared name" };
    expect(await usage(other.apiKey, query)).toMatchObject({
      status: 200,
      body: { ...noUsage, quota_bytes: 9 },
    });
    expect((await usage(one.apiKey, { tenant_id: "unknown" }, withDefaultQuota)).body.quota_bytes).toBe(5000);
    expect((await usage(one.apiKey, { tenant_id: "unknown" })).body.quota_bytes).toBeNull();
    expect((await list(other.apiKey)).body.tenants).toEqual([]);
  });
});

describe("limits and plans", () => {
  const put = (key: string, path: string, body: object, at: RunningService = service) =>
    call<Tenant & { detail?: string }>(`${at.url}/api/storage/${path}/`, { key, body, method: "PUT" });

  test("a plan limits its tenants, and is shown with the limits that apply", async () => {
    const { apiKey } = await aProject();
    const free = {
      name: "free",
      quota_bytes: 9,
      max_files: 1,
      max_open_uploads: null,
      uploads_per_minute: 3,
    };
    expect((await put(apiKey, "plans", free)).body).toEqual(free);
    const set = await put(apiKey, "limits", { tenant_id: "t", plan: "free" });
    const { name: plan, ...limits } = free;
    expect(set.body).toMatchObject({ tenant_id: "t", plan, quota_source: "plan", ...limits });
    expect((await list(apiKey)).body.tenants).toEqual([set.body]);
    expect((await usage(apiKey, { tenant_id: "t" })).body).toEqual({ ...noUsage, plan, ...limits });
    const admitted = await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 1 });
    expect(admitted.body.is_new_tenant).toBe(true);
    const refused = await call(`${service.url}/api/storage/upload/`, {
      key: apiKey,
      body: { tenant_id: "t", filename: "a", size: 1 },
    });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("x-error-code")).toBe("file_limit_exceeded");
    expect(refused.body).toEqual({ detail: "File limit exceeded for this tenant" });
    expect((await put(apiKey, "plans", { name: "free", max_files: 9 })).body).toEqual({
      ...free,
      max_files: 9,
    });
    await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 1 });
    const tooMany = await call(`${service.url}/api/storage/upload/`, {
      key: apiKey,
      body: { tenant_id: "t", filename: "a", size: 1 },
    });
    expect(tooMany).toMatchObject({ status: 429, body: { detail: "Too many requests" } });
    expect(Number(tooMany.headers.get("retry-after"))).toBeGreaterThan(0);
    const others = await requestUpload(apiKey, { tenant_id: "other", filename: "a", size: 1 });
    expect(others.status).toBe(200);
  });

  test.each([
    ["limits", { tenant_id: "t" }, "Say which limits to change"],
    ["limits", { max_files: 1 }, "tenant_id is required"],
    ["limits", { tenant_id: "t", max_files: -1 }, "max_files must be at least 0"],
    ["limits", { tenant_id: "t", max_files: 1.5 }, "max_files must be a whole number of files, or null"],
    ["limits", { tenant_id: "t", uploads_per_minute: 1e10 }, "uploads_per_minute must be at most 1000000000"],
    [
      "limits",
      { tenant_id: "t", plan: "Free" },
      "a plan's name has a-z, 0-9, - and _ and starts with a letter or digit",
    ],
    ["plans", { max_files: 1 }, "name is required"],
    ["plans", { name: "free", quota_bytes: "1" }, "quota_bytes must be a whole number of bytes, or null"],
  ])("%s/ refuses %j", async (path, body, detail) => {
    const { apiKey } = await aProject();
    expect(await put(apiKey, path, body)).toMatchObject({ status: 400, body: { detail } });
  });
});

describe("setting a quota", () => {
  test("returns the tenant and the source of its quota, and null restores the default", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 100 });
    await aStoredFile(service.url, apiKey, { tenant_id: "t" });
    const set = await setQuota(apiKey, { tenant_id: "t", quota_bytes: 7 });
    tenantSchema.strict().parse(set.body);
    expect(set).toMatchObject({
      status: 200,
      body: { tenant_id: "t", used_bytes: 5, file_count: 1, quota_bytes: 7, quota_source: "tenant" },
    });
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 3 })).status).toBe(403);
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 2 })).status).toBe(200);
    const back = await setQuota(apiKey, { tenant_id: "t", quota_bytes: null });
    expect(back.body).toMatchObject({ quota_bytes: 100, quota_source: "project" });
    const [keyWithoutQuota, noOwnQuota] = [(await aProject()).apiKey, { tenant_id: "t", quota_bytes: null }];
    expect((await setQuota(keyWithoutQuota, noOwnQuota, withDefaultQuota)).body).toMatchObject({
      quota_bytes: 5000,
      quota_source: "service",
    });
    expect((await setQuota(keyWithoutQuota, noOwnQuota)).body).toMatchObject({
      quota_bytes: null,
      quota_source: null,
    });
  });

  test("applies to a tenant without uploads, whose first upload still reports a new tenant once", async () => {
    const { apiKey } = await aProject({ defaultQuotaBytes: 0 });
    expect((await requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 4 })).status).toBe(403);
    expect((await setQuota(apiKey, { tenant_id: "t", quota_bytes: 40 })).status).toBe(200);
    expect((await setQuota(apiKey, { tenant_id: "t", quota_bytes: 80 })).body.quota_bytes).toBe(80);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => requestUpload(apiKey, { tenant_id: "t", filename: "a", size: 4 })),
    );
    const admitted = answers.filter((answer) => answer.status === 200);
    expect(admitted).toHaveLength(20);
    expect(admitted.filter((answer) => answer.body.is_new_tenant)).toHaveLength(1);
    const { file_path } = await anUpload(service.url, (await aProject()).apiKey, {
      tenant_id: "t",
      filename: "a",
    });
    expect(file_path.split("/")[3]).toMatch(/^[0-9A-Za-z]{22}$/);
  });

  test("does not change the tenant of the same name in another project", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    await aStoredFile(service.url, one.apiKey, { tenant_id: "same" });
    await setQuota(other.apiKey, { tenant_id: "same", quota_bytes: 1 });
    expect((await usage(one.apiKey, { tenant_id: "same" })).body.quota_bytes).toBeNull();
  });
});

describe("the list of tenants", () => {
  async function aProjectWithTenants(): Promise<{ apiKey: string; ref: string }> {
    const project = await aProject();
    await queryDatabase(
      `insert into tenants (project_id, tenant_id, ref, used_bytes, created_at)
       select id, (array['Ada', 'bob_1', 'bob%2', 'Émile', 'eve'])[i], 'r' || i, (array[5, 9, 9, 0, 7])[i], now()
       from projects, generate_series(1, 5) i where ref = $1 order by i`,
      [project.ref],
    );
    return project;
  }

  async function readAll(key: string, query: Record<string, string>, between?: () => Promise<unknown>) {
    const names: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body }: { body: ListTenantsResponse } = await list(key, {
        limit: "2",
        ...query,
        ...(cursor ? { cursor } : {}),
      });
      listTenantsResponse.strict().parse(body);
      names.push(...body.tenants.map((one) => one.tenant_id));
      cursor = body.next_cursor;
      await between?.();
    }
    return names;
  }

  test("is sorted newest first, and pages list each tenant once while others are added", async () => {
    const { apiKey } = await aProjectWithTenants();
    let added = 0;
    const add = () => setQuota(apiKey, { tenant_id: `late ${added++}`, quota_bytes: null });
    expect(await readAll(apiKey, {}, add)).toEqual(["eve", "Émile", "bob%2", "bob_1", "Ada"]);
  });

  test("can be sorted by usage, newest first among equals", async () => {
    const { apiKey } = await aProjectWithTenants();
    expect(await readAll(apiKey, { sort: "used_bytes" })).toEqual(["bob%2", "bob_1", "eve", "Ada", "Émile"]);
  });

  test.each([
    ["BOB", ["bob%2", "bob_1"]],
    ["o_", []],
    ["_", ["bob_1"]],
    ["%", ["bob%2"]],
    ["\\", []],
    ["é", ["Émile"]],
    ["", ["eve", "Émile", "bob%2", "bob_1", "Ada"]],
  ])("finds %j in any letter case and treats wildcards as plain text", async (q, names) => {
    const { apiKey } = await aProjectWithTenants();
    expect(await readAll(apiKey, { q })).toEqual(names);
    expect((await readAll(apiKey, { q, sort: "used_bytes" })).toSorted()).toEqual(names.toSorted());
  });

  test("contains only the tenants of its project", async () => {
    await aProjectWithTenants();
    expect((await list((await aProject()).apiKey)).body).toEqual({ tenants: [], next_cursor: null });
  });

  test("refuses an invalid order, limit, cursor or search text", async () => {
    const { apiKey } = await aProjectWithTenants();
    const { next_cursor } = (await list(apiKey, { limit: "1" })).body;
    const refusals: [Record<string, string>, string][] = [
      [{ sort: "size" }, "sort must be one of created_at, used_bytes"],
      [{ limit: "0" }, "limit must be at least 1"],
      [{ cursor: "zzz" }, "cursor is not valid"],
      [{ cursor: next_cursor!, sort: "used_bytes" }, "cursor is not valid"],
      [{ q: "x".repeat(256) }, "q must be at most 255 characters"],
    ];
    for (const [query, detail] of refusals) {
      expect(await list(apiKey, query)).toMatchObject({ status: 400, body: { detail } });
    }
  });
});
