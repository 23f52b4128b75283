import { writeFile } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aProcess } from "../fixtures/a-process.js";
import { stowage } from "../fixtures/command-line.js";
import { twoStorages } from "../fixtures/two-storages.js";

let installation: Awaited<ReturnType<typeof twoStorages>>;
beforeAll(async () => {
  installation = await twoStorages();
});
afterAll(() => installation.close());

test("a service that lacks the storage of a project does not start, and says which", async () => {
  const { settings, content, dir } = installation;
  const created = await stowage(["project", "create", "Harbour", "--storage", "us"], settings);
  expect(created.code).toBe(0);
  const refused = await stowage(["project", "create", "Harbour", "--storage", "mars"], settings);
  expect([refused.code, refused.stderr]).toEqual([1, "There is no storage of this name. It has eu, us\n"]);
  const start = (more: Record<string, string>) =>
    aProcess({ ...inject("servers"), ...settings, PORT: "0", ...more });
  await writeFile(`${dir}/less.json`, JSON.stringify({ ...content, us: undefined }));
  await expect(start({ STORAGES_FILE: `${dir}/less.json` })).rejects.toThrow(
    "A project uses the storage us, and STORAGES_FILE does not have it.",
  );
  await expect(start({ STORAGES_FILE: "" })).rejects.toThrow(
    "A project uses the storage us, and STORAGES_FILE is not set.",
  );
  const running = await start({});
  await running.kill();
  // The other storage of a project that moves.
  const sql = postgres(installation.databaseUrl, { max: 1 });
  await sql`
    insert into storage_moves (project_id, from_storage, to_storage, state, state_since, runner_until)
    select id, 'us', 'ap', 'copying', now(), now() from projects`;
  await sql.end();
  await expect(start({})).rejects.toThrow(
    "A project uses the storage ap, and STORAGES_FILE does not have it.",
  );
});
