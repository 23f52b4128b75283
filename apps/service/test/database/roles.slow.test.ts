import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { composeDatabaseCommands } from "#compose-cli.js";
import { readDatabaseConfig } from "#config.js";
import { migrate } from "#db/migrate.js";
import { createProject } from "#projects/create-project.js";
import { anOwnedProject, anOperator } from "../fixtures/a-person.js";
import { aProcess, type ServiceProcess } from "../fixtures/a-process.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { listStoredObjects } from "../fixtures/direct-access.js";

/*
 * Runs the SQL of docs/database.md, with other names, and then the whole service as the role that may only read and write rows.
 */
const suffix = randomBytes(6).toString("hex");
const names = { owner: `owner_${suffix}`, app: `app_${suffix}`, database: `roles_${suffix}` };
const guide = readFileSync(new URL("../../../../docs/database.md", import.meta.url), "utf8");
const [asAdministrator = "", asOwner = "", forOldDatabase = ""] = [
  ...guide.matchAll(/^```sql\n(.*?)^```/gms),
].map(([, sql]) =>
  sql!
    .replaceAll("stowage_owner", names.owner)
    .replaceAll("stowage_app", names.app)
    .replaceAll(/database stowage\b/g, `database ${names.database}`),
);

function urlOf(user: string, password: string): string {
  const url = new URL(inject("servers").DATABASE_URL);
  return Object.assign(url, { username: user, password, pathname: `/${names.database}` }).href;
}
const ownerUrl = urlOf(names.owner, "secret-of-the-owner");
const appUrl = urlOf(names.app, "secret-of-the-service");

/** Runs statements one by one, because some may not be in a transaction with others. */
async function runSql(url: string, text: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    for (const statement of text.split(/;\n/)) if (statement.trim()) await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

let service: ServiceProcess | undefined;
const start = (settings: Record<string, string> = {}) =>
  aProcess({ ...inject("servers"), PORT: "0", DATABASE_URL: appUrl, SWEEP_INTERVAL_MS: "200", ...settings });

beforeAll(async () => {
  await runSql(inject("servers").DATABASE_URL, asAdministrator);
  await runSql(ownerUrl, asOwner);
});
afterAll(async () => {
  await service?.kill();
  await runSql(
    inject("servers").DATABASE_URL,
    `drop database ${names.database} with (force);\ndrop role ${names.owner};\ndrop role ${names.app}`,
  );
});

describe("a role that may only read and write rows", () => {
  test("cannot start the service on an empty database, and the sentence says who can", async () => {
    const failure = await start().catch((error: Error) => error.message);
    expect(failure).toContain(
      `and the user ${names.app} may not change it. Run stowage migrate with the owner's URL in MIGRATION_DATABASE_URL.`,
    );
    expect(failure).not.toContain("secret-of");
  });

  test("runs the whole life of the service after the owner has migrated", { timeout: 540_000 }, async () => {
    await migrate(ownerUrl, 60_000);
    service = await start({ DASHBOARD_URL: "http://dashboard.test", TRUSTED_PROXIES: "127.0.0.1" });
    const { url } = service;
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    // The dashboard: sign in, create a project, look at it.
    const operator = await anOperator(url, { isAdmin: true, databaseUrl: appUrl });
    const { projectRef, name, apiKey: key } = await anOwnedProject(operator);
    expect((await operator.query("projects.list", {})).status).toBe(200);

    // A file: upload, complete, list, download, delete.
    const bytes = Buffer.from("hello");
    const upload = await anUpload(url, key, { tenant_id: "t", filename: "a.txt", size: bytes.length });
    expect(await putBytes(upload, bytes)).toBe(200);
    const file = { file_path: upload.file_path };
    expect((await call(`${url}/api/storage/complete/`, { key, body: file })).status).toBe(200);
    expect((await call(`${url}/api/storage/files/`, { key })).body).toMatchObject({ files: [file] });
    expect((await call(`${url}/api/storage/download/`, { key, body: file })).status).toBe(200);
    expect((await call(`${url}/api/storage/usage/`, { key })).body).toMatchObject({ used_bytes: 5 });
    const quota = { tenant_id: "t", quota_bytes: 1000 };
    expect((await call(`${url}/api/storage/quota/`, { method: "PUT", key, body: quota })).status).toBe(200);
    expect((await call(`${url}/api/storage/delete/`, { key, body: file })).status).toBe(200);

    // The jobs: the sweeper records an upload without a completion call, and the purge removes a deleted project's files.
    const unreported = await anUpload(url, key, { tenant_id: "t", filename: "b.txt", size: bytes.length });
    expect(await putBytes(unreported, bytes)).toBe(200);
    const readFile = () => call(`${url}/api/storage/file/?file_path=${unreported.file_path}`, { key });
    await expect.poll(readFile).toMatchObject({ body: { status: "stored" } });
    expect((await operator.mutate("projects.delete", { projectRef, name })).status).toBe(200);
    await expect.poll(() => listStoredObjects(`projects/${projectRef}/`)).toEqual(new Map());
    expect(service.output()).not.toMatch(/permission denied|42501/);
  });

  test("runs commands of the command line", async () => {
    const { deps, close } = composeDatabaseCommands(
      readDatabaseConfig({ ...inject("servers"), DATABASE_URL: appUrl }),
    );
    try {
      expect(await createProject(deps, { name: "by the command line" })).toHaveProperty("apiKey");
    } finally {
      await close();
    }
  });

  test.each([
    "drop table files",
    "alter table files add column more text",
    "truncate files",
    "create table public.more (id int)",
    "create schema more",
    "delete from drizzle.__drizzle_migrations",
    `grant ${names.owner} to ${names.app}`,
  ])("may not: %s", async (statement) => {
    await expect(runSql(appUrl, statement)).rejects.toMatchObject({ code: "42501" });
  });

  test("reads and writes the tables of later migrations without a new GRANT", async () => {
    await runSql(
      ownerUrl,
      "create table later (id int generated always as identity, old_id serial, name text)",
    );
    const changes = "insert into later (name) values ('a');\nupdate later set name = 'b';\ndelete from later";
    await expect(runSql(appUrl, changes)).resolves.toBeUndefined();
  });

  test("gets its rights on a database that one role has used so far", async () => {
    await runSql(ownerUrl, `revoke all on all tables in schema public from ${names.app}`);
    await expect(runSql(appUrl, "select id from files")).rejects.toMatchObject({ code: "42501" });
    await runSql(ownerUrl, forOldDatabase);
    await runSql(appUrl, "select id from files");
  });
});
