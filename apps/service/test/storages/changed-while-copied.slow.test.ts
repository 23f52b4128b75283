import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { DownloadResponse, File, UploadResponse } from "@stowage/schemas";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { composeMoveCommand } from "#compose-cli.js";
import { readConfig } from "#config.js";
import { createProjectWithoutOwner } from "#members/create-owned-project.js";
import { findProjectByRef } from "#projects/find-project.js";
import { type MoveProgress, moveProject, type RunTimes } from "#relocate/move-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStorageProxy, type StorageProxy } from "../fixtures/a-storage-proxy.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { PART_BYTES, sendParts } from "../fixtures/send-parts.js";
import { twoStorages } from "../fixtures/two-storages.js";

/*
 * Objects that change while they are copied to another storage. The command writes to the new storage through a proxy, which holds a copy
 * back between the read and the write. The sweeper runs only where a test lets it.
 */

const times: RunTimes = {
  refreshMs: 100,
  maxAgeMs: 500,
  longestCallMs: 1500,
  leaseMs: 2000,
  skewMs: 0,
  pollMs: 100,
};
const soon = { timeout: 120_000 };

let installation: Awaited<ReturnType<typeof twoStorages>>;
let service: RunningService;
let proxy: StorageProxy;
let sql: postgres.Sql;
/** The settings of the command, with the proxy in front of the new storage. */
let settings: Record<string, string>;
/** Runs once, before the copy of an object whose path ends so is written. */
let beforeCopy: { of: string; run: () => Promise<unknown> } | null = null;

beforeAll(async () => {
  installation = await twoStorages();
  service = await aService({ ...installation.settings, SWEEP_INTERVAL_MS: "200" }, { moveTimes: times });
  sql = postgres(installation.databaseUrl, { max: 2 });
  proxy = await aStorageProxy(installation.us.endpoint, async (method, { url = "" }) => {
    if (method !== "PUT" || !beforeCopy || !url.split("?")[0]!.endsWith(beforeCopy.of)) return true;
    const { run } = beforeCopy;
    beforeCopy = null;
    await run();
    return true;
  });
  const file = join(installation.dir, "through-proxy.json");
  const { us } = installation.content;
  await writeFile(file, JSON.stringify({ ...installation.content, us: { ...us, endpoint: proxy.url } }));
  settings = { ...installation.settings, STORAGES_FILE: file };
});
afterAll(async () => {
  proxy.close();
  await service.close();
  await sql.end();
  await installation.close();
});

interface TestProject {
  ref: string;
  apiKey: string;
}

async function aProject(): Promise<TestProject> {
  const { deps, close } = composeMoveCommand(readConfig(settings), times);
  const input = { name: "test", trashDays: 0, storage: "eu" };
  return createProjectWithoutOwner({ ...deps, randomBytes }, commandLineActor, input).finally(close);
}

async function move(
  { ref }: TestProject,
  {
    to = "us",
    onStep = () => undefined,
  }: { to?: string | null; onStep?: (step: MoveProgress["step"]) => unknown } = {},
) {
  const { deps, close } = composeMoveCommand(readConfig(settings), times);
  try {
    const project = await findProjectByRef(deps, ref);
    const input = { to, changesPublicUrls: false, waits: false };
    return await moveProject(deps, { ...commandLineActor, project }, input, ({ step }) => void onStep(step));
  } finally {
    await close();
  }
}

const post = <Body = { detail: string }>({ apiKey: key }: TestProject, path: string, body: object) =>
  call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
const complete = (project: TestProject, file_path: string) => post<File>(project, "complete", { file_path });
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const nameOf = (path: string) => path.split("/").at(-1)!;

async function download(project: TestProject, file_path: string): Promise<string> {
  const { body } = await post<DownloadResponse>(project, "download", { file_path });
  return md5(new Uint8Array(await (await fetch(body.presigned_url)).arrayBuffer()));
}

/** The file has these bytes, at the new storage too, and the counters are those of this one file. */
async function expectOnly(project: TestProject, file_path: string, bytes: Uint8Array): Promise<void> {
  expect(await download(project, file_path)).toBe(md5(bytes));
  const [row] = await sql`
    select f.size::int as size, t.used_bytes::int as used, t.file_count::int as files, t.reserved_bytes::int as reserved
    from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
    where f.path = ${file_path}`;
  expect(row).toEqual({ size: bytes.length, used: bytes.length, files: 1, reserved: 0 });
  expect((await installation.us.objects()).filter((path) => path.includes(project.ref))).toEqual([file_path]);
}

/** Lets the next run delete the old copies. */
const endOldUrls = ({ ref }: TestProject) =>
  sql`update storage_moves set urls_end_at = now() where project_id = (select id from projects where ref = ${ref})`;

const [first, second] = [randomBytes(300), randomBytes(500)];
const named = (filename: string) => ({ tenant_id: "t", filename });

/** Uploads the first bytes by a URL that can be used again. */
async function aReplayableFile(project: TestProject, filename: string): Promise<UploadResponse> {
  const upload = await anUpload(service.url, project.apiKey, named(filename));
  expect(await putBytes(upload, first)).toBe(200);
  expect((await complete(project, upload.file_path)).status).toBe(200);
  return upload;
}

test("a URL that is used twice before the service looks leads to the last bytes", async () => {
  const project = await aProject();
  const upload = await anUpload(service.url, project.apiKey, named("twice.bin"));
  expect(await putBytes(upload, first)).toBe(200);
  let waits = 0;
  await move(project, {
    onStep: async (step) => {
      // The first pass has seen the first bytes.
      if (step !== "uploads" || waits++ > 0) return;
      expect(await putBytes(upload, second)).toBe(200);
      expect((await complete(project, upload.file_path)).body).toMatchObject({ size: second.length });
    },
  });
  expect(waits).toBeGreaterThan(0);
  await expectOnly(project, upload.file_path, second);
}, 200_000);

test("bytes that replace those of a stored file between the read and the write of its copy are kept and counted", async () => {
  const project = await aProject();
  const upload = await aReplayableFile(project, "replaced.bin");
  beforeCopy = { of: nameOf(upload.file_path), run: () => putBytes(upload, second) };
  await move(project);
  expect(beforeCopy).toBeNull();
  expect((await complete(project, upload.file_path)).status).toBe(200);
  await expectOnly(project, upload.file_path, second);
}, 200_000);

test("bytes that are sent to the old storage after the copy change nothing", async () => {
  const project = await aProject();
  const upload = await aReplayableFile(project, "late.bin");
  const open = await anUpload(service.url, project.apiKey, named("open.bin"));
  let waits = 0;
  await move(project, {
    onStep: async (step) => {
      if (step !== "uploads" || waits++ > 0) return;
      expect(await putBytes(upload, second)).toBe(200);
      expect((await complete(project, upload.file_path)).body).toMatchObject({ size: first.length });
      await post(project, "cancel", { file_path: open.file_path });
    },
  });
  expect(waits).toBeGreaterThan(0);
  expect((await complete(project, upload.file_path)).status).toBe(200);
  await expectOnly(project, upload.file_path, first);
}, 200_000);

test("a file that is deleted between the read and the write of its copy has no copy", async () => {
  const project = await aProject();
  const { file_path } = await aStoredFile(service.url, project.apiKey, { filename: "deleted.bin" });
  const kept = await aStoredFile(service.url, project.apiKey, { filename: "kept.bin", bytes: first });
  beforeCopy = {
    of: nameOf(file_path),
    run: async () => expect((await post(project, "delete", { file_path })).status).toBe(200),
  };
  await move(project);
  expect(beforeCopy).toBeNull();
  await expectOnly(project, kept.file_path, first);
}, 200_000);

test("parts that storage joins while the project moves, and whose replica dies then, are a file afterwards", async () => {
  const project = await aProject();
  const opened = await anOpenUpload(service.url, project.apiKey, {
    ...named("parts.bin"),
    size: PART_BYTES + 1,
    part_size: PART_BYTES,
  });
  const { file_path: Key } = opened;
  await sendParts(service.url, project.apiKey, Key, { numbers: [1, 2] });
  let waits = 0;
  await move(project, {
    onStep: async (step) => {
      if (step !== "uploads" || waits++ > 0) return;
      const { client, bucket: Bucket } = installation.eu;
      const [row] = await sql`select multipart ->> 'uploadId' as id from files where path = ${Key}`;
      const upload = { Bucket, Key, UploadId: row!["id"] as string };
      const { Parts } = await client.send(new ListPartsCommand(upload));
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }));
      expect((await complete(project, Key)).status).toBe(200);
    },
  });
  expect(waits).toBeGreaterThan(0);
  await expectOnly(project, Key, Buffer.alloc(PART_BYTES + 1, 1));
}, 200_000);

test("a project with an object whose ETag the new storage cannot repeat stays where it is", async () => {
  const project = await aProject();
  const upload = await anUpload(service.url, project.apiKey, named("uneven.bin"));
  const { client, bucket: Bucket } = installation.eu;
  const bytes = Buffer.alloc(2 * PART_BYTES + 1025, 7);
  const place = { Bucket, Key: upload.file_path };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  // Parts of different sizes, as the service never signs them.
  const ends = [0, PART_BYTES, 2 * PART_BYTES + 1024, bytes.length];
  const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
  for (const PartNumber of [1, 2, 3]) {
    const Body = bytes.subarray(ends[PartNumber - 1], ends[PartNumber]);
    const { ETag } = await client.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }));
    Parts.push({ ETag, PartNumber });
  }
  const done = { ...place, UploadId, MultipartUpload: { Parts } };
  await client.send(new CompleteMultipartUploadCommand(done));
  expect((await complete(project, upload.file_path)).status).toBe(200);
  await expect(move(project)).rejects.toMatchObject({
    code: "invalid_request",
    message: expect.stringMatching(
      /^The new storage gives the bytes of \S+uneven\.bin another ETag.*--cancel/,
    ),
  });
  expect((await installation.us.objects()).filter((path) => path.includes(project.ref))).toEqual([]);
  expect(await download(project, upload.file_path)).toBe(md5(bytes));
  expect(await move(project, { to: null })).toMatchObject({ state: "settling", to: "eu" });
  await endOldUrls(project);
  expect(await move(project, { to: "eu" })).toEqual({ state: "done", to: "eu" });
  expect(await download(project, upload.file_path)).toBe(md5(bytes));
  const [row] = await sql`
    select used_bytes::int as used from tenants t join projects p on p.id = t.project_id where p.ref = ${project.ref}`;
  expect(row).toEqual({ used: bytes.length });
}, 200_000);

test("a PUT that ends at the old storage after the project has moved is a file afterwards", async () => {
  const project = await aProject();
  const { file_path: Key } = await anUpload(service.url, project.apiKey, named("slow.bin"));
  await sql`update files set url_expires_at = now() - interval '1 minute', next_check_at = now() where path = ${Key}`;
  service.startJobs();
  const statusOf = async () =>
    (await sql`select status from files where path = ${Key}`)[0]!["status"] as string;
  await expect.poll(statusOf, soon).toBe("expired");
  await move(project);
  await installation.eu.client.send(
    new PutObjectCommand({ Bucket: installation.eu.bucket, Key, Body: first }),
  );
  await endOldUrls(project);
  expect(await move(project)).toEqual({ state: "done", to: "us" });
  await expect.poll(statusOf, soon).toBe("stored");
  await expectOnly(project, Key, first);
}, 200_000);

test("a storage with aws:kms is refused with a sentence, as source and as target", async () => {
  const project = await aProject();
  for (const name of ["eu", "us"] as const) {
    const file = join(installation.dir, `kms-${name}.json`);
    const { content } = installation;
    const changed = { ...content, [name]: { ...content[name], encryption: "aws:kms:a-key" } };
    await writeFile(file, JSON.stringify(changed));
    const { deps, close } = composeMoveCommand(readConfig({ ...settings, STORAGES_FILE: file }), times);
    const actor = { ...commandLineActor, project: await findProjectByRef(deps, project.ref) };
    const input = { to: "us", changesPublicUrls: false, waits: false };
    await expect(moveProject(deps, actor, input, () => undefined)).rejects.toMatchObject({
      code: "invalid_request",
      message: `The storage ${name} encrypts with aws:kms, so the ETags of the files would change`,
    });
    await close();
  }
}, 120_000);

test("a replica of another version keeps a move from beginning, and from copying", async () => {
  const project = await aProject();
  const addReplica = () =>
    sql`insert into replicas (id, host, version, started_at, seen_at, waiting) values ('old', 'web-3', '0.9.0', now(), now(), 0)
        on conflict (id) do update set seen_at = now()`;
  const sentence = {
    code: "invalid_request",
    message: expect.stringMatching(
      /^A replica on web-3 runs version 0\.9\.0, and this command \S+\. A move begins when/,
    ),
  };
  await addReplica();
  await expect(move(project)).rejects.toMatchObject(sentence);
  expect(
    await sql`select from storage_moves m join projects p on p.id = m.project_id where p.ref = ${project.ref}`,
  ).toHaveLength(0);
  // One that stopped reporting does not run any more.
  await sql`update replicas set seen_at = now() - interval '5 minutes' where id = 'old'`;
  const stop = new Error("stopped");
  const stopAt = (step: MoveProgress["step"]) => {
    if (step === "preparing") throw stop;
  };
  await expect(move(project, { onStep: stopAt })).rejects.toBe(stop);
  await addReplica();
  await expect(move(project)).rejects.toMatchObject(sentence);
  await sql`delete from replicas where id = 'old'`;
  expect(await move(project)).toMatchObject({ state: "settling" });
}, 120_000);
