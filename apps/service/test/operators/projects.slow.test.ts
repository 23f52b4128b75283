import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../fixtures/call.js";
import { aMember, anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { queryDatabase } from "../fixtures/direct-access.js";

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

const upload = (key: string) =>
  call(`${service.url}/api/storage/upload/`, { key, body: { tenant_id: "t", filename: "a.txt" } });

interface Page {
  projects: { ref: string; name: string; role: string }[];
  nextCursor: string | null;
}
interface Log {
  lines: { action: string; details: object; operatorEmail: string }[];
  nextCursor: string | null;
}
const newestLine = async (projectRef: string) =>
  (await owner.query<Log>("audit.list", { projectRef })).data.lines[0];

describe("a created project", () => {
  test("belongs to its creator, and its key works immediately", async () => {
    const { projectRef, name, apiKey } = await anOwnedProject(owner);
    expect((await owner.query("projects.read", { projectRef })).data).toMatchObject({ name, role: "owner" });
    expect((await upload(apiKey)).status).toBe(200);
    expect(await newestLine(projectRef)).toMatchObject({
      action: "project.created",
      operatorEmail: owner.email,
      details: { name },
    });
  });

  test("shows its key once: it is in no log, no later answer and no stored row", async () => {
    const { projectRef, name, apiKey } = await anOwnedProject(owner);
    const regenerated = await owner.mutate<{ apiKey: string }>("key.regenerate", { projectRef, name });
    expect(regenerated.headers.get("cache-control")).toBe("no-store");
    const later = await Promise.all([
      owner.query("projects.read", { projectRef }),
      owner.query("projects.list", {}),
      owner.query("key.describe", { projectRef }),
      owner.query("audit.list", { projectRef }),
      owner.query("session.activity", {}),
    ]);
    const kept = await queryDatabase(
      "select p::text from projects p where ref = $1 union all select a::text from audit_log a",
      [projectRef],
    );
    const seen = later.map(({ text }) => text).join("") + service.log() + JSON.stringify(kept);
    for (const key of [apiKey, regenerated.data.apiKey]) {
      expect(seen).not.toContain(key);
      expect(seen).not.toContain(key.slice(16, 40));
    }
  });

  test.each([
    [{ name: "" }, "name is required", "name"],
    [{ name: "x".repeat(101) }, "name must have at most 100 characters", "name"],
    [{ name: "\u202eturned" }, "name must not have control characters", "name"],
    [{ name: "half of a \ud83d" }, "name must be valid Unicode", "name"],
    [{ name: "a\nb" }, "name must not have control characters", "name"],
    [{ name: "x", defaultQuotaBytes: -1 }, "default quota must be at least 0 bytes", "defaultQuotaBytes"],
    [{ name: "x", maxFileBytes: 1.5 }, "maximum file size must be a whole number of bytes", "maxFileBytes"],
  ])("is refused with a message and its field for %j", async (input, detail, field) => {
    const answer = await owner.mutate("projects.create", input);
    expect(answer).toMatchObject({ status: 400, code: "invalid_request", detail });
    expect(answer.text).toContain(`"field":"${field}"`);
  });
});

test("lists only the caller's projects, newest first or by name, in pages, and finds them by a part of their name", async () => {
  const person = await anOperator(service.url);
  const tag = randomBytes(4).toString("hex");
  for (const name of ["banana", "Apple", "100% cherry"])
    await person.mutate("projects.create", { name: `${name} ${tag}` });
  const names = async (input: object) => {
    const all: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { data } = await person.query<Page>("projects.list", {
        ...input,
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      all.push(...data.projects.map(({ name }) => name.replace(` ${tag}`, "")));
      cursor = data.nextCursor;
    } while (cursor);
    return all;
  };
  expect(await names({})).toEqual(["100% cherry", "Apple", "banana"]);
  expect(await names({ order: "asc" })).toEqual(["banana", "Apple", "100% cherry"]);
  expect(await names({ sort: "name" })).toEqual(["100% cherry", "Apple", "banana"]);
  expect(await names({ sort: "name", order: "desc" })).toEqual(["banana", "Apple", "100% cherry"]);
  expect(await names({ q: "APP" })).toEqual(["Apple"]);
  expect(await names({ q: "0%" })).toEqual(["100% cherry"]);
  expect(await names({ q: "%n" })).toEqual([]);
  expect(await person.query("projects.list", { cursor: "nonsense" })).toMatchObject({ status: 400 });
  const withNull = Buffer.from(JSON.stringify(["name asc", 1, "a\0"])).toString("base64url");
  expect(await person.query("projects.list", { sort: "name", cursor: withNull })).toMatchObject({
    status: 400,
  });
  // A cursor works only in its own order.
  const { nextCursor: cursor } = (await person.query<Page>("projects.list", { limit: 1 })).data;
  expect(await person.query("projects.list", { cursor, order: "asc" })).toMatchObject({ status: 400 });
  expect((await person.query<Page>("projects.list", {})).text).not.toContain("apiKeyHash");
});

test("a list by name continues after the longest names, in any script", async () => {
  const person = await anOperator(service.url);
  for (const end of ["い", "ろ", "は"])
    await person.mutate("projects.create", { name: "名".repeat(99) + end });
  const first = await person.query<Page>("projects.list", { sort: "name", limit: 2 });
  const { nextCursor: cursor } = first.data;
  const second = await person.query<Page>("projects.list", { sort: "name", limit: 2, cursor });
  expect(second.data.projects).toHaveLength(1);
});

test("changes a name and settings, and the audit log has the previous values", async () => {
  const { projectRef, name, apiKey } = await anOwnedProject(owner);
  await owner.mutate("settings.rename", { projectRef, name: "New name" });
  expect(await newestLine(projectRef)).toMatchObject({
    action: "project.renamed",
    details: { name_before: name, name: "New name" },
  });
  const changed = await owner.mutate("settings.update", {
    projectRef,
    requireSize: true,
    defaultQuotaBytes: 10,
  });
  expect(changed.data).toMatchObject({ name: "New name", requireSize: true, defaultQuotaBytes: 10 });
  expect(await newestLine(projectRef)).toMatchObject({
    action: "project.settings_changed",
    details: {
      requireSize_before: false,
      requireSize: true,
      defaultQuotaBytes_before: null,
      defaultQuotaBytes: 10,
    },
  });
  expect((await upload(apiKey)).body.detail).toBe("size is required");
  expect(await owner.mutate("settings.update", { projectRef })).toMatchObject({
    status: 400,
    detail: "Say what to change",
  });
  expect((await owner.mutate("settings.update", { projectRef, defaultQuotaBytes: null })).data).toMatchObject(
    {
      defaultQuotaBytes: null,
      requireSize: true,
    },
  );
});

describe("a key", () => {
  test("is described by its first and last characters, and the times of its creation and last use", async () => {
    const flushing = await aService();
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const describeKey = async () =>
      (await owner.query<{ lastUsedAt: string | null }>("key.describe", { projectRef })).data;
    expect(await describeKey()).toMatchObject({
      start: apiKey.slice(0, 14),
      last4: apiKey.slice(-4),
      lastUsedAt: null,
    });
    await call(`${flushing.url}/api/storage/upload/`, {
      key: apiKey,
      body: { tenant_id: "t", filename: "a" },
    });
    await flushing.close(); // flushes what it has counted
    const { lastUsedAt } = await describeKey();
    expect(Date.now() - Date.parse(lastUsedAt!)).toBeLessThan(60_000);
  });

  test("is replaced after the project's name is typed: the old key gets 401 immediately, on every replica", async () => {
    const other = await aService();
    const { projectRef, name, apiKey } = await anOwnedProject(owner);
    expect(await owner.mutate("key.regenerate", { projectRef, name: `${name} ` })).toMatchObject({
      status: 400,
      code: "name_mismatch",
    });
    expect((await upload(apiKey)).status).toBe(200);
    const answer = await owner.mutate<{ apiKey: string }>("key.regenerate", { projectRef, name });
    const onOther = await call(`${other.url}/api/storage/files/`, { key: apiKey });
    await other.close();
    expect([(await upload(apiKey)).status, onOther.status]).toEqual([401, 401]);
    expect((await upload(answer.data.apiKey)).status).toBe(200);
    expect((await owner.query("key.describe", { projectRef })).data).toMatchObject({ lastUsedAt: null });
    expect(await newestLine(projectRef)).toMatchObject({ action: "key.regenerated" });
  });

  test("does not change if its audit entry cannot be written", async () => {
    const { projectRef, name, apiKey } = await anOwnedProject(owner);
    const refuse = `refuse_${randomBytes(4).toString("hex")}`;
    await queryDatabase(
      `create function ${refuse}() returns trigger language plpgsql as $$ begin
         if new.action = 'key.regenerated' and new.project_id = (select id from projects where ref = '${projectRef}')
         then raise 'no'; end if; return new; end $$`,
      [],
    );
    await queryDatabase(
      `create trigger ${refuse} before insert on audit_log for each row execute function ${refuse}()`,
      [],
    );
    const answer = await owner.mutate("key.regenerate", { projectRef, name });
    await queryDatabase(`drop function ${refuse} cascade`, []);
    expect(answer).toMatchObject({ status: 500, code: "internal_error", detail: "Internal error" });
    expect(answer.text).not.toMatch(/audit_log|stack|node_modules/);
    expect((await upload(apiKey)).status).toBe(200);
  });
});

describe("a deleted project", () => {
  test("disappears for everyone immediately after its name is typed", async () => {
    const { projectRef, name, apiKey } = await anOwnedProject(owner);
    const viewer = await aMember(service.url, projectRef, "viewer");
    const wrong = await owner.mutate("projects.delete", { projectRef, name: name.toUpperCase() });
    expect(wrong).toMatchObject({ status: 400, code: "name_mismatch" });
    expect((await upload(apiKey)).status).toBe(200);
    expect((await owner.mutate("projects.delete", { projectRef, name })).status).toBe(200);
    expect((await upload(apiKey)).status).toBe(401);
    for (const person of [owner, viewer]) {
      expect((await person.query("projects.read", { projectRef })).status).toBe(404);
      expect((await person.query("projects.list", { q: name })).text).not.toContain(projectRef);
    }
    expect(await owner.mutate("key.regenerate", { projectRef, name })).toMatchObject({ status: 404 });
    expect(await owner.mutate("projects.delete", { projectRef, name })).toMatchObject({ status: 404 });
    const activity = await owner.query<Log>("session.activity", {});
    expect(activity.data.lines[0]).toMatchObject({
      action: "project.deleted",
      details: { name, ref: projectRef },
    });
  });
});

test("lists the audit log in pages, newest first", async () => {
  const { projectRef } = await anOwnedProject(owner);
  for (let i = 1; i <= 4; i++) await owner.mutate("settings.rename", { projectRef, name: `name ${i}` });
  const first = (await owner.query<Log>("audit.list", { projectRef, limit: 3 })).data;
  const second = (await owner.query<Log>("audit.list", { projectRef, limit: 3, cursor: first.nextCursor }))
    .data;
  expect([...first.lines, ...second.lines].map(({ details }) => (details as { name: string }).name)).toEqual([
    "name 4",
    "name 3",
    "name 2",
    "name 1",
    expect.stringMatching(/^test/),
  ]);
  expect(second.nextCursor).toBeNull();
});

test.each([
  ["beyond the times that PostgreSQL knows", ["audit", 8_000_000_000_000_000, 1]],
  ["beyond the times that JavaScript knows", ["audit", Number.MAX_SAFE_INTEGER, 1]],
  [
    "beyond the times that JavaScript knows, for a previous page",
    ["before audit", Number.MAX_SAFE_INTEGER, 1],
  ],
])("refuses a made-up cursor of the audit log: a time %s", async (_time, position) => {
  const { projectRef } = await anOwnedProject(owner);
  const cursor = Buffer.from(JSON.stringify(position)).toString("base64url");
  const answer = await owner.query("audit.list", { projectRef, cursor });
  expect(answer).toMatchObject({ status: 400, code: "invalid_request" });
});

test("finds audit entries by action, person, day and a text in their details", async () => {
  const { projectRef, apiKey } = await anOwnedProject(owner);
  const member = await aMember(service.url, projectRef, "member");
  const file = await aStoredFile(service.url, apiKey, { tenant_id: "acme", filename: "Invoice 7.pdf" });
  await aStoredFile(service.url, apiKey, { tenant_id: "other" });
  const { data } = await owner.query<{ files: { id: number; path: string }[] }>("files.list", { projectRef });
  for (const { id } of data.files) await member.mutate("files.delete", { projectRef, fileIds: [id] });
  const find = async (filter: object) => {
    const answer = await owner.query<Log>("audit.list", { projectRef, ...filter });
    return answer.data.lines.map(({ action, details }) => [action, (details as { path?: string }).path]);
  };
  const deleted = ["file.deleted", file.file_path];
  expect(await find({ q: "invoice 7" })).toEqual([deleted]);
  expect(await find({ q: "ACME" })).toEqual([deleted]);
  expect(await find({ q: "filename" })).toEqual([]);
  expect(await find({ action: "project.created" })).toEqual([["project.created", undefined]]);
  const { id: operatorId } = (await member.query<{ id: string }>("session.me")).data;
  expect(await find({ operatorId })).toHaveLength(2);
  expect(await find({ operatorId, q: "invoice", action: "file.deleted" })).toEqual([deleted]);
  expect(await find({ operatorId: "nobody" })).toEqual([]);
  expect(await find({ to: "2020-01-01" })).toEqual([]);
  expect(await find({ from: "2020-01-01" })).toHaveLength(3);
  expect(await owner.query("audit.list", { projectRef, from: "2020-01-02", to: "2020-01-01" })).toMatchObject(
    {
      status: 400,
      detail: "from must not be after to",
    },
  );
});

test("has no next page after an audit page that ends with the last line", async () => {
  const { projectRef } = await anOwnedProject(owner);
  await owner.mutate("settings.rename", { projectRef, name: "another name" });
  const readPage = async (limit: number) =>
    (await owner.query<Log>("audit.list", { projectRef, limit })).data;
  expect(await readPage(2)).toMatchObject({ lines: [{}, {}], nextCursor: null });
  expect(await readPage(1)).toMatchObject({ lines: [{}], nextCursor: expect.any(String) });
});

test("several calls of one page are sent as one request", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const input = encodeURIComponent(
    JSON.stringify({ 0: {}, 1: { projectRef }, 2: { projectRef: "nothere" } }),
  );
  const answer = await owner.query(`session.activity,projects.read,key.describe?batch=1&input=${input}`);
  expect(answer.status).toBe(207);
  expect(answer.text).toContain(projectRef);
  expect(answer.text).toContain('"code":"not_found"');
  const paths = Array<string>(21).fill("session.me").join(",");
  expect(await owner.query(`${paths}?batch=1`)).toMatchObject({ status: 400 });
});

test("answers an unknown call, a body that is not JSON and a body that is too large with the catalogue's errors", async () => {
  expect(await owner.query("projects.nothing")).toMatchObject({ status: 404, code: "not_found" });
  expect(await owner.mutate("projects.create", { name: "x".repeat(70_000) })).toMatchObject({ status: 413 });
  const broken = await fetch(`${service.url}/trpc/setup.finish`, {
    method: "POST",
    headers: { Origin: "http://dashboard.test", "Content-Type": "application/json" },
    body: "{",
  });
  expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining("invalid_json")]);
});
