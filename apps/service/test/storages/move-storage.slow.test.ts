import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { DownloadResponse, File } from "@stowage/schemas";
import { pino } from "pino";
import postgres from "postgres";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { composeMoveCommand, composeReconcileCommand, composeWorker } from "#compose-cli.js";
import { readConfig } from "#config.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { findProjectByRef } from "#projects/find-project.js";
import { reconcileStorages } from "#reconcile/reconcile-storages.js";
import type { MoveInput } from "#relocate/begin-move.js";
import { type MoveOutcome, type MoveProgress, moveProject, type RunTimes } from "#relocate/move-project.js";
import { anOperator, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { stowage } from "../fixtures/command-line.js";
import { PART_BYTES, sendParts } from "../fixtures/send-parts.js";
import { type TestStorage, twoStorages } from "../fixtures/two-storages.js";

/*
 * A project moves from one server of storage to another one, while two replicas and a worker use it. The waits are shorter than in
 * production, and longer than any call takes here.
 */

const times: RunTimes = {
  refreshMs: 200,
  maxAgeMs: 1000,
  longestCallMs: 6000,
  leaseMs: 2000,
  skewMs: 0,
  pollMs: 200,
};
const soon = { timeout: 60_000 };

let installation: Awaited<ReturnType<typeof twoStorages>>;
let replicas: [RunningService, RunningService];
let owner: Person;
let sql: postgres.Sql;
beforeAll(async () => {
  installation = await twoStorages();
  const start = () =>
    aService(
      { ...installation.settings, SWEEP_INTERVAL_MS: "200", S3_TIMEOUT_MS: "30000" },
      { moveTimes: times },
    );
  replicas = [await start(), await start()];
  for (const replica of replicas) replica.startJobs();
  owner = await anOperator(replicas[0].url, { databaseUrl: installation.databaseUrl, isAdmin: true });
  sql = postgres(installation.databaseUrl, { max: 2 });
});
afterAll(async () => {
  for (const replica of replicas) await replica.close();
  await sql.end();
  await installation.close();
});

interface TestProject {
  ref: string;
  apiKey: string;
}

async function aProject(settings: object = {}): Promise<TestProject> {
  const answer = await owner.mutate<TestProject>("projects.create", {
    name: "test",
    trashDays: 0,
    storage: "eu",
    ...settings,
  });
  if (answer.status !== 200) throw new Error(`the project was refused: ${answer.text}`);
  return answer.data;
}

const anyUrl = () => replicas[Math.floor(Math.random() * 2)]!.url;
const post = <Body = { detail: string }>(key: string, path: string, body: object) =>
  call<Body>(`${anyUrl()}/api/storage/${path}/`, { key, body });
const readFile = async (key: string, path: string) =>
  (await call<File>(`${anyUrl()}/api/storage/file/?file_path=${encodeURIComponent(path)}`, { key })).body;
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");

async function download(key: string, file_path: string, options: object = {}): Promise<string> {
  const { status, body } = await post<DownloadResponse>(key, "download", { file_path, ...options });
  if (status !== 200) throw new Error(`no URL for a download: ${status} ${JSON.stringify(body)}`);
  return readUrl(body.presigned_url);
}

/** Sends a request again that met a connection which storage was closing just then. A status is never asked for again. */
async function readUrl(url: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status === 200) return md5(bytes);
      throw new Error(`a download failed: ${response.status}`);
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 3) throw error;
    }
  }
}

/** A process that is killed in the middle of its work: it ends without cleaning up, and its claim stays. */
class Killed extends Error {}

interface RunOptions extends Partial<MoveInput> {
  /** The copy, counted from 1, at whose end the command dies. */
  diesAtCopy?: number;
  /** The step at which it dies. */
  diesAt?: MoveProgress["step"];
}

async function move(
  { ref }: Pick<TestProject, "ref">,
  { diesAtCopy, diesAt, ...input }: RunOptions = {},
  steps: MoveProgress[] = [],
): Promise<MoveOutcome> {
  const { deps, close } = composeMoveCommand(readConfig({ ...installation.settings }), times);
  let copies = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Killed();
  };
  const openTransfer: typeof deps.openTransfer = async (...args) => {
    const transfer = await deps.openTransfer(...args);
    return {
      ...transfer,
      copy: async (...copied) => {
        const outcome = await transfer.copy(...copied);
        copies++;
        if (isDead || copies === diesAtCopy) die();
        return outcome;
      },
    };
  };
  // A dead process gives no claim back.
  const execute: typeof deps.db.execute = (statement, ...rest) =>
    isDead ? Promise.reject(new Killed()) : deps.db.execute(statement, ...rest);
  try {
    const project = await findProjectByRef(deps, ref);
    return await moveProject(
      { ...deps, db: { ...deps.db, execute }, openTransfer },
      { ...commandLineActor, project },
      { to: "us", changesPublicUrls: false, waits: false, ...input },
      (progress) => {
        steps.push(progress);
        if (progress.step === diesAt) die();
      },
    );
  } finally {
    await close();
  }
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

const endOldUrls = ({ ref }: Pick<TestProject, "ref">) =>
  sql`update storage_moves set urls_end_at = now() where project_id = (select id from projects where ref = ${ref})`;

const objectsOf = async (storage: TestStorage, { ref }: Pick<TestProject, "ref">, bucket = storage.bucket) =>
  (await storage.objects(bucket)).filter((path) => path.startsWith(`projects/${ref}/`)).sort();

async function driftOf(projectRef: string) {
  const { deps, close } = composeReconcileCommand(readConfig({ ...installation.settings }));
  const found = [];
  const moving: string[] = [];
  const input = { projectRef, repair: false, deleteOrphans: false };
  const onMoving = (ref: string) => moving.push(ref);
  for await (const { drift } of reconcileStorages({ ...deps, onMoving }, input)) found.push(drift);
  await close();
  return { found, moving };
}

/** What a customer does all the time, and what it must find afterwards. */
function startLoad({ apiKey: key }: TestProject) {
  /** The MD5 of each file that must be there, by its path. */
  const stored = new Map<string, string>();
  let fail: (error: unknown) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const counts = { uploads: 0, parts: 0, downloads: 0, oldUrls: 0, deletes: 0 };
  /** URLs that were signed before, with what they must lead to. */
  const urls: { path: string; url: string; hash: string }[] = [];
  const over = new AbortController();

  const upload = async () => {
    const bytes = randomBytes(1 + Math.floor(Math.random() * 2000));
    const { file_path } = await aStoredFile(anyUrl(), key, { bytes });
    stored.set(file_path, md5(bytes));
    counts.uploads++;
  };
  const uploadByParts = async () => {
    const opened = await anOpenUpload(anyUrl(), key, {
      tenant_id: "t",
      filename: "b.bin",
      size: PART_BYTES + 1,
      part_size: PART_BYTES,
    });
    await sendParts(anyUrl(), key, opened.file_path, { numbers: [1] });
    await sleep(1000);
    await sendParts(anyUrl(), key, opened.file_path, { numbers: [2] });
    const { status } = await post<File>(key, "complete", { file_path: opened.file_path });
    if (status !== 200) throw new Error(`an upload by parts did not complete: ${status}`);
    stored.set(opened.file_path, await download(key, opened.file_path));
    counts.parts++;
  };
  const some = () => [...stored.keys()][Math.floor(Math.random() * stored.size)];
  const read = async () => {
    const path = some();
    const hash = path && stored.get(path);
    if (!path || !hash) return;
    const { status, body } = await post<DownloadResponse>(key, "download", { file_path: path });
    // Another loop may delete it meanwhile.
    if (!stored.has(path)) return;
    if (status !== 200) throw new Error(`no URL for a download: ${status}`);
    urls.push({ path, url: body.presigned_url, hash });
    const found = await readUrl(body.presigned_url).catch((error: unknown) => {
      if (stored.has(path)) throw error;
      return hash;
    });
    if (found !== hash) throw new Error("a download had other bytes");
    counts.downloads++;
  };
  const readOldUrl = async () => {
    const old = urls[Math.floor(Math.random() * urls.length)];
    if (!old || !stored.has(old.path)) return;
    const found = await readUrl(old.url).catch((error: unknown) => {
      if (stored.has(old.path)) throw error;
      return old.hash;
    });
    if (found !== old.hash) throw new Error("an old URL had other bytes");
    counts.oldUrls++;
  };
  const remove = async () => {
    const path = some();
    if (!path || stored.size < 20) return;
    stored.delete(path);
    const { status } = await post(key, "delete", { file_paths: [path] });
    if (status !== 200) throw new Error(`a file was not deleted: ${status}`);
    counts.deletes++;
  };
  const loop = async (work: () => Promise<void>) => {
    while (!over.signal.aborted) {
      await work().catch((error: unknown) => {
        over.abort();
        fail(error);
      });
      await sleep(50);
    }
  };
  const loops = [upload, upload, uploadByParts, read, read, readOldUrl, remove].map(loop);
  return {
    stored,
    counts,
    /** Resolves as `work` does, or fails with the load. */
    during: <T>(work: Promise<T>) => Promise.race([work, failed]),
    async end() {
      over.abort();
      await Promise.race([Promise.all(loops), failed]);
    },
  };
}

describe("a project that moves under load", () => {
  test("has every file and exact counters, whenever the command is killed", async () => {
    const project = await aProject();
    const { apiKey: key } = project;
    const before = new Map<string, string>();
    await forEachBounded(Array.from({ length: 120 }), 8, async () => {
      const bytes = randomBytes(100);
      before.set((await aStoredFile(anyUrl(), key, { bytes })).file_path, md5(bytes));
    });
    const open = await anOpenUpload(anyUrl(), key, {
      tenant_id: "t",
      filename: "slow.bin",
      size: PART_BYTES + 1,
      part_size: PART_BYTES,
    });
    await sendParts(anyUrl(), key, open.file_path, { numbers: [1] });
    const waiting = await anUpload(anyUrl(), key, { tenant_id: "t", filename: "late.txt" });
    const load = startLoad(project);
    for (const [path, hash] of before) load.stored.set(path, hash);

    expect(await load.during(failureOf(move(project, { diesAt: "preparing" })))).toBeInstanceOf(Killed);
    // Up to sixteen objects are copied at the same time.
    for (const diesAtCopy of [1, 7, 12, 3])
      expect(await load.during(failureOf(move(project, { diesAtCopy, diesAt: "uploads" })))).toBeInstanceOf(
        Error,
      );
    expect((await driftOf(project.ref)).moving).toEqual([project.ref]);
    await expect(move(project, { to: "eu" })).rejects.toMatchObject({ code: "invalid_request" });
    // The uploads that began at the old storage are still open.
    expect(await load.during(failureOf(move(project, { diesAt: "uploads" })))).toBeInstanceOf(Killed);
    expect(await putBytes(waiting, Buffer.from("late"))).toBe(200);
    expect((await post(key, "complete", { file_path: waiting.file_path })).status).toBe(200);
    load.stored.set(waiting.file_path, md5(Buffer.from("late")));
    await sendParts(anyUrl(), key, open.file_path, { numbers: [2] });
    expect((await post(key, "complete", { file_path: open.file_path })).status).toBe(200);
    load.stored.set(open.file_path, await download(key, open.file_path));

    const outcome = await load.during(move(project));
    expect(outcome).toMatchObject({ state: "settling", to: "us" });
    // Under the load, for some seconds as before.
    const { uploads } = load.counts;
    await expect.poll(() => load.counts.uploads, soon).toBeGreaterThan(uploads + 10);
    await load.end();
    for (const count of Object.values(load.counts)) expect(count).toBeGreaterThan(0);

    for (const [path, hash] of load.stored) expect(await download(key, path)).toBe(hash);
    expect((await driftOf(project.ref)).found).toEqual([]);
    await expect
      .poll(() => objectsOf(installation.us, project), soon)
      .toEqual([...load.stored.keys()].sort());
    const [counters] = await sql`
      select used_bytes::int as used, file_count::int as files, reserved_bytes::int as reserved,
        (select sum(size)::int from files f where f.project_id = t.project_id and status = 'stored') as actual
      from tenants t join projects p on p.id = t.project_id where p.ref = ${project.ref}`;
    expect(counters).toMatchObject({ files: load.stored.size, reserved: 0, used: counters!["actual"] });

    await expect(move(project, { to: "eu" })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(move(project, { to: null })).rejects.toMatchObject({ code: "invalid_request" });
    const [path] = [...load.stored.keys()];
    expect(await objectsOf(installation.eu, project)).toContain(
      [...before.keys()].find((one) => load.stored.has(one)),
    );
    await endOldUrls(project);
    expect(await move(project)).toEqual({ state: "done", to: "us" });
    expect(await objectsOf(installation.eu, project)).toEqual([]);
    expect(await download(key, path!)).toBe(load.stored.get(path!));
    const [audit] = await sql`
      select action, details from audit_log a join projects p on p.id = a.project_id
      where p.ref = ${project.ref} and action = 'project.storage_changed'`;
    expect(audit).toMatchObject({ details: { storage_before: "eu", storage: "us" } });
  }, 400_000);
});

test("a delete during a copy leaves nothing, also if the command dies right after the copy", async () => {
  const project = await aProject();
  const { apiKey: key } = project;
  const { file_path } = await aStoredFile(anyUrl(), key);
  await aStoredFile(anyUrl(), key);
  await expect(move(project, { diesAtCopy: 1 })).rejects.toBeInstanceOf(Error);
  // The copy that a delete did not see, because it landed later.
  expect((await post(key, "delete", { file_paths: [file_path] })).status).toBe(200);
  const { us } = installation;
  await us.client.send(new PutObjectCommand({ Bucket: us.bucket, Key: file_path, Body: "hello" }));
  await move(project);
  expect(await objectsOf(us, project)).not.toContain(file_path);
  expect((await driftOf(project.ref)).found).toEqual([]);
}, 200_000);

test("public files move with their copies, and keep the old URLs until these end", async () => {
  const project = await aProject();
  const { apiKey: key } = project;
  const [kept, taken] = [
    await aStoredFile(anyUrl(), key, { bytes: "kept", visibility: "public" }),
    await aStoredFile(anyUrl(), key, { bytes: "taken", visibility: "public" }),
  ];
  const publicUrl = async (path: string) => (await readFile(key, path)).public_url!;
  for (const { file_path } of [kept, taken])
    await expect.poll(() => publicUrl(file_path), soon).toBeTypeOf("string");
  const oldUrl = await publicUrl(kept.file_path);
  const refused = await move(project).catch((error: unknown) => error as Error);
  expect(refused).toMatchObject({
    code: "invalid_request",
    message: expect.stringContaining("--change-public-urls"),
  });
  const moving = move(project, { changesPublicUrls: true });
  const madePublic = await aStoredFile(anyUrl(), key, { bytes: "new" });
  await expect
    .poll(
      async () =>
        (
          await sql`select state from storage_moves m join projects p on p.id = m.project_id where p.ref = ${project.ref}`
        )[0]?.["state"],
      soon,
    )
    .toBe("copying");
  expect((await post(key, "visibility", { file_path: taken.file_path, visibility: "private" })).status).toBe(
    200,
  );
  expect(
    (await post(key, "visibility", { file_path: madePublic.file_path, visibility: "public" })).status,
  ).toBe(200);
  expect(await readUrl(await publicUrl(kept.file_path))).toBe(md5(Buffer.from("kept")));
  await moving;
  expect(await readUrl(oldUrl)).toBe(md5(Buffer.from("kept")));
  const base = `${installation.us.endpoint}/${installation.us.publicBucket}/`;
  await expect.poll(async () => (await publicUrl(madePublic.file_path)) ?? "", soon).toContain(base);
  for (const [{ file_path }, text] of [
    [kept, "kept"],
    [madePublic, "new"],
  ] as const) {
    expect(await publicUrl(file_path)).toContain(base);
    expect(await readUrl(await publicUrl(file_path))).toBe(md5(Buffer.from(text)));
  }
  expect(await download(key, taken.file_path)).toBe(md5(Buffer.from("taken")));
  await endOldUrls(project);
  await move(project);
  expect(await objectsOf(installation.eu, project, installation.eu.publicBucket)).toEqual([]);
  await expect
    .poll(() => objectsOf(installation.us, project, installation.us.publicBucket), soon)
    .toEqual([kept.file_path, madePublic.file_path].sort());
  expect((await driftOf(project.ref)).found).toEqual([]);
}, 200_000);

test("variants of images, files in the trash, and versions move too", async () => {
  const project = await aProject({ trashDays: 7, maxVersions: 3 });
  const { ref: projectRef, apiKey: key } = project;
  await owner.mutate("presets.save", { projectRef, name: "thumb", width: 10 });
  const picture = (background: string) =>
    sharp({ create: { width: 40, height: 20, channels: 3, background } })
      .png()
      .toBuffer();
  const { deps: worker, close } = await composeWorker(
    readConfig({ ...installation.settings }),
    pino({ enabled: false }),
    times,
  );
  const job = await worker.start();
  const ask = (file_path: string) => post<DownloadResponse>(key, "download", { file_path, variant: "thumb" });
  const first = await aStoredFile(anyUrl(), key, { filename: "a.png", bytes: await picture("#036") });
  await expect.poll(async () => (await ask(first.file_path)).status, soon).toBe(200);
  const trashed = await aStoredFile(anyUrl(), key, { bytes: "trashed" });
  expect((await post(key, "delete", { file_paths: [trashed.file_path] })).status).toBe(200);
  const chain = [await aStoredFile(anyUrl(), key, { bytes: "1" })];
  const replace = async () => {
    const [{ file_path: replaces }] = chain as [File];
    chain.unshift(await aStoredFile(anyUrl(), key, { bytes: String(chain.length + 1), replaces }));
  };
  await replace();
  const moving = move(project);
  await replace();
  const second = await aStoredFile(anyUrl(), key, { filename: "b.png", bytes: await picture("#630") });
  await expect.poll(async () => (await ask(second.file_path)).status, soon).toBe(200);
  await moving;
  await endOldUrls(project);
  await move(project);
  for (const { file_path } of [first, second]) {
    const url = (await ask(file_path)).body.presigned_url;
    expect(url.startsWith(`${installation.us.endpoint}/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
  }
  const [{ file_path: current }, ...versions] = chain.map(({ file_path }) => ({ file_path })) as [
    File,
    ...File[],
  ];
  for (const [index, { file_path: version }] of versions.entries())
    expect(await download(key, current, { version })).toBe(md5(Buffer.from(String(2 - index))));
  expect((await post(key, "restore", { file_paths: [trashed.file_path] })).status).toBe(200);
  expect(await download(key, trashed.file_path)).toBe(md5(Buffer.from("trashed")));
  expect(await objectsOf(installation.eu, project)).toEqual([]);
  expect((await driftOf(project.ref)).found).toEqual([]);
  await job.stop();
  await close();
}, 200_000);

test("a move can be taken back before the project has arrived", async () => {
  const project = await aProject();
  const { apiKey: key } = project;
  const files = [await aStoredFile(anyUrl(), key, { bytes: "one" })];
  await expect(move(project, { diesAt: "preparing" })).rejects.toThrow(Killed);
  const waiting = await anUpload(anyUrl(), key, { tenant_id: "t", filename: "late.txt" });
  await expect(move(project, { diesAt: "uploads" })).rejects.toThrow(Killed);
  files.push(await aStoredFile(anyUrl(), key, { bytes: "at the new storage" }));
  expect(await objectsOf(installation.us, project)).toContain(files[1]!.file_path);
  await putBytes(waiting, Buffer.from("late"));
  await post(key, "complete", { file_path: waiting.file_path });
  expect(await move(project, { to: null })).toMatchObject({ state: "settling", to: "eu" });
  await endOldUrls(project);
  expect(await move(project, { to: "eu" })).toEqual({ state: "done", to: "eu" });
  expect(await objectsOf(installation.us, project)).toEqual([]);
  expect(await objectsOf(installation.eu, project)).toEqual(
    [...files.map(({ file_path }) => file_path), waiting.file_path].sort(),
  );
  expect((await driftOf(project.ref)).found).toEqual([]);
  await expect(move(project, { to: "eu" })).rejects.toMatchObject({ code: "invalid_request" });
}, 200_000);

test("storage that is down stops the command with a sentence, and the next run goes on", async () => {
  const project = await aProject();
  const { apiKey: key } = project;
  const { file_path } = await aStoredFile(anyUrl(), key);
  await expect(
    move(project, { diesAt: "uploads" }).then(
      () => "moved",
      () => "stopped",
    ),
  ).resolves.toBeTypeOf("string");
  await sql`update storage_moves set state = 'copying' where project_id = (select id from projects where ref = ${project.ref})`;
  await installation.us.proxy.takeDown();
  await expect(move(project)).rejects.toMatchObject({ code: "unavailable" });
  await expect.poll(async () => (await post(key, "download", { file_path })).status, soon).toBe(503);
  await installation.us.proxy.bringBack();
  expect(await move(project)).toMatchObject({ state: "settling" });
  expect(await download(key, file_path)).toBe(md5(Buffer.from("hello")));
}, 200_000);

test("copies keep the headers and the metadata of their objects", async () => {
  const project = await aProject();
  const { eu, us } = installation;
  const key = `projects/${project.ref}/tenants/x/ä b.bin`;
  const bytes = randomBytes(9 * 1024 ** 2);
  await eu.client.send(
    new PutObjectCommand({
      Bucket: eu.bucket,
      Key: key,
      Body: bytes,
      ContentType: "image/png",
      CacheControl: "max-age=5",
      ContentDisposition: 'attachment; filename="a"',
      Metadata: { color: "blue" },
    }),
  );
  await move(project);
  const copy = await us.client.send(new GetObjectCommand({ Bucket: us.bucket, Key: key }));
  expect(copy).toMatchObject({
    ContentType: "image/png",
    CacheControl: "max-age=5",
    ContentDisposition: 'attachment; filename="a"',
    Metadata: { color: "blue" },
  });
  expect(md5(await copy.Body!.transformToByteArray())).toBe(md5(bytes));
  const head = (storage: TestStorage) =>
    storage.client.send(new HeadObjectCommand({ Bucket: storage.bucket, Key: key }));
  expect((await head(us)).ETag).toBe((await head(eu)).ETag);
}, 200_000);

test("the command refuses what it cannot do, with a sentence", async () => {
  const { ref } = await aProject();
  const run = (...args: string[]) =>
    stowage(["project", "move-storage", ref, ...args], installation.settings);
  const sentences = [
    [["--to", "mars"], "There is no storage mars. There are eu, us\n"],
    [["--to", "eu"], "The project is in the storage eu\n"],
    [["--cancel"], "The project does not move\n"],
    [[], "Say --to a storage, or --cancel.\n"],
  ] as const;
  for (const [args, sentence] of sentences) {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([1, sentence]);
  }
  const { us } = installation;
  await us.client.send(
    new PutObjectCommand({ Bucket: us.bucket, Key: `projects/${ref}/tenants/a/b`, Body: "x" }),
  );
  expect((await run("--to", "us")).stderr).toBe(
    `The storage us has objects under projects/${ref}/. Remove them first\n`,
  );
}, 120_000);
