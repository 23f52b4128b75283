import { execFileSync } from "node:child_process";
import { chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@stowage/dev-postgres";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { composeDatabaseCommands } from "@stowage/service/src/compose-cli.js";
import { readDatabaseConfig } from "@stowage/service/src/config.js";
import { migrate } from "@stowage/service/src/db/migrate.js";
import { createProject } from "@stowage/service/src/projects/create-project.js";
import { aService } from "@stowage/service/test/fixtures/a-service.js";
import { aStoredFile } from "@stowage/service/test/fixtures/a-stored-file.js";
import { call } from "@stowage/service/test/fixtures/call.js";

const DISK_BYTES = 4 * 1024 ** 2;

test("with a full disk, uploads get 503, reads continue, and /readyz gives the reason until there is space", async () => {
  const dir = await mkdtemp(join(tmpdir(), "stowage-disk-full-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const server = await startPostgres({ dir: join(dir, "postgres") });
  onTestFinished(() => server.stop());
  const disk = await mountDisk(dir);
  await migrate(server.url, 10_000);
  const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
  onTestFinished(() => sql.end());
  // Only this table and its indexes are on the small disk, so PostgreSQL can still write its log and does not stop.
  await sql.unsafe(`create tablespace small location '${disk}'`);
  await sql.unsafe("alter table files set tablespace small");
  const commands = composeDatabaseCommands(readDatabaseConfig({ DATABASE_URL: server.url }));
  const { apiKey: key } = await createProject(commands.deps, { name: "disk full" }).finally(commands.close);
  const service = await aService({ DATABASE_URL: server.url });
  onTestFinished(() => service.close());
  const { file_path } = await aStoredFile(service.url, key);
  const upload = () =>
    call(`${service.url}/api/storage/upload/`, {
      key,
      body: { tenant_id: "t", filename: `${"n".repeat(250)}.txt` },
    });

  const filler = join(disk, "filler");
  expect(() => writeFileSync(filler, Buffer.alloc(DISK_BYTES))).toThrow("ENOSPC");
  // The last page of the table may have space for some rows.
  await expect.poll(async () => (await upload()).status, { timeout: 30_000, interval: 0 }).toBe(503);
  expect(await call(`${service.url}/readyz`)).toMatchObject({
    status: 503,
    body: { detail: "Not ready: the disk of the database is full" },
  });
  expect((await call(`${service.url}/api/storage/download/`, { key, body: { file_path } })).status).toBe(200);

  rmSync(filler);
  expect((await upload()).status).toBe(200);
  await expect
    .poll(async () => (await call(`${service.url}/readyz`)).status, { timeout: 45_000, interval: 500 })
    .toBe(200);
}, 120_000);

/** Mounts a small disk in memory, which belongs to PostgreSQL's user. */
async function mountDisk(dir: string): Promise<string> {
  const disk = join(dir, "disk");
  await mkdir(disk);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", disk]);
  onTestFinished(() => void execFileSync("umount", [disk]));
  const { uid, gid } = statSync(join(dir, "postgres", "cluster", "data"));
  chownSync(disk, uid, gid);
  return disk;
}
