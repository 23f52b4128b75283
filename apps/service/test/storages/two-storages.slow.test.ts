import { mkdir, writeFile } from "node:fs/promises";
import { DeleteObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import type { DownloadResponse, File } from "@stowage/schemas";
import { pino } from "pino";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { composeReconcileCommand, composeWorker } from "#compose-cli.js";
import { readConfig } from "#config.js";
import { reconcileStorages } from "#reconcile/reconcile-storages.js";
import { anOperator, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anOpenUpload, anUpload, call, putBytes } from "../fixtures/call.js";
import { PART_BYTES, sendParts } from "../fixtures/send-parts.js";
import { twoStorages } from "../fixtures/two-storages.js";

/*
 * One installation with two storages, each a server of its own. Every project has one of them, and nothing of its files is in the other.
 */

const SECRET = "the-secret-of-storage";
/** Long enough for a machine that is four times slower. */
const soon = { timeout: 60_000 };

let installation: Awaited<ReturnType<typeof twoStorages>>;
/** Without jobs. */
let service: RunningService;
let owner: Person;
beforeAll(async () => {
  installation = await twoStorages();
  service = await aService({
    ...installation.settings,
    STORAGE_EVENTS_SECRET: SECRET,
    S3_TIMEOUT_MS: "5000",
  });
  owner = await anOperator(service.url, { databaseUrl: installation.databaseUrl, isAdmin: true });
});
afterEach(async () => {
  await installation.eu.proxy.bringBack();
  await installation.us.proxy.bringBack();
});
afterAll(async () => {
  await service.close();
  await installation.close();
});

async function aProject(storage?: string | null): Promise<{ ref: string; apiKey: string }> {
  const answer = await owner.mutate<{ ref: string; apiKey: string }>("projects.create", {
    name: "test",
    trashDays: 0,
    ...(storage !== undefined && { storage }),
  });
  if (answer.status !== 200) throw new Error(`the project was refused: ${answer.text}`);
  return answer.data;
}

const post = <Body = { detail: string }>(key: string, path: string, body: object) =>
  call<Body>(`${service.url}/api/storage/${path}/`, { key, body });
const readFile = async (key: string, path: string) =>
  (await call<File>(`${service.url}/api/storage/file/?file_path=${encodeURIComponent(path)}`, { key })).body;
const contentOf = async (url: string) => (await fetch(url)).text();

/** Which of the four buckets have an object of the path, or of paths that begin with it. */
async function bucketsOf(path: string): Promise<string[]> {
  const { eu, us } = installation;
  const found = [];
  for (const storage of [eu, us])
    for (const bucket of [storage.bucket, storage.publicBucket])
      if ((await storage.objects(bucket)).some((key) => key.startsWith(path))) found.push(bucket);
  return found;
}

describe("the storage of a project", () => {
  test("is chosen when the project is created, and is the default otherwise", async () => {
    expect((await owner.query("projects.storages")).data).toEqual(["eu", "us"]);
    const storageOf = async (projectRef: string) =>
      (await owner.query<{ storage: string }>("projects.read", { projectRef })).data.storage;
    expect(await storageOf((await aProject()).ref)).toBe("eu");
    expect(await storageOf((await aProject(null)).ref)).toBe("eu");
    expect(await storageOf((await aProject("us")).ref)).toBe("us");
    for (const storage of ["mars", "default", "__proto__"]) {
      const refused = await owner.mutate("projects.create", { name: "test", storage });
      expect([refused.status, refused.code]).toEqual([400, "invalid_request"]);
      expect(refused.detail).toContain("There is no storage of this name. It has eu, us");
    }
  });

  test.each(["eu", "us"])("has its files, parts, public copies and downloads: %s", async (name) => {
    const storage = installation[name as "eu" | "us"];
    const { apiKey: key } = await aProject(name);
    const file = await aStoredFile(service.url, key, { bytes: "hello" });
    expect(await bucketsOf(file.file_path)).toEqual([storage.bucket]);
    const download = await post<DownloadResponse>(key, "download", { file_path: file.file_path });
    expect(download.body.presigned_url.startsWith(`${storage.endpoint}/${storage.bucket}/`)).toBe(true);
    expect(await contentOf(download.body.presigned_url)).toBe("hello");

    const opened = await anOpenUpload(service.url, key, {
      tenant_id: "t",
      filename: "b.bin",
      size: PART_BYTES + 1,
      part_size: PART_BYTES,
    });
    await sendParts(service.url, key, opened.file_path, { numbers: [1, 2] });
    const completed = await post<File>(key, "complete", { file_path: opened.file_path });
    expect(completed.body).toMatchObject({ status: "stored", size: PART_BYTES + 1 });
    expect(await bucketsOf(opened.file_path)).toEqual([storage.bucket]);

    const made = await post<File>(key, "visibility", { file_path: file.file_path, visibility: "public" });
    expect(made.body.public_url!.startsWith(`${storage.endpoint}/${storage.publicBucket}/`)).toBe(true);
    expect(await contentOf(made.body.public_url!)).toBe("hello");
    expect(await bucketsOf(file.file_path)).toEqual([storage.publicBucket]);

    for (const { file_path } of [file, opened]) {
      expect((await post(key, "delete", { file_paths: [file_path] })).status).toBe(200);
      expect(await bucketsOf(file_path)).toEqual([]);
    }
  });

  test("has the variants that a worker makes", async () => {
    const { ref: projectRef, apiKey: key } = await aProject("us");
    await owner.mutate("presets.save", { projectRef, name: "thumb", width: 10 });
    const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: "#036" } })
      .png()
      .toBuffer();
    const { file_path } = await aStoredFile(service.url, key, { filename: "a.png", bytes: image });
    const { deps: worker, close } = await composeWorker(
      readConfig({ ...installation.settings }),
      pino({ enabled: false }),
    );
    const job = await worker.start();
    const ask = () => post<DownloadResponse>(key, "download", { file_path, variant: "thumb" });
    await expect.poll(async () => (await ask()).status, soon).toBe(200);
    const url = (await ask()).body.presigned_url;
    expect(url.startsWith(`${installation.us.endpoint}/${installation.us.bucket}/`)).toBe(true);
    expect((await fetch(url)).status).toBe(200);
    expect(await bucketsOf(`projects/${projectRef}/variants/`)).toEqual([installation.us.bucket]);
    await job.stop();
    await close();
  });

  test("is the one whose notifications are heeded", async () => {
    const { us, eu } = installation;
    const { apiKey: key } = await aProject("us");
    const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt" });
    await putBytes(upload, Buffer.from("hello"));
    const notify = (bucket: string) =>
      call<{ looked_at: number }>(`${service.url}/internal/storage-events`, {
        headers: { Authorization: `Bearer ${SECRET}` },
        body: { Records: [{ s3: { bucket: { name: bucket }, object: { key: upload.file_path } } }] },
      });
    expect((await notify(eu.bucket)).body).toEqual({ looked_at: 0 });
    expect((await notify("files-of-others")).body).toEqual({ looked_at: 0 });
    expect((await notify(us.bucket)).body).toEqual({ looked_at: 1 });
    expect(await readFile(key, upload.file_path)).toMatchObject({ status: "stored" });
  });

  test("is compared by reconcile with its own files only", async () => {
    const { us, eu } = installation;
    const { ref, apiKey: key } = await aProject("us");
    const [lost, kept] = [await aStoredFile(service.url, key), await aStoredFile(service.url, key)];
    await us.client.send(new DeleteObjectCommand({ Bucket: us.bucket, Key: lost.file_path }));
    // An object of a project that has another storage, for example from a copy of the bucket.
    await eu.client.send(new PutObjectCommand({ Bucket: eu.bucket, Key: lost.file_path, Body: "other" }));
    const { deps, close } = composeReconcileCommand(readConfig({ ...installation.settings }));
    const findingsOf = async (projectRef: string | null, repair = false) => {
      const found = [];
      const input = { projectRef, repair, deleteOrphans: repair };
      for await (const { drift } of reconcileStorages(deps, input))
        if (drift.projectRef === ref) found.push([drift.kind, "path" in drift ? drift.path : null]);
      return found;
    };
    expect(await findingsOf(null)).toEqual([["missing", lost.file_path]]);
    expect(await findingsOf(ref, true)).toEqual([["missing", lost.file_path]]);
    expect(await findingsOf(null, true)).toEqual([]);
    expect(await bucketsOf(lost.file_path)).toEqual([eu.bucket]);
    expect(await readFile(key, kept.file_path)).toMatchObject({ status: "stored" });
    await close();
    await eu.client.send(new DeleteObjectCommand({ Bucket: eu.bucket, Key: lost.file_path }));
  });
});

test("the pages of the dashboard may load files from each storage, and upload to it", async () => {
  const dashboardDir = `${installation.dir}/dashboard`;
  await mkdir(`${dashboardDir}/assets`, { recursive: true });
  await writeFile(`${dashboardDir}/index.html`, "<!doctype html>");
  const withPages = await aService({ ...installation.settings, DASHBOARD_DIR: dashboardDir });
  const page = await fetch(withPages.url, { headers: { Accept: "text/html" } });
  const policy = page.headers.get("content-security-policy")!;
  for (const { endpoint } of [installation.eu, installation.us])
    expect(/connect-src ([^;]*)/.exec(policy)![1]!.split(" ")).toContain(endpoint);
  await withPages.close();
});

describe("a storage that is down", () => {
  test("affects only its projects", async () => {
    const { us } = installation;
    const [inEu, inUs] = [await aProject("eu"), await aProject("us")];
    const waiting = await anUpload(service.url, inUs.apiKey, { tenant_id: "t", filename: "a.txt" });
    await putBytes(waiting, Buffer.from("hello"));
    const ready = () => call<{ storage_problems?: object }>(`${service.url}/readyz`);
    expect((await ready()).body).not.toHaveProperty("storage_problems");

    await us.proxy.takeDown();
    expect((await post(inUs.apiKey, "complete", { file_path: waiting.file_path })).status).toBe(503);
    const { file_path } = await aStoredFile(service.url, inEu.apiKey);
    const download = await post<DownloadResponse>(inEu.apiKey, "download", { file_path });
    expect(await contentOf(download.body.presigned_url)).toBe("hello");
    const { status, body } = await ready();
    expect([status, body]).toEqual([
      200,
      { status: "ready", storage_problems: { us: "storage does not answer" } },
    ]);
    const health = await owner.query<{ storage: { problem: string } }>("health.read");
    expect(health.data.storage.problem).toBe("us: storage does not answer");

    await us.proxy.bringBack();
    expect((await post(inUs.apiKey, "complete", { file_path: waiting.file_path })).status).toBe(200);
    expect((await ready()).body).not.toHaveProperty("storage_problems");
  });

  test("is not waited for by the readiness check when another one has answered", async () => {
    const patient = await aService({ ...installation.settings, S3_TIMEOUT_MS: "60000" });
    installation.us.proxy.freeze();
    const { status, body } = await call<object>(`${patient.url}/readyz`);
    expect([status, body]).toEqual([
      200,
      { status: "ready", storage_problems: { us: "storage does not answer" } },
    ]);
    await installation.us.proxy.bringBack();
    await patient.close();
  });

  test("makes the service not ready only together with all others", async () => {
    const { eu, us } = installation;
    await eu.proxy.takeDown();
    await us.proxy.takeDown();
    const { status, body } = await call(`${service.url}/readyz`);
    expect(status).toBe(503);
    expect(body.detail).toBe("Not ready: eu: storage does not answer, us: storage does not answer");
  });

  test("holds up no job of another storage", async () => {
    const { us } = installation;
    const [inEu, inUs] = [await aProject("eu"), await aProject("us")];
    const send = async (key: string, body: object = {}) => {
      const upload = await anUpload(service.url, key, { tenant_id: "t", filename: "a.txt", ...body });
      await putBytes(upload, Buffer.from("hello"));
      return upload.file_path;
    };
    // More than the sweeper claims at once, and all before those of the other storage.
    const down = await Promise.all(Array.from({ length: 250 }, () => send(inUs.apiKey)));
    await us.proxy.takeDown();
    const arrived = [await send(inEu.apiKey), await send(inEu.apiKey, { visibility: "public" })];
    const deleted = await aStoredFile(service.url, inEu.apiKey);

    const working = await aService({
      ...installation.settings,
      SWEEP_INTERVAL_MS: "50",
      S3_TIMEOUT_MS: "5000",
    });
    working.startJobs();
    for (const path of arrived)
      await expect.poll(async () => (await readRow(path)).status, soon).toBe("stored");
    await expect
      .poll(async () => (await readFile(inEu.apiKey, arrived[1]!)).public_url, soon)
      .toBeTypeOf("string");
    expect((await post(inEu.apiKey, "delete", { file_paths: [deleted.file_path] })).status).toBe(200);
    await expect.poll(() => bucketsOf(deleted.file_path), soon).toEqual([]);
    await expect.poll(() => working.log(), soon).toContain('"storage":"us","msg":"a job failed');
    expect(working.log()).not.toContain('"storage":"eu","msg":"a job failed');
    expect((await readRow(down[0]!)).status).toBe("pending");

    await us.proxy.bringBack();
    await expect
      .poll(async () => (await readRows(down)).every((status) => status === "stored"), soon)
      .toBe(true);
    await working.close();
  });

  const readRows = async (paths: string[]) => {
    const sql = (await import("postgres")).default(installation.databaseUrl, { max: 1 });
    const rows = await sql<{ status: string }[]>`select status from files where path = any(${paths})`;
    await sql.end();
    return rows.map(({ status }) => status);
  };
  const readRow = async (path: string) => ({ status: (await readRows([path]))[0] });
});
