import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { paginateListObjectsV2, S3Client } from "@aws-sdk/client-s3";
import type { DownloadResponse } from "@stowage/schemas";
import { createPresigner } from "@stowage/service/object-store/presign";
import { aDatabase } from "@stowage/service/test/fixtures/a-database.js";
import { aProcess } from "@stowage/service/test/fixtures/a-process.js";
import { aStoredFile } from "@stowage/service/test/fixtures/a-stored-file.js";
import { call } from "@stowage/service/test/fixtures/call.js";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { aDevStore } from "./a-dev-store.js";

const FILES = Number(process.env["FILES"] ?? 100_000);
const CLI = fileURLToPath(new URL("../../apps/service/dist/cli.js", import.meta.url));
const keys = { accessKeyId: "lab-access-key", secretAccessKey: "lab-secret-key" };
const md5 = (bytes: Uint8Array) => createHash("md5").update(bytes).digest("hex");
const bytesOf = (n: number) => Buffer.from(`the bytes of file ${n}`);
/** Reads as many at a time as all checks here. */
const CONCURRENCY = 16;

test(`moves ${FILES} files under load, while its command is killed`, async () => {
  const started = performance.now();
  const said = (line: string) =>
    console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  const dir = await mkdtemp(join(tmpdir(), "stowage-move-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const aStore = async (name: string) => {
    const store = await aDevStore(join(dir, name), keys, name);
    onTestFinished(() => store.stop());
    return store;
  };
  const [eu, us] = [await aStore("eu"), await aStore("us")];
  const database = await aDatabase();
  onTestFinished(() => database.drop());
  const entryOf = ({ endpoint, bucket, publicBucket }: typeof eu) => ({
    endpoint,
    region: "us-east-1",
    bucket,
    public_bucket: publicBucket,
  });
  await writeFile(
    join(dir, "storages.json"),
    JSON.stringify({ default: "eu", eu: entryOf(eu), us: entryOf(us) }),
  );
  const settings = {
    DATABASE_URL: database.url,
    STORAGES_FILE: join(dir, "storages.json"),
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    RATE_LIMIT_PER_MINUTE: "0",
    FAILING_KEYS_PER_MINUTE: "0",
    DASHBOARD_DIR: "none",
    MIGRATE: "off",
    PORT: "0",
  };
  const aReplica = async () => {
    const replica = await aProcess(settings);
    onTestFinished(() => replica.kill());
    return replica;
  };
  const replicas = [await aReplica(), await aReplica()];
  const sql = postgres(database.url, { max: 2 });
  onTestFinished(() => sql.end());

  /** Runs a command. @param dies whether it is killed at this line of its output, the number of which counts from 1 */
  async function stowage(args: string[], dies: (line: string) => boolean = () => false) {
    const env = { PATH: process.env["PATH"], ...settings };
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
    const lines: string[] = [];
    let errors = "";
    createInterface(child.stdout).on("line", (line) => {
      if (args[1] === "move-storage" && lines.at(-1)?.slice(0, 7) !== line.slice(0, 7)) said(`  ${line}`);
      lines.push(line);
      if (dies(line)) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, lines, errors };
  }

  const created = await stowage([
    "project",
    "create",
    "Harbour",
    "--storage",
    "eu",
    "--trash-days",
    "0",
    "--json",
  ]);
  const { project_ref: ref, api_key: key } = JSON.parse(created.lines[0]!) as Record<string, string>;
  const anyUrl = () => replicas[Math.floor(Math.random() * 2)]!.url;
  await aStoredFile(anyUrl(), key!);

  const { paths, hashes } = await seed();
  said(`${FILES} files are stored in eu`);
  const stored = new Map(paths.map((path, n) => [path, hashes[n]!]));
  const counts = { uploads: 0, downloads: 0, "old URLs": 0, deletes: 0 };
  const failures: unknown[] = [];
  const oldUrls: { path: string; url: string; hash: string }[] = [];
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const some = () => paths[Math.floor(Math.random() * paths.length)]!;
  const loops = [
    async () => {
      const bytes = randomBytes(1 + Math.floor(Math.random() * 1000));
      const { file_path } = await aStoredFile(anyUrl(), key!, { bytes });
      stored.set(file_path, md5(bytes));
      paths.push(file_path);
      counts.uploads++;
    },
    async () => {
      const path = some();
      const hash = stored.get(path);
      if (hash === undefined) return;
      const url = await urlOf(path);
      if (url === null) return;
      if (oldUrls.length < 2000) oldUrls.push({ path, url, hash });
      await check(url, path, hash);
      counts.downloads++;
    },
    async () => {
      const old = oldUrls[Math.floor(Math.random() * oldUrls.length)];
      if (!old) return;
      await check(old.url, old.path, old.hash);
      counts["old URLs"]++;
    },
    async () => {
      const path = some();
      if (!stored.delete(path)) return;
      const { status } = await call(`${anyUrl()}/api/storage/delete/`, {
        key: key!,
        body: { file_paths: [path] },
      });
      if (status !== 200) throw new Error(`a delete got ${status}`);
      counts.deletes++;
    },
  ].map(async (work) => {
    while (!end.signal.aborted) {
      await work().catch((error: unknown) => void failures.push(error));
      await sleep(20);
    }
  });

  async function urlOf(path: string): Promise<string | null> {
    const { status, body } = await call<DownloadResponse>(`${anyUrl()}/api/storage/download/`, {
      key: key!,
      body: { file_path: path },
    });
    if (status === 200) return body.presigned_url;
    if (!stored.has(path)) return null;
    throw new Error(`no URL for a download: ${status}`);
  }

  async function check(url: string, path: string, hash: string): Promise<void> {
    if (!stored.has(path)) return;
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
    const found = md5(new Uint8Array(await response.arrayBuffer()));
    // The file may have been deleted meanwhile.
    if ((response.status !== 200 || found !== hash) && stored.has(path))
      throw new Error(`a download got ${response.status}`);
  }

  async function seed() {
    const presigner = createPresigner({
      endpoint: eu.endpoint,
      region: "us-east-1",
      bucket: eu.bucket,
      credentials: keys,
    });
    const [tenant] = await sql`
      select t.project_id as project, t.id, t.ref from tenants t join projects p on p.id = t.project_id where p.ref = ${ref!}`;
    const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const files = Array.from({ length: FILES }, (_, n) => ({
      path: `projects/${ref}/tenants/${tenant!["ref"]}/${String(n).padStart(22, "0")}_a.txt`,
      size: bytesOf(n).length,
      etag: md5(bytesOf(n)),
    }));
    let next = 0;
    const put = async () => {
      for (let n = next++; n < FILES; n = next++) {
        const url = await presigner.presignPut({
          path: files[n]!.path,
          contentType: "text/plain",
          sizeBytes: undefined,
          contentMd5: undefined,
          signedAt: new Date(),
          expiresInSeconds: 600,
        });
        const sent = request(url, { method: "PUT", agent, headers: { "Content-Type": "text/plain" } }).end(
          bytesOf(n),
        );
        const [answer] = (await once(sent, "response")) as [IncomingMessage];
        answer.resume();
        await once(answer, "end");
        if (answer.statusCode !== 200) throw new Error(`a PUT got ${answer.statusCode}`);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, put));
    agent.destroy();
    await sql`
      insert into files (project_id, tenant, path, filename, content_type, size, etag, status, url_expires_at, created_at, stored_at)
      select ${tenant!["project"]}, ${tenant!["id"]}, f.path, 'a.txt', 'text/plain', f.size, f.etag, 'stored', now() - interval '2 hours',
             now() - interval '3 hours', now() - interval '3 hours'
      from jsonb_to_recordset(${sql.json(files)}) f (path text, size bigint, etag text)`;
    // The counters of the tenant and of the day.
    const repaired = await stowage(["reconcile", "--project", ref!, "--repair"]);
    expect(repaired.errors).toBe("");
    return { paths: files.map(({ path }) => path), hashes: files.map(({ etag }) => etag) };
  }

  let kills = 0;
  const move = ["project", "move-storage", ref!, "--to", "us"];
  const dieAt = async (wanted: string) => {
    const { code, errors } = await stowage(move, (line) => line.startsWith(wanted));
    expect([code, errors]).toEqual([null, ""]);
    kills++;
    said(`killed at: ${wanted}`);
  };
  // The command says each thousand objects. FILES is at least 10,000.
  const part = Math.floor(FILES / 10_000) * 2000;
  await dieAt("Waiting ");
  await sleep(75_000);
  for (const objects of [part, part, part / 2, 1000]) await dieAt(`${objects} objects copied`);
  const moved = await stowage(move);
  expect([moved.code, moved.errors]).toEqual([0, ""]);
  await sleep(15_000);
  end.abort();
  await Promise.all(loops);
  said(`load: ${JSON.stringify(counts)}, ${failures.length} failures`);
  expect(failures).toEqual([]);

  const client = new S3Client({
    endpoint: us.endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: keys,
  });
  const found = new Map<string, string>();
  const prefix = `projects/${ref}/`;
  for await (const page of paginateListObjectsV2({ client }, { Bucket: us.bucket, Prefix: prefix }))
    for (const { Key, ETag } of page.Contents ?? []) found.set(Key!, ETag!.replaceAll('"', ""));
  client.destroy();
  const lost = [...stored].filter(([path, hash]) => found.get(path) !== hash);
  expect(lost).toEqual([]);
  // One file is older than the seed.
  expect(found.size).toBe(stored.size + 1);
  for (let n = 0; n < 2000; n++) {
    const path = some();
    const hash = stored.get(path);
    if (hash !== undefined) await check((await urlOf(path))!, path, hash);
  }
  const [counters] = await sql`
    select t.used_bytes::int as used, t.file_count::int as files, t.reserved_bytes::int as reserved,
      sum(f.size)::int as bytes, count(*)::int as rows
    from tenants t join projects p on p.id = t.project_id join files f on f.project_id = t.project_id and f.status = 'stored'
    where p.ref = ${ref!} group by t.project_id, t.id`;
  said(`counters: ${JSON.stringify(counters)}`);
  expect(counters).toMatchObject({ used: counters!["bytes"], files: counters!["rows"], reserved: 0 });
  expect(counters!["files"]).toBe(stored.size + 1);
  expect((await stowage(["reconcile", "--project", ref!])).lines).toEqual([
    "No drift: counters, files and bucket agree.",
  ]);

  await sql`update storage_moves set urls_end_at = now()`;
  await dieAt("1000 old copies deleted");
  const ended = await stowage(move);
  expect([ended.code, ended.errors]).toEqual([0, ""]);
  said(`${kills} kills, ${stored.size + 1} files, nothing lost`);
});
