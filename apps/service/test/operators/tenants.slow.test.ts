import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aMember, anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile, deliver } from "../fixtures/a-stored-file.js";
import { anUpload, call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService({ DEFAULT_QUOTA_BYTES: "5000" });
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

interface Tenant {
  tenantId: string;
  quotaBytes: number | null;
}
interface Page {
  tenants: Tenant[];
  nextCursor: string | null;
}

/** Creates a project with tenants in list order, each with its used bytes. */
async function aProjectOf(tenants: [name: string, usedBytes: number][]) {
  const project = await anOwnedProject(owner);
  await queryDatabase(
    `insert into tenants (project_id, tenant_id, used_bytes, created_at)
     select p.id, t->>0, (t->>1)::bigint, now() from projects p, jsonb_array_elements($2::text::jsonb) t where ref = $1`,
    [project.projectRef, JSON.stringify(tenants)],
  );
  return project;
}

describe("the list of tenants", () => {
  const names = async (projectRef: string, query: object) => {
    const all: string[] = [];
    let cursor: string | null = null;
    do {
      const input: object = { projectRef, limit: 2, ...query, ...(cursor ? { cursor } : {}) };
      const answer = await owner.query<Page>("tenants.list", input);
      expect(answer.status).toBe(200);
      all.push(...answer.data.tenants.map(({ tenantId }) => tenantId));
      cursor = answer.data.nextCursor;
    } while (cursor);
    return all.join(" ");
  };

  test("sorts by age, usage or name in both directions, and pages list each tenant once", async () => {
    const { projectRef } = await aProjectOf([
      ["m", 1],
      ["b", 5],
      ["x", 3],
      ["a", 5],
      ["k", 0],
    ]);
    expect(await names(projectRef, {})).toBe("k a x b m");
    expect(await names(projectRef, { sort: "created_at", order: "asc" })).toBe("m b x a k");
    expect(await names(projectRef, { sort: "used_bytes" })).toBe("a b x m k");
    expect(await names(projectRef, { sort: "used_bytes", order: "asc" })).toBe("k m x b a");
    expect(await names(projectRef, { sort: "tenant_id" })).toBe("a b k m x");
    expect(await names(projectRef, { sort: "tenant_id", order: "desc" })).toBe("x m k b a");
  });

  test("by name starts again at the first page if the tenant at which a page ends was deleted", async () => {
    const { projectRef } = await aProjectOf([
      ["a", 0],
      ["b", 0],
      ["c", 0],
    ]);
    const input = { projectRef, sort: "tenant_id", limit: 2 };
    const { data: first } = await owner.query<Page>("tenants.list", input);
    await owner.mutate("tenants.delete", { projectRef, tenantId: "b", confirmation: "b" });
    const { data } = await owner.query<Page>("tenants.list", { ...input, cursor: first.nextCursor });
    expect(data.tenants.map(({ tenantId }) => tenantId)).toEqual(["a", "c"]);
  });

  test("finds tenants in any letter case and every order, with any number of others between the matches", async () => {
    const { projectRef } = await aProjectOf([["ONE", 0]]);
    await queryDatabase(
      `insert into tenants (project_id, tenant_id, created_at)
       select p.id, case when i = 10500 then 'then one%' else 'other ' || i end, now()
       from projects p, generate_series(1, 21000) i where ref = $1`,
      [projectRef],
    );
    expect(await names(projectRef, { q: "one", sort: "created_at" })).toBe("then one% ONE");
    expect(await names(projectRef, { q: "one", sort: "tenant_id" })).toBe("ONE then one%");
    expect(await names(projectRef, { q: "One", sort: "used_bytes", order: "asc" })).toBe("ONE then one%");
    expect(await names(projectRef, { q: "%" })).toBe("then one%");
  });

  test("refuses a cursor of another order, and lists no tenant of another project", async () => {
    const { projectRef } = await aProjectOf([
      ["a", 1],
      ["b", 2],
    ]);
    const { data } = await owner.query<Page>("tenants.list", { projectRef, limit: 1 });
    const cursor = data.nextCursor!;
    for (const other of [{ order: "asc" }, { sort: "used_bytes" }, { sort: "tenant_id" }])
      expect(await owner.query("tenants.list", { projectRef, cursor, ...other })).toMatchObject({
        status: 400,
        code: "invalid_request",
      });
    const empty = await anOwnedProject(owner);
    expect((await owner.query<Page>("tenants.list", { projectRef: empty.projectRef })).data).toEqual({
      tenants: [],
      previousCursor: null,
      nextCursor: null,
      isBackward: false,
    });
  });
});

describe("a tenant", () => {
  test("shows its usage, its quota and the default quota of its project", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await aStoredFile(service.url, apiKey, { tenant_id: "a / b", bytes: "12345" });
    await anUpload(service.url, apiKey, { tenant_id: "a / b", filename: "open", size: 7 });
    const answer = await owner.query("tenants.read", { projectRef, tenantId: "a / b" });
    expect(answer.data).toEqual({
      tenantId: "a / b",
      usedBytes: 5,
      reservedBytes: 7,
      fileCount: 1,
      quotaBytes: 5000,
      quotaSource: "service",
      plan: null,
      maxFiles: null,
      maxOpenUploads: null,
      uploadsPerMinute: null,
      own: { quotaBytes: null, maxFiles: null, maxOpenUploads: null, uploadsPerMinute: null },
      defaults: { quotaBytes: 5000, maxFiles: null, maxOpenUploads: null, uploadsPerMinute: null },
      createdAt: expect.any(String),
    });
  });

  test("is not found if it does not exist or belongs to another project", async () => {
    const { projectRef } = await aProjectOf([]);
    await aProjectOf([["elsewhere", 1]]);
    expect(await owner.query("tenants.read", { projectRef, tenantId: "elsewhere" })).toMatchObject({
      status: 404,
      code: "tenant_not_found",
      detail: "Tenant not found",
    });
  });
});

const noDownloads = { downloadsSigned: 0, bytesSigned: 0, bytesDelivered: null };

test("usage per day has the tenant's downloads, and knows of a day with a log that the tenant got nothing", async () => {
  const replica = await aService();
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const { file_path } = await aStoredFile(replica.url, apiKey, { tenant_id: "t", bytes: "12345" });
  await aStoredFile(replica.url, apiKey, { tenant_id: "idle", bytes: "1" });
  for (let times = 0; times < 2; times++)
    expect(
      await call(`${replica.url}/api/storage/download/`, { key: apiKey, body: { file_path } }),
    ).toMatchObject({ status: 200 });
  // A replica writes its counts when it stops.
  await replica.close();
  await deliver(projectRef, { t: 300 });
  const lastTwo = async (tenantId: string) =>
    (await owner.query<object[]>("tenants.usagePerDay", { projectRef, tenantId, days: 7 })).data.slice(-2);
  expect(await lastTwo("t")).toMatchObject([
    noDownloads,
    { downloadsSigned: 2, bytesSigned: 10, bytesDelivered: 300 },
  ]);
  expect(await lastTwo("idle")).toMatchObject([noDownloads, { ...noDownloads, bytesDelivered: 0 }]);
});

test("usage per day ends with today's usage and subtracts later changes for earlier days", async () => {
  const { projectRef, apiKey } = await anOwnedProject(owner);
  await aStoredFile(service.url, apiKey, { tenant_id: "t", bytes: "12345" });
  await aStoredFile(service.url, apiKey, { tenant_id: "t", bytes: "123" });
  await aStoredFile(service.url, apiKey, { tenant_id: "other", bytes: "1" });
  // Moves some of the usage two days back, and records a delete for yesterday.
  await queryDatabase(
    `with t as (update tenants set used_bytes = used_bytes + 60 where tenant_id = 't'
                and project_id = (select id from projects where ref = $1) returning project_id, id)
     insert into usage_daily select project_id, id, (now() at time zone 'UTC')::date - ago, up, up_bytes, down, down_bytes
     from t, (values (2, 2, 100, 0, 0), (1, 0, 0, 1, 40)) as d (ago, up, up_bytes, down, down_bytes)`,
    [projectRef],
  );
  const { data } = await owner.query<object[]>("tenants.usagePerDay", { projectRef, tenantId: "t", days: 7 });
  expect(data).toHaveLength(7);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  expect(data.slice(-4)).toEqual([
    { day: day(3), uploads: 0, uploadedBytes: 0, usedBytes: 0, ...noDownloads },
    { day: day(2), uploads: 2, uploadedBytes: 100, usedBytes: 100, ...noDownloads },
    { day: day(1), uploads: 0, uploadedBytes: 0, usedBytes: 60, ...noDownloads },
    { day: day(0), uploads: 2, uploadedBytes: 8, usedBytes: 68, ...noDownloads },
  ]);
  const unknownTenant = { projectRef, tenantId: "nobody", days: 7 };
  expect(await owner.query("tenants.usagePerDay", unknownTenant)).toMatchObject({
    status: 404,
    code: "tenant_not_found",
  });
  expect(await owner.query("tenants.usagePerDay", { ...unknownTenant, days: 8 })).toMatchObject({
    status: 400,
  });
});

describe("a quota", () => {
  const ask = (key: string, size: number) =>
    call(`${service.url}/api/storage/upload/`, { key, body: { tenant_id: "t", filename: "a", size } });

  test("set by a member refuses the next upload above it, and the audit log has the previous quota", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const member = await aMember(service.url, projectRef, "member");
    await aStoredFile(service.url, apiKey, { tenant_id: "t", bytes: "12345" });
    const set = await member.mutate("tenants.setLimits", { projectRef, tenantId: "t", quotaBytes: 7 });
    expect(set.data).toMatchObject({ usedBytes: 5, quotaBytes: 7, quotaSource: "tenant" });
    expect([(await ask(apiKey, 3)).status, (await ask(apiKey, 2)).status]).toEqual([403, 200]);
    await member.mutate("tenants.setLimits", { projectRef, tenantId: "t", quotaBytes: null });
    const read = await owner.query("tenants.read", { projectRef, tenantId: "t" });
    expect(read.data).toMatchObject({ quotaBytes: 5000, quotaSource: "service" });
    const { data } = await owner.query<{ lines: object[] }>("audit.list", { projectRef });
    expect(data.lines.slice(0, 2)).toMatchObject([
      { details: { tenantId: "t", quotaBytes_before: 7, quotaBytes: null } },
      {
        action: "tenant.quota_changed",
        operatorEmail: member.email,
        details: { tenantId: "t", quotaBytes_before: null, quotaBytes: 7 },
      },
    ]);
  });

  test("can be set before the first upload", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    await owner.mutate("tenants.setLimits", { projectRef, tenantId: "t", quotaBytes: 1 });
    expect((await ask(apiKey, 2)).status).toBe(403);
    expect(await owner.query("tenants.read", { projectRef, tenantId: "t" })).toMatchObject({
      data: { usedBytes: 0, quotaBytes: 1, own: { quotaBytes: 1 }, defaults: { quotaBytes: 5000 } },
    });
  });

  test.each([
    [{ quotaBytes: -1 }, "quota must be at least 0 bytes"],
    [{ quotaBytes: 1.5 }, "quota must be a whole number of bytes"],
    [{}, "Say which limits to change"],
    [{ maxFiles: 1.5 }, "files must be a whole number of files"],
    [{ plan: "Pro" }, "a plan's name has a-z, 0-9, - and _ and starts with a letter or digit"],
    [{ tenantId: "", quotaBytes: 1 }, "tenant_id is required"],
  ])("is refused for %j", async (input, detail) => {
    const { projectRef } = await anOwnedProject(owner);
    expect(await owner.mutate("tenants.setLimits", { projectRef, tenantId: "t", ...input })).toMatchObject({
      status: 400,
      detail,
    });
  });
});
