import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aSourceStore, SOURCE_BUCKET } from "../fixtures/a-source-store.js";
import { aStorageProxy } from "../fixtures/a-storage-proxy.js";
import { flags, stowage } from "../fixtures/command-line.js";
import { listStoredObjects, queryDatabase, readStoredObject, sha256 } from "../fixtures/direct-access.js";
import { operatorClient } from "../fixtures/operator-client.js";

/* `stowage import` from a bucket. */

const LIMIT_MS = 120_000;
const PATTERN = "users/{tenant}/{folder}/{filename}";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stowage-import-"));
});
afterAll(() => rm(dir, { recursive: true }));

const aTablePath = () => join(dir, `${randomBytes(6).toString("hex")}.ndjson`);
const md5 = (bytes: Uint8Array | string) => createHash("md5").update(bytes).digest("hex");

/** Starts a process that can write 1,024 bytes (POSIX: 2 units of 512) to a file, as if the disk was full then. */
const LIMITED = ["sh", "-c", 'ulimit -f 2; exec "$0" "$@"', process.execPath];

interface Line {
  type: string;
  key: string;
  file_path: string;
  tenant_id: string;
  size: number;
  md5: string | null;
}

async function readTable(path: string): Promise<Line[]> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Line).filter(({ type }) => type === "file");
}

interface Row {
  path: string;
  tenantId: string;
  filename: string;
  folder: string;
  contentType: string;
  cacheControl: string | null;
  metadata: Record<string, string>;
  size: string;
  etag: string;
  status: string;
  createdAt: Date;
}

/** The files of a project, by the ends of their paths. */
const readFiles = (ref: string) =>
  queryDatabase<Row>(
    `select f.path, t.tenant_id as "tenantId", f.filename, f.folder, f.content_type as "contentType",
       f.cache_control as "cacheControl", f.metadata, f.size, f.etag, f.status, f.created_at as "createdAt"
     from files f join projects p on p.id = f.project_id join tenants t on t.project_id = f.project_id and t.id = f.tenant
     where p.ref = $1 order by f.filename`,
    [ref],
  );

const readTenants = (ref: string) =>
  queryDatabase<{ tenantId: string; used: string; reserved: string; files: number }>(
    `select tenant_id as "tenantId", used_bytes as used, reserved_bytes as reserved, file_count as files
     from tenants t join projects p on p.id = t.project_id where p.ref = $1 order by tenant_id`,
    [ref],
  );

/** The arguments of an import into a project. */
const argsOf = (ref: string, endpoint: string, ...more: string[]) => [
  "import",
  ...flags({ project: ref, from: `s3://${SOURCE_BUCKET}/users/`, endpoint, json: true }),
  ...more,
];

/** Runs an import that must print JSON, and returns the last line of it. */
async function run(args: string[], settings: Record<string, string>) {
  const { code, stdout, stderr } = await stowage(args, settings);
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  return { code, stderr, result: last === "" ? null : (JSON.parse(last) as Record<string, unknown>) };
}

test(
  "objects of another server become files with their names, folders, types, metadata and times",
  async () => {
    await using source = await aSourceStore();
    const large = randomBytes(9 * 1024 ** 2);
    await source.put("users/u1/reports/2026/a.txt", "hello", {
      ContentType: "text/plain; charset=utf-8",
      CacheControl: "max-age=5",
      Metadata: { invoice: "1001" },
    });
    await source.put("users/u1/b.png", "png", { ContentType: "binary/octet-stream" });
    await source.put("users/u2/empty", "");
    await source.put("users/u2/large.bin", large, { ContentType: "application/octet-stream" });
    await source.put("users/u2/folder/", "");
    await source.put("other/u3/c.txt", "not below the prefix");
    const { ref } = await aProject();
    const table = aTablePath();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", table);

    const plan = await run(argsOf(ref, source.endpoint, "--pattern", PATTERN, "--dry-run"), source.settings);
    const bytes = 8 + large.length;
    const folder = { reason: "folder_marker", count: 1, examples: ["users/u2/folder/"] };
    expect(plan).toMatchObject({
      code: 0,
      result: { files: 4, bytes, tenants: 2, done: 0, skipped: [folder], over_quota: [] },
    });
    expect(await readFiles(ref)).toEqual([]);

    const before = Date.now();
    const first = await run(args, source.settings);
    expect(first).toEqual({
      code: 0,
      stderr: "",
      result: { files: 4, bytes, done: 0, skipped: [folder] },
    });
    const rows = await readFiles(ref);
    expect(rows).toMatchObject([
      {
        tenantId: "u1",
        filename: "a.txt",
        folder: "reports/2026",
        contentType: "text/plain; charset=utf-8",
        cacheControl: "max-age=5",
        metadata: { invoice: "1001" },
        size: "5",
        etag: md5("hello"),
        status: "stored",
      },
      { filename: "b.png", folder: "", contentType: "image/png", metadata: {} },
      { tenantId: "u2", filename: "empty", size: "0" },
      { filename: "large.bin", size: String(large.length) },
    ]);
    for (const { createdAt } of rows) {
      expect(createdAt.getTime()).toBeLessThanOrEqual(before + 1000);
      expect(createdAt.getTime()).toBeGreaterThan(before - LIMIT_MS);
    }
    expect(await readTenants(ref)).toEqual([
      { tenantId: "u1", used: "8", reserved: "0", files: 2 },
      { tenantId: "u2", used: String(large.length), reserved: "0", files: 2 },
    ]);
    const lines = await readTable(table);
    expect(lines).toHaveLength(4);
    for (const { key, file_path, size } of lines) {
      const row = rows.find(({ path }) => path === file_path)!;
      expect([key.endsWith(`/${row.filename}`), String(size)]).toEqual([true, row.size]);
      expect(file_path).toMatch(/^projects\/\w{22}\/tenants\/\w{22}\/\w{22}_[\w.]+$/);
    }
    const ofLarge = lines.find(({ key }) => key.endsWith("large.bin"))!;
    expect(ofLarge).toMatchObject({ tenant_id: "u2", md5: md5(large) });
    expect(await readStoredObject(ofLarge.file_path)).toMatchObject({ sha256: sha256(large) });

    const again = await run(args, source.settings);
    expect(again).toMatchObject({ code: 0, result: { files: 0, bytes: 0, done: 4 } });
    expect(await readFiles(ref)).toHaveLength(4);
  },
  LIMIT_MS,
);

test(
  "a later run takes new objects, names changed ones, and does not bring back deleted files",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/u1/a", "1");
    await source.put("users/u1/b", "1");
    const { ref } = await aProject();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", aTablePath());
    expect(await run(args, source.settings)).toMatchObject({ code: 0, result: { files: 2 } });
    await queryDatabase(
      "delete from files where filename = 'a' and project_id = (select id from projects where ref = $1)",
      [ref],
    );
    await source.put("users/u1/b", "other bytes");
    await source.put("users/u1/c", "1");
    expect(await run(args, source.settings)).toMatchObject({
      code: 2,
      result: { files: 1, done: 1, skipped: [{ reason: "changed", count: 1, examples: ["users/u1/b"] }] },
    });
    expect((await readFiles(ref)).map(({ filename }) => filename)).toEqual(["b", "c"]);
  },
  LIMIT_MS,
);

test(
  "keys that no file or tenant can have are named, and the others are imported",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/u1/a", "1");
    await source.put("users/u1//a", "1");
    await source.put("users/u1/x//a", "1");
    await source.put("users/u1/\u0001", "1");
    await source.put("users/ /a", "1");
    await source.put("users/u1/metadata", "1", {
      Metadata: { note: "x".repeat(2000), more: "y".repeat(30) },
    });
    const { ref } = await aProject();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", aTablePath());
    const { code, result } = await run(args, source.settings);
    expect([code, result?.["files"]]).toEqual([2, 1]);
    const skipped = result?.["skipped"] as { reason: string; examples: string[] }[];
    expect(Object.fromEntries(skipped.map(({ reason, examples }) => [reason, examples]))).toEqual({
      no_match: ["users/u1//a"],
      invalid_folder: ["users/u1/x//a"],
      invalid_filename: ["users/u1/\u0001"],
      invalid_tenant_id: ["users/ /a"],
      invalid_metadata: ["users/u1/metadata"],
    });
    expect((await listStoredObjects(`projects/${ref}/`)).size).toBe(1);
  },
  LIMIT_MS,
);

test(
  "odd keys become files, two of one name too",
  async () => {
    await using source = await aSourceStore();
    const bytesOf = (key: string) => `bytes of ${key}`;
    const long = `${"d".repeat(100)}/`.repeat(9);
    const keys = [
      "/lead",
      "x/../y",
      "./z",
      "a//b",
      "1/same.txt",
      "2/same.txt",
      "%2e%2e/+ &?#ä'",
      `${long}${"n".repeat(115)}`,
    ];
    expect(Buffer.byteLength(keys.at(-1)!)).toBe(1024);
    for (const key of keys) await source.put(key, bytesOf(key));
    await source.put("folder/", "");
    await source.put("no-folder/", "1");
    const { ref } = await aProject();
    const table = aTablePath();
    const args = flags({
      project: ref,
      tenant: "t",
      from: `s3://${SOURCE_BUCKET}`,
      endpoint: source.endpoint,
      table,
      json: true,
    });
    expect(await run(["import", ...args], source.settings)).toMatchObject({
      code: 2,
      stderr: "",
      result: {
        files: keys.length,
        skipped: [
          { reason: "folder_marker", examples: ["folder/"] },
          { reason: "invalid_filename", examples: ["no-folder/"] },
        ],
      },
    });
    const lines = await readTable(table);
    expect(lines.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    for (const { key, file_path } of lines)
      expect(await readStoredObject(file_path)).toMatchObject({ sha256: sha256(Buffer.from(bytesOf(key))) });
  },
  LIMIT_MS,
);

test(
  "a table that cannot be written ends the run with one sentence, and the next run goes on",
  async () => {
    await using source = await aSourceStore();
    for (let index = 0; index < 8; index++) await source.put(`users/u1/${index}`, "1");
    const { ref } = await aProject();
    const table = aTablePath();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", table);
    const limited = await stowage(args, source.settings, "", LIMITED);
    expect([limited.code, limited.stderr]).toEqual([
      1,
      expect.stringMatching(/^The table cannot be written \(EFBIG\)/),
    ]);
    expect(await run(args, source.settings)).toMatchObject({ code: 0, result: { files: 0, done: 8 } });
    expect((await readTable(table)).map(({ key }) => key)).toHaveLength(8);
    expect(await readFiles(ref)).toHaveLength(8);
  },
  LIMIT_MS,
);

test(
  "nothing is copied if something is beyond a quota, unless that is allowed",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/u1/a", "12345");
    await source.put("users/u1/b", "12345");
    await source.put("users/u2/a", "12345");
    const { ref } = await aProject({ defaultQuotaBytes: 9 });
    const table = aTablePath();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", table);
    expect(await run([...args, "--dry-run"], source.settings)).toMatchObject({
      code: 2,
      result: {
        files: 3,
        over_quota: [{ tenant_id: "u1", files: 2, bytes: 10, excess_bytes: 1, excess_files: 0 }],
      },
    });
    const refused = await run(args, source.settings);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^1 tenant .*--allow-over-quota/),
    ]);
    expect(await readTenants(ref)).toEqual([]);
    expect((await listStoredObjects(`projects/${ref}/`)).size).toBe(0);

    const allowed = await run([...args, "--allow-over-quota"], source.settings);
    expect(allowed).toMatchObject({ code: 0, result: { files: 3 } });
    expect(await readTenants(ref)).toMatchObject([
      { tenantId: "u1", used: "10" },
      { tenantId: "u2", used: "5" },
    ]);
  },
  LIMIT_MS,
);

test(
  "one server copies the objects itself: no byte of them passes the command",
  async () => {
    const servers = inject("servers");
    const client = operatorClient();
    const bucket = `test-${randomBytes(6).toString("hex")}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const bytes = randomBytes(500_000);
    for (const key of ["u1/a b+c%ä", "u2/b"])
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, ContentType: "image/png" }),
      );
    client.destroy();
    const proxy = await aStorageProxy(servers.S3_ENDPOINT);
    try {
      const { ref } = await aProject();
      const table = aTablePath();
      const args = [
        "import",
        ...flags({
          project: ref,
          from: `s3://${bucket}`,
          endpoint: proxy.url,
          json: true,
          pattern: "{tenant}/{filename}",
          table,
        }),
      ];
      const settings = {
        S3_ENDPOINT: proxy.url,
        SOURCE_ACCESS_KEY_ID: servers.S3_ACCESS_KEY_ID,
        SOURCE_SECRET_ACCESS_KEY: servers.S3_SECRET_ACCESS_KEY,
      };
      expect(await run(args, settings)).toMatchObject({ code: 0, stderr: "", result: { files: 2 } });
      expect(proxy.bodyBytes()).toBeLessThan(100_000);
      for (const { file_path, md5: hash } of await readTable(table)) {
        expect(hash).toBe(md5(bytes));
        expect(await readStoredObject(file_path)).toMatchObject({ sha256: sha256(bytes) });
      }
    } finally {
      proxy.close();
    }
  },
  LIMIT_MS,
);

test(
  "a bucket of the service is imported without what the service has written there",
  async () => {
    const servers = inject("servers");
    const { ref } = await aProject();
    const client = operatorClient();
    const prefix = `old-${randomBytes(6).toString("hex")}`;
    const put = (Key: string) =>
      client.send(new PutObjectCommand({ Bucket: servers.S3_BUCKET, Key, Body: "x" }));
    await put(`${prefix}/u1/a`);
    await put(`projects/${ref}/left-behind`);
    client.destroy();
    const args = (from: string) => [
      "import",
      ...flags({
        project: ref,
        from,
        endpoint: servers.S3_ENDPOINT,
        json: true,
        "dry-run": true,
        tenant: "t",
      }),
    ];
    const settings = {
      SOURCE_ACCESS_KEY_ID: servers.S3_ACCESS_KEY_ID,
      SOURCE_SECRET_ACCESS_KEY: servers.S3_SECRET_ACCESS_KEY,
    };
    const own = `s3://${servers.S3_BUCKET}`;
    expect(await run(args(`${own}/${prefix}/`), settings)).toMatchObject({ result: { files: 1 } });
    expect(await run(args(`${own}/projects/${ref}/`), settings)).toMatchObject({ result: { files: 0 } });
  },
  LIMIT_MS,
);

test(
  "ETags that are no MD5 do not stop an import: the bytes are read twice",
  async () => {
    await using source = await aSourceStore({ encryption: "aws:kms" });
    const large = randomBytes(9 * 1024 ** 2);
    const kms = { ServerSideEncryption: "aws:kms" } as const;
    await source.put("users/u1/small", "hello", kms);
    await source.put("users/u1/large", large, kms);
    const { ref } = await aProject();
    const table = aTablePath();
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--table", table);
    expect(await run(args, source.settings)).toMatchObject({ code: 0, result: { files: 2 } });
    const lines = await readTable(table);
    expect(lines.map((line) => line.md5).toSorted()).toEqual([md5(large), md5("hello")].toSorted());
  },
  LIMIT_MS,
);

test(
  "a list of owners says the tenants, and what it does not name is left",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/1.png", "1");
    await source.put("users/2.png", "2");
    const owners = aTablePath();
    await writeFile(owners, '{"key":"users/1.png","tenant_id":"ada"}\n');
    const { ref } = await aProject();
    const args = argsOf(ref, source.endpoint, "--owners", owners, "--table", aTablePath());
    expect(await run(args, source.settings)).toMatchObject({
      code: 2,
      result: { files: 1, skipped: [{ reason: "no_tenant", examples: ["users/2.png"] }] },
    });
    expect(await readTenants(ref)).toMatchObject([{ tenantId: "ada" }]);
  },
  LIMIT_MS,
);

test(
  "a table of another import is refused, and so are other options after a run that was stopped",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/u1/a", "1");
    const [one, other] = [await aProject(), await aProject()];
    const table = aTablePath();
    const args = (ref: string, pattern = PATTERN) =>
      argsOf(ref, source.endpoint, "--pattern", pattern, "--table", table);
    expect(await run(args(one.ref), source.settings)).toMatchObject({ code: 0 });
    const refused = await run(args(other.ref), source.settings);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("of another import")]);

    const lines = (await readFile(table, "utf8")).split("\n");
    // As a run leaves it that was killed after its first line.
    await writeFile(table, `${lines[0]}\n`);
    const changed = await run(args(one.ref, "users/{tenant}/{filename}"), source.settings);
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining("was stopped")]);
    expect(await run(args(one.ref), source.settings)).toMatchObject({
      code: 0,
      result: { done: 1, files: 0 },
    });
    expect(await readTable(table)).toHaveLength(1);
  },
  LIMIT_MS,
);

test.each([
  [["--from", "s3://old-files"], "Say --table a file, or --dry-run."],
  [["--from", "s3://old-files", "--dry-run"], "Say the tenants by {tenant} in --pattern"],
  [["--from", "gs://old-files", "--dry-run", "--tenant", "t"], "--from must be s3://BUCKET/PREFIX."],
  [["--from", "s3://A_B", "--dry-run", "--tenant", "t"], "The bucket of --from must be a bucket name."],
  [["--from", "s3://old-files", "--dry-run", "--pattern", "{x}"], "--pattern has {x}."],
  [["--from", "s3://old-files", "--dry-run", "--tenant", " "], "must be a tenant_id"],
  [["--from", "uploadthing", "--dry-run", "--tenant", "t"], "Set UPLOADTHING_TOKEN."],
  [["--from", "supabase://b", "--dry-run", "--tenant", "t"], "Say --endpoint"],
])("refuses the options %j", async (args, message) => {
  const { code, stderr } = await stowage(["import", "--project", "x", ...args]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message.replace(/\.$/, ""))]);
});

test(
  "a source that refuses its keys, or has no such bucket, is named, and the keys are not",
  async () => {
    await using source = await aSourceStore();
    const { ref } = await aProject();
    const wrong = { ...source.settings, SOURCE_SECRET_ACCESS_KEY: "wrong-secret" };
    const args = argsOf(ref, source.endpoint, "--pattern", PATTERN, "--dry-run");
    const refused = await run(args, wrong);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("SignatureDoesNotMatch")]);
    expect(refused.stderr).not.toContain("wrong-secret");
    const other = args.map((arg) => (arg.startsWith("s3://") ? "s3://no-such-bucket" : arg));
    expect((await run(other, source.settings)).stderr).toContain("NoSuchBucket");
  },
  LIMIT_MS,
);

test(
  "of a bucket with versions, only the current ones are asked for, and an object that is deleted meanwhile is left",
  async () => {
    await using source = await aSourceStore();
    await source.put("users/u/a.txt", "first");
    await source.put("users/u/a.txt", "current");
    await source.put("users/u/b.txt", "deleted after it is listed");
    const requests: string[] = [];
    const proxy = await aStorageProxy(source.endpoint, (_, { url = "" }) => {
      requests.push(url);
      // What storage answers for an object whose current version is a delete marker.
      return url.includes("/b.txt") ? { status: 404, code: "NoSuchKey" } : true;
    });
    try {
      const { ref } = await aProject();
      const args = argsOf(ref, proxy.url, "--pattern", PATTERN, "--table", aTablePath());
      expect(await run(args, source.settings)).toMatchObject({
        code: 2,
        stderr: "",
        result: { files: 1, skipped: [{ reason: "gone", count: 1, examples: ["users/u/b.txt"] }] },
      });
      expect(await readFiles(ref)).toMatchObject([{ filename: "a.txt", etag: md5("current") }]);
      // Without a version, storage answers the current one: https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
      expect(requests.some((url) => url.includes("list-type=2"))).toBe(true);
      expect(requests.filter((url) => /version/i.test(url))).toEqual([]);
    } finally {
      proxy.close();
    }
  },
  LIMIT_MS,
);
