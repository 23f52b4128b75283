import { createHash, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { aSourceStore, SOURCE_BUCKET } from "../fixtures/a-source-store.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { flags, stowage } from "../fixtures/command-line.js";
import { queryDatabase } from "../fixtures/direct-access.js";

/* `stowage export`. The files come from an import, which is tested beside this. */

const LIMIT_MS = 120_000;
const md5 = (bytes: Uint8Array | string) => createHash("md5").update(bytes).digest("hex");

test(
  "the files of a project are copied to another bucket, once, with a table of what they are",
  async () => {
    await using other = await aSourceStore();
    const large = randomBytes(9 * 1024 ** 2);
    await other.put("in/u 1/reports/ä.txt", "hello", {
      ContentType: "text/plain",
      Metadata: { invoice: "7" },
    });
    await other.put("in/u 1/empty", "");
    await other.put("in/u2/large", large);
    const { ref } = await aProject();
    const imported = await stowage(
      [
        "import",
        ...flags({
          project: ref,
          from: `s3://${SOURCE_BUCKET}/in/`,
          endpoint: other.endpoint,
          pattern: "in/{tenant}/{folder}/{filename}",
          table: join(other.dir, "import.ndjson"),
        }),
      ],
      other.settings,
    );
    expect([imported.code, imported.stderr]).toEqual([0, ""]);

    const table = join(other.dir, "export.ndjson");
    const run = async () => {
      const { code, stdout, stderr } = await stowage(
        [
          "export",
          ...flags({
            project: ref,
            to: `s3://${SOURCE_BUCKET}/out/`,
            endpoint: other.endpoint,
            table,
            json: true,
          }),
        ],
        other.settings,
      );
      return { code, stderr, result: JSON.parse(stdout.trimEnd().split("\n").at(-1)!) };
    };
    const bytes = 5 + large.length;
    expect(await run()).toEqual({ code: 0, stderr: "", result: { files: 3, bytes, done: 0, skipped: [] } });
    const lines = (await readFile(table, "utf8"))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const files = lines.filter(({ type }) => type === "file");
    expect(files.find(({ filename }) => filename === "ä.txt")).toMatchObject({
      tenant_id: "u 1",
      folder: "reports",
      content_type: "text/plain",
      metadata: { invoice: "7" },
      size: 5,
      md5: md5("hello"),
      visibility: "private",
      scan_status: "none",
    });
    const hashes: string[] = [];
    for (const { key, target_key } of files) {
      expect(target_key).toBe(`out/${String(key)}`);
      const wanted = { Bucket: SOURCE_BUCKET, Key: String(target_key) };
      const { Body } = await other.client.send(new GetObjectCommand(wanted));
      hashes.push(md5(await Body!.transformToByteArray()));
    }
    expect(hashes.toSorted()).toEqual([md5("hello"), md5(""), md5(large)].toSorted());

    expect(await run()).toMatchObject({ code: 0, result: { files: 0, done: 3 } });
    // As a run leaves it that was killed before it wrote the lines of a batch.
    await writeFile(table, `${JSON.stringify(lines[0])}\n`);
    await queryDatabase(
      "delete from files where filename = 'empty' and project_id = (select id from projects where ref = $1)",
      [ref],
    );
    expect(await run()).toMatchObject({ code: 0, result: { files: 2, done: 0 } });
    const listed = await other.client.send(
      new ListObjectsV2Command({ Bucket: SOURCE_BUCKET, Prefix: "out/" }),
    );
    expect(listed.KeyCount).toBe(3);
  },
  LIMIT_MS,
);

test(
  "versions stay behind, like all of the trash",
  async () => {
    await using other = await aSourceStore();
    const service = await aService();
    const { ref, apiKey } = await aProject({ trashDays: 7, maxVersions: 3 });
    const { file_path: replaces } = await aStoredFile(service.url, apiKey, { bytes: "old" });
    const { file_path } = await aStoredFile(service.url, apiKey, { bytes: "newer", replaces });
    await service.close();
    const to = `s3://${SOURCE_BUCKET}/out/`;
    const table = join(other.dir, "export.ndjson");
    const args = flags({ project: ref, to, endpoint: other.endpoint, table });
    expect(await stowage(["export", ...args], other.settings)).toMatchObject({ code: 0, stderr: "" });
    const listed = await other.client.send(
      new ListObjectsV2Command({ Bucket: SOURCE_BUCKET, Prefix: "out/" }),
    );
    expect(listed.Contents?.map(({ Key, Size }) => [Key, Size])).toEqual([[`out/${file_path}`, 5]]);
  },
  LIMIT_MS,
);

test(
  "a target that takes few parts gets larger ones with --max-parts",
  async () => {
    await using other = await aSourceStore({ maxPartNumber: 2 });
    const service = await aService();
    const { ref, apiKey } = await aProject();
    const bytes = randomBytes(17 * 1024 ** 2);
    const { file_path } = await aStoredFile(service.url, apiKey, { bytes });
    await service.close();
    const to = `s3://${SOURCE_BUCKET}/out/`;
    const table = join(other.dir, "export.ndjson");
    const args = flags({ project: ref, to, endpoint: other.endpoint, table, "max-parts": "2" });
    expect(await stowage(["export", ...args], other.settings)).toMatchObject({ code: 0, stderr: "" });
    const wanted = { Bucket: SOURCE_BUCKET, Key: `out/${file_path}` };
    const head = await other.client.send(new HeadObjectCommand(wanted));
    expect(head).toMatchObject({ ContentLength: bytes.length, ETag: expect.stringMatching(/-2"$/) });
  },
  LIMIT_MS,
);

test("the target is no bucket of the service", async () => {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = inject("servers");
  const { ref } = await aProject();
  const args = ["--project", ref, "--to", `s3://${bucket}/x`, "--endpoint", endpoint, "--table", "/dev/null"];
  const settings = { TARGET_ACCESS_KEY_ID: "a", TARGET_SECRET_ACCESS_KEY: "b" };
  expect(await stowage(["export", ...args], settings)).toMatchObject({
    code: 1,
    stderr: "--to must be another bucket than those of the service.\n",
  });
});
