import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SignPartsResponse } from "@stowage/schemas";
import { expect, inject, onTestFinished, test } from "vitest";
import { migrate } from "@stowage/service/src/db/migrate.js";
import { type Acknowledged, startLoad } from "@stowage/service/test/faults/load.js";
import { aBucket } from "@stowage/service/test/fixtures/a-bucket.js";
import { aProcess } from "@stowage/service/test/fixtures/a-process.js";
import { aReceiver } from "@stowage/service/test/fixtures/a-receiver.js";
import { anOpenUpload, anUpload, type Answer, call, putBytes } from "@stowage/service/test/fixtures/call.js";
import { aBackedUpDatabase } from "./a-backed-up-database.js";

const CLI = fileURLToPath(new URL("../../apps/service/dist/cli.js", import.meta.url));
/** Uploads that the load completes in each section of the story. `UPLOADS=2000 npx pnpm lab restore` is the long version. */
const UPLOADS = Number(process.env["UPLOADS"] ?? 30);
const bytes = (text: string) => new TextEncoder().encode(text);

interface Project {
  project_ref: string;
  api_key: string;
}

test(
  "a database that was restored to a moment gets back every file that storage has, and no deleted one",
  { timeout: 300_000 + UPLOADS * 2000 },
  async () => {
    const database = await aBackedUpDatabase();
    onTestFinished(() => database.close());
    const receiver = await aReceiver();
    onTestFinished(() => receiver.close());
    const settings = {
      ...inject("servers"),
      DATABASE_URL: database.url,
      S3_BUCKET: await aBucket(),
      SIGN_IN_SECRET: randomBytes(24).toString("hex"),
      WEBHOOK_ALLOW_PRIVATE: "true",
      RATE_LIMIT_PER_MINUTE: "0",
      SWEEP_INTERVAL_MS: "200",
      PORT: "0",
    };
    const stowage = (...args: string[]) => runCli(settings, args);
    await migrate(database.url, 10_000);
    let service = await aProcess(settings);
    onTestFinished(() => service.kill());
    const ask = <Body>(key: string, verb: string, body: object): Promise<Answer<Body>> =>
      call<Body>(`${service.url}/api/storage/${verb}/`, { key, body });
    const done = async (key: string, verb: string, body: object) =>
      expect((await ask(key, verb, body)).status).toBe(200);
    const store = async (key: string, tenant_id = "t") => {
      const upload = await anUpload(service.url, key, { tenant_id, filename: "a.txt", size: 5 });
      expect(await putBytes(upload, bytes("12345"))).toBe(200);
      await done(key, "complete", { file_path: upload.file_path });
      return upload.file_path;
    };
    const aProject = async (name: string, ...options: string[]) =>
      (await stowage("project", "create", name, "--trash-days", "0", ...options)).lines[0] as Project;
    const statusOf = async (key: string, path: string) => {
      const file = `${service.url}/api/storage/file/?file_path=${encodeURIComponent(path)}`;
      const { status, body } = await call<{ status?: string; size?: number }>(file, { key });
      return status === 200 ? [body.status, body.size] : [status];
    };
    const download = async (key: string, file_path: string) =>
      (await ask(key, "download", { file_path })).status;

    const busy = await aProject("busy");
    const cases = await aProject("cases");
    await stowage("project", "set", cases.project_ref, "--trash-days", "30", "--scan", "external");
    await stowage("webhook", "create", receiver.url, "--project", busy.project_ref, "--events", "all");
    let key = cases.api_key;
    const load = startLoad(() => service.url, busy.api_key);
    await load.completesMore(UPLOADS);
    const [backupMs] = await timed(() => database.backUp("full"));
    await load.completesMore(UPLOADS);

    // What the moment finds.
    const [clean, verdictLater, trashedLater, purgedLater] = [
      await store(key),
      await store(key),
      await store(key),
      await store(key),
    ];
    const report = (file_path: string, verdict: string) => done(key, "scan-result", { file_path, verdict });
    for (const path of [clean, trashedLater, purgedLater]) await report(path, "clean");
    const putLater = await anUpload(service.url, key, { tenant_id: "t", filename: "late.txt", size: 5 });
    const { file_path: partsLater } = await anOpenUpload(service.url, key, {
      tenant_id: "t",
      filename: "film.mp4",
      size: 5,
    });
    const signPart = async (file_path: string) =>
      (await ask<SignPartsResponse>(key, "uploads/parts", { file_path, parts: [{ number: 1 }] })).body
        .parts[0]!;
    const part = await signPart(partsLater);
    const moment = await database.moment();
    const before = new Map(load.acknowledged.completed);

    // What happens after it. The restored database will not know it.
    await load.completesMore(UPLOADS);
    expect(await putBytes(putLater, bytes("12345"))).toBe(200);
    expect(await putBytes(part, bytes("12345"))).toBe(200);
    await done(key, "complete", { file_path: partsLater });
    await report(verdictLater, "infected");
    await done(key, "delete", { file_path: trashedLater });
    await done(key, "delete", { file_path: purgedLater, purge: true });
    const ofNewTenant = await store(key, "new tenant");
    const { file_path: unfinished } = await anOpenUpload(service.url, key, {
      tenant_id: "t",
      filename: "b.mp4",
      size: 5,
    });
    await signPart(unfinished);
    const oldKey = key;
    key = ((await stowage("project", "regenerate-key", cases.project_ref)).lines[0] as Project).api_key;
    const youngProject = await aProject("young");
    const ofYoungProject = await store(youngProject.api_key);
    await database.archive();
    await load.completesMore(UPLOADS);
    await load.stop();
    const all = load.acknowledged;
    expect(all.wrong).toEqual([]);
    await service.kill();
    await database.destroy();

    const [restoreMs] = await timed(() => database.restore(moment));
    const eventsBefore = receiver.received.length;

    // The steps of docs/backup.md.
    await stowage("operator", "end-sessions", "--all");
    await stowage("project", "create", "young", "--ref", youngProject.project_ref);
    const owners = await aFile(
      [ofNewTenant, ofYoungProject]
        .map((path, index) => `${path.split("/")[3]} ${["new tenant", "t"][index]}\n`)
        .join(""),
    );
    const found = await stowage("reconcile", "--after-restore");
    const [reconcileMs, repaired] = await timed(() =>
      stowage("reconcile", "--repair", "--after-restore", "--owners", owners),
    );
    const kinds = countBy(found.lines.slice(0, -1) as { drift: string }[], ({ drift }) => drift);
    expect(repaired.lines.at(-1)).toMatchObject({ summary: { left: 0 } });
    expect({ code: repaired.code, again: await stowage("reconcile") }).toMatchObject({
      code: 0,
      again: { code: 0, lines: [{ summary: { drifts: 0 } }] },
    });
    const again = (await stowage("project", "regenerate-key", youngProject.project_ref)).lines[0] as Project;
    service = await aProcess(settings);

    // What the customers see.
    const lost = [];
    for (const [path, size] of all.completed) {
      if (all.deleteTried.has(path)) continue;
      const status = await statusOf(busy.api_key, path);
      if (status[0] !== "stored" || status[1] !== size) lost.push({ path, size, status });
    }
    expect(lost).toEqual([]);
    const back = [];
    for (const path of all.deleted) if ((await download(busy.api_key, path)) !== 404) back.push(path);
    expect(back).toEqual([]);
    expect(await expiredEvents(receiver.received.slice(eventsBefore), all)).toEqual([]);

    expect((await ask(key, "download", { file_path: clean })).status).toBe(401);
    key = oldKey;
    expect(await statusOf(key, clean)).toEqual(["stored", 5]);
    const revoked = key;
    key = ((await stowage("project", "regenerate-key", cases.project_ref)).lines[0] as Project).api_key;
    expect(await statusOf(revoked, clean)).toEqual([401]);
    expect(await download(key, clean)).toBe(200);
    for (const path of [verdictLater, putLater.file_path, partsLater, ofNewTenant]) {
      expect(await statusOf(key, path)).toEqual(["stored", 5]);
      const refused = await ask(key, "download", { file_path: path });
      expect(refused.headers.get("x-error-code")).toBe("file_not_scanned");
    }
    expect(await statusOf(again.api_key, ofYoungProject)).toEqual(["stored", 5]);
    expect(await statusOf(key, trashedLater)).toEqual(["stored", 5]);
    expect(await statusOf(key, purgedLater)).toEqual(["expired", null]);
    expect(await download(key, purgedLater)).toBe(404);
    expect(await statusOf(key, unfinished)).toEqual([404]);
    expect(await stowage("reconcile")).toMatchObject({ code: 0 });
    console.log(
      JSON.stringify({
        files: { before: before.size, all: all.completed.size, deleted: all.deleted.size },
        found: kinds,
        seconds: { backup: backupMs / 1000, restore: restoreMs / 1000, reconcile: reconcileMs / 1000 },
      }),
    );
  },
);

/** A deleted file did not expire. An upload that was never completed may. */
async function expiredEvents(received: { body: string }[], { completed }: Acknowledged): Promise<string[]> {
  return received
    .map(({ body }) => JSON.parse(body) as { type: string; data: { file_path?: string } })
    .filter(({ type, data }) => type === "file.expired" && completed.has(data.file_path ?? ""))
    .map(({ data }) => data.file_path!);
}

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [Math.round(performance.now() - start), result];
}

function countBy<Item>(items: Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + 1;
  return counts;
}

async function aFile(text: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "stowage-owners-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "owners.txt"), text);
  return join(dir, "owners.txt");
}

/** Runs the command line with --json. Exit code 2 is drift that is left; any other failure throws. */
function runCli(
  settings: Record<string, string>,
  args: string[],
): Promise<{ code: number; lines: unknown[] }> {
  const env = { PATH: process.env["PATH"], ...settings };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI, ...args, "--json"],
      { env, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        const code = error ? Number(error.code) : 0;
        if (![0, 2].includes(code)) reject(new Error(`stowage ${args.join(" ")} failed: ${stderr}`));
        else
          resolve({
            code,
            lines: stdout
              .trim()
              .split("\n")
              .map((line) => JSON.parse(line) as unknown),
          });
      },
    );
  });
}
