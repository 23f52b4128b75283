import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { flags, stowage } from "../fixtures/command-line.js";
import { listStoredObjects, queryDatabase, readStoredObject, sha256 } from "../fixtures/direct-access.js";
import {
  anUploadThing,
  aSupabase,
  type OtherFile,
  SUPABASE_KEY,
  UPLOADTHING_KEY,
  uploadThingToken,
} from "../fixtures/other-stores.js";

/* Imports from UploadThing and Supabase by their APIs, as fronts of ours answer them. */

const LIMIT_MS = 120_000;

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stowage-import-"));
});
afterAll(() => rm(dir, { recursive: true }));

const aTablePath = () => join(dir, `${randomBytes(6).toString("hex")}.ndjson`);

async function run(args: string[], settings: Record<string, string>) {
  const { code, stdout, stderr } = await stowage(["import", "--json", ...args], settings);
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  return { code, stdout, stderr, result: last === "" ? null : JSON.parse(last) };
}

const readFiles = (ref: string) =>
  queryDatabase<{ path: string }>(
    `select path, t.tenant_id as "tenantId", filename, folder, content_type as "contentType", metadata,
       f.created_at as "createdAt"
     from files f join tenants t on t.project_id = f.project_id and t.id = f.tenant
     where f.project_id = (select id from projects where ref = $1) and status = 'stored' order by filename`,
    [ref],
  );

/** Larger than one part. */
const large = randomBytes(9 * 1024 ** 2);
const text = (key: string, more: Partial<OtherFile> = {}): OtherFile => ({
  key,
  bytes: Buffer.from(`bytes of ${key}`),
  contentType: "text/plain",
  ...more,
});

test(
  "files of UploadThing are imported with their names, the tenants of their custom IDs and their times",
  async () => {
    const files = [
      text("k1", { name: "Résumé.txt", customId: "ada:1" }),
      text("k2", { name: "film.mp4", customId: "grace:2", bytes: large, contentType: "video/mp4" }),
      text("k3", { name: "pending.txt", customId: "ada:3", isUploaded: false }),
      text("k4", { name: "unknown.txt" }),
      text("k5+/ä", { name: "odd key.txt", customId: "ada:5" }),
    ];
    await using front = await anUploadThing(files);
    const { ref } = await aProject();
    const args = [
      ...flags({
        project: ref,
        from: "uploadthing",
        pattern: "{tenant}:*",
        table: aTablePath(),
        endpoint: front.url,
        "files-endpoint": front.url,
      }),
    ];
    const settings = { UPLOADTHING_TOKEN: uploadThingToken };
    front.fail(1);
    expect(await run(args, settings)).toMatchObject({
      code: 2,
      stderr: "",
      result: { files: 3, skipped: [{ reason: "no_match", count: 1, examples: ["k4"] }] },
    });
    const rows = await readFiles(ref);
    const createdAt = new Date(1_700_000_000_000);
    expect(rows).toMatchObject([
      { tenantId: "ada", filename: "Résumé.txt", folder: "", contentType: "text/plain", createdAt },
      { tenantId: "grace", filename: "film.mp4", contentType: "video/mp4" },
      { tenantId: "ada", filename: "odd key.txt" },
    ]);
    expect(await readStoredObject(rows[1]!.path)).toMatchObject({ sha256: sha256(large) });
    expect(await run(args, settings)).toMatchObject({ result: { files: 0, done: 3 } });
  },
  LIMIT_MS,
);

test(
  "objects of Supabase are imported with their folders, metadata and times",
  async () => {
    const files = [
      text("ada/reports/1 +ü.txt", { metadata: { invoice: "1001", paid: true } }),
      text("ada/large", { bytes: large, contentType: "application/zip" }),
      text("ada/empty", { bytes: Buffer.alloc(0) }),
      text("grace/pending", { isUploaded: false }),
      text("other/not-below-the-prefix"),
    ];
    await using front = await aSupabase("user files", files);
    const { ref } = await aProject();
    const args = [
      ...flags({
        project: ref,
        from: "supabase://user files/ada/",
        endpoint: `${front.url}/`,
        pattern: "{tenant}/{folder}/{filename}",
        table: aTablePath(),
      }),
    ];
    const settings = { SUPABASE_SECRET_KEY: SUPABASE_KEY };
    front.fail(2);
    expect(await run(args, settings)).toMatchObject({
      code: 0,
      stderr: "",
      result: { files: 3, skipped: [] },
    });
    const rows = await readFiles(ref);
    const createdAt = new Date("2024-02-03T04:05:06.789Z");
    expect(rows).toMatchObject([
      { filename: "1 +ü.txt", folder: "reports", metadata: { invoice: "1001", paid: "true" }, createdAt },
      { filename: "empty" },
      { filename: "large", folder: "", contentType: "application/zip" },
    ]);
    expect(await readStoredObject(rows[2]!.path)).toMatchObject({ sha256: sha256(large) });
    expect(await run(args, settings)).toMatchObject({ code: 0, result: { files: 0, done: 3 } });
  },
  LIMIT_MS,
);

test(
  "a key with .. leads to no other call of the API, and does not end the import of the others",
  async () => {
    const files = Array.from({ length: 600 }, (_, index) => text(`a/../../../../auth/v1/users/${index}`));
    await using supabase = await aSupabase("b", [...files, text("z/good")], files.length);
    await using uploadThing = await anUploadThing([text(".."), text("good")]);
    const { ref } = await aProject();
    const common = { project: ref, tenant: "t" };
    const ofSupabase = flags({
      ...common,
      from: "supabase://b",
      endpoint: supabase.url,
      table: aTablePath(),
    });
    expect(await run(ofSupabase, { SUPABASE_SECRET_KEY: SUPABASE_KEY })).toMatchObject({
      code: 2,
      result: { files: 1, skipped: [{ reason: "invalid_key", count: 600 }] },
    });
    const ofUploadThing = flags({
      ...common,
      from: "uploadthing",
      endpoint: uploadThing.url,
      "files-endpoint": uploadThing.url,
      table: aTablePath(),
    });
    expect(await run(ofUploadThing, { UPLOADTHING_TOKEN: uploadThingToken })).toMatchObject({
      code: 2,
      result: { files: 1, skipped: [{ reason: "invalid_key", count: 1, examples: [".."] }] },
    });
  },
  LIMIT_MS,
);

test(
  "objects that are larger than listed take no more than the quota, and the next run takes them if it is raised",
  async () => {
    const files = ["a", "b", "c"].map((key) => text(key, { bytes: Buffer.alloc(10, "x"), listedSize: 1 }));
    await using front = await anUploadThing(files);
    const { ref } = await aProject({ defaultQuotaBytes: 25 });
    const args = flags({
      project: ref,
      tenant: "t",
      from: "uploadthing",
      endpoint: front.url,
      "files-endpoint": front.url,
      table: aTablePath(),
    });
    const settings = { UPLOADTHING_TOKEN: uploadThingToken };
    expect(await run(args, settings)).toMatchObject({
      code: 2,
      result: { files: 2, bytes: 20, skipped: [{ reason: "over_quota", count: 1 }] },
    });
    expect(await readFiles(ref)).toHaveLength(2);
    expect((await listStoredObjects(`projects/${ref}/`)).size).toBe(2);
    await queryDatabase("update projects set default_quota_bytes = 30 where ref = $1", [ref]);
    expect(await run(args, settings)).toMatchObject({ code: 0, result: { files: 1, done: 2, skipped: [] } });
    const used = await queryDatabase(
      "select used_bytes::int as used, file_count::int as files from tenants where project_id = (select id from projects where ref = $1)",
      [ref],
    );
    expect(used).toEqual([{ used: 30, files: 3 }]);
  },
  LIMIT_MS,
);

test(
  "a secret that is refused is never printed",
  async () => {
    const { ref } = await aProject();
    const common = ["--project", ref, "--dry-run", "--tenant", "t"];
    await using uploadThing = await anUploadThing([text("k")]);
    await using supabase = await aSupabase("b", [text("k")]);
    const token = Buffer.from(JSON.stringify({ apiKey: "sk_wrong", appId: "app1" })).toString("base64");
    const ofUploadThing = ["--from", "uploadthing", "--endpoint", uploadThing.url];
    const ofSupabase = ["--from", "supabase://b", "--endpoint", supabase.url];
    const refused = await run([...common, ...ofUploadThing], { UPLOADTHING_TOKEN: token });
    expect([refused.code, refused.stderr]).toEqual([1, "UploadThing refuses it (HTTP 401)\n"]);
    const denied = await run([...common, ...ofSupabase], { SUPABASE_SECRET_KEY: "sb_wrong" });
    expect([denied.code, denied.stderr]).toEqual([1, "Supabase refuses it (HTTP 403)\n"]);
    const none = await run([...common, ...ofUploadThing], { UPLOADTHING_TOKEN: UPLOADTHING_KEY });
    expect(none.stderr).toMatch(/^UPLOADTHING_TOKEN must be/);
    for (const { stdout, stderr } of [refused, denied, none])
      expect(stdout + stderr).not.toMatch(/sk_|sb_|signature/);
  },
  LIMIT_MS,
);
