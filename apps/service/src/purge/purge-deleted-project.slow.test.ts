import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deleteFiles } from "#files/delete/delete-files.js";
import { deleteProject } from "./delete-project.js";
import { aWorld, put, type World } from "../../test/fixtures/a-world.js";
import { listStoredObjects } from "../../test/fixtures/direct-access.js";
import { purgeDeletedProject } from "./purge-deleted-project.js";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
beforeEach(async () => {
  world = await aWorld();
});
afterEach(() => world.close());

const caller = {
  operator: { id: "o", email: "o@example.com" },
  client: { ipAddress: "192.0.2.1", userAgent: "a test" },
};

async function aProjectWithFiles(count: number) {
  const project = await world.project({ name: "old" });
  const uploads = [];
  for (let i = 0; i < count; i++) {
    const upload = await world.upload(project, {
      tenant_id: `t${i % 3}`,
      filename: `${randomBytes(3).toString("hex")}.txt`,
    });
    await put(upload, "bytes");
    uploads.push(upload);
  }
  await world.complete(project, uploads[0]!.filePath);
  return { project, uploads, prefix: `projects/${project.ref}/` };
}

async function purgeAll(deps: Parameters<typeof purgeDeletedProject>[0] = world.deps) {
  while (await purgeDeletedProject(deps, { afterProject: 0 })) continue;
}

const projectRows = () => world.rows<{ ref: string }>("select ref from projects");

test("removes the objects of a deleted project, and its rows once no URL can be valid; other projects keep theirs", async () => {
  const { project, uploads, prefix } = await aProjectWithFiles(5);
  const other = await aProjectWithFiles(2);
  await world.rows(`insert into log_deliveries select project_id, 'a log', id, now(), 5 from tenants`);
  // This file leaves a history, which is deleted with the project.
  const paths = [uploads[1]!.filePath];
  await deleteFiles(world.deps, project, { paths, mustExist: true, tenantId: undefined });
  await deleteProject(world.deps, { ...caller, project }, { name: "old" });
  await purgeAll();
  expect((await listStoredObjects(prefix)).size).toBe(0);
  expect((await listStoredObjects(other.prefix)).size).toBe(2);
  expect(await projectRows()).toHaveLength(2);

  // The sweeper removes an object that an old URL wrote.
  world.advance(2 * MINUTE);
  await world.sweep();
  await purgeAll();
  expect(await projectRows()).toHaveLength(2);

  for (let hours = 0; hours < 60; hours += 6) {
    world.advance(DAY / 4);
    await world.sweep();
    await purgeAll();
  }
  expect(await projectRows()).toEqual([{ ref: other.project.ref }]);
  for (const table of ["tenants", "usage_daily", "project_usage_daily", "log_deliveries"]) {
    const projects = await world.rows(`select distinct project_id as id from ${table}`);
    expect([table, projects]).toEqual([table, [{ id: other.project.id }]]);
  }
  expect(await world.rows("select action from audit_log")).toEqual([{ action: "project.deleted" }]);
  expect(world.failures).toEqual([]);
});

test("a replayed URL of a deleted project leaves no object", async () => {
  const { project, uploads, prefix } = await aProjectWithFiles(1);
  await deleteProject(world.deps, { ...caller, project }, { name: "old" });
  await purgeAll();
  await put(uploads[0]!, "again");
  expect((await listStoredObjects(prefix)).size).toBe(1);
  world.advance(15 * MINUTE);
  await world.sweep();
  expect((await listStoredObjects(prefix)).size).toBe(0);
});

test("the next purge continues one that died in the middle", async () => {
  const { project, prefix } = await aProjectWithFiles(6);
  await deleteProject(world.deps, { ...caller, project }, { name: "old" });
  let removed = 0;
  const dying = {
    ...world.deps,
    store: {
      ...world.deps.store,
      remove: async (path: string) => {
        if (removed++ === 2) throw new Error("killed");
        await world.deps.store.remove(path);
      },
    },
  };
  await expect(purgeDeletedProject(dying, { afterProject: 0 })).rejects.toThrow("killed");
  expect((await listStoredObjects(prefix)).size).toBeGreaterThan(0);
  // No replica claims the project before the lease ends. Any replica may claim it afterwards.
  expect(await purgeDeletedProject(world.deps, { afterProject: 0 })).toBe(false);
  world.advance(2 * MINUTE);
  await purgeAll();
  await world.sweep();
  expect((await listStoredObjects(prefix)).size).toBe(0);
  const counters = await world.rows("select used_bytes, reserved_bytes, file_count from tenants");
  expect(new Set(counters.map((row) => JSON.stringify(row)))).toEqual(
    new Set([JSON.stringify({ used_bytes: 0, reserved_bytes: 0, file_count: 0 })]),
  );
});

test("several replicas can purge the same project at the same time", async () => {
  const { project, prefix } = await aProjectWithFiles(6);
  await deleteProject(world.deps, { ...caller, project }, { name: "old" });
  await Promise.all([purgeAll(), purgeAll(), purgeAll()]);
  expect((await listStoredObjects(prefix)).size).toBe(0);
});

test("removes an upload that was admitted just before the project was deleted", async () => {
  const { project, prefix } = await aProjectWithFiles(1);
  const { rows } = world;
  await deleteProject(world.deps, { ...caller, project }, { name: "old" });
  await purgeAll();
  // The admission statement started before the delete and writes after it.
  const path = `${prefix}late`;
  await rows(
    `insert into files (project_id, tenant, path, filename, content_type, url_expires_at, created_at, next_check_at)
     select project_id, id, '${path}', 'late', 'text/plain', now() + interval '1 hour', now(), now() from tenants
     where project_id = $1 limit 1`,
    [project.id],
  );
  world.advance(2 * MINUTE);
  await purgeAll();
  await world.sweep();
  expect(
    await rows("select * from files where project_id = $1 and status <> 'deleting'", [project.id]),
  ).toEqual([]);
});
