import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createStowageClient, type StowageClient } from "@stowage/server/client";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { aFolder, type Folder } from "../fixtures/a-run.js";
import { aProject } from "../fixtures/a-project.js";

const MIB = 1024 * 1024;
let folder: Folder;
let client: StowageClient;
beforeAll(async () => {
  folder = await aFolder();
  const { apiKey } = await aProject();
  client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
});
afterAll(() => folder?.[Symbol.asyncDispose]());

const text = "hello, Grüße";
const bytes = Buffer.from(text);

describe("the typed client against the real service and storage", () => {
  test("uploads each kind of source, and a download URL returns the same bytes", async () => {
    const path = join(folder.path, "a path.txt");
    await writeFile(path, bytes);
    const named = { tenantId: "sources", filename: "a.txt" };
    const stored = [
      await client.upload({ tenantId: "sources", file: path }),
      await client.upload({ ...named, file: new Blob([bytes]) }),
      await client.upload({ ...named, file: new Uint8Array(bytes) }),
      await client.upload({ ...named, file: Readable.from([bytes]), size: bytes.length }),
      await client.upload({
        ...named,
        file: new Blob([bytes]).stream(),
        size: bytes.length,
        metadata: { album_id: "7" },
      }),
    ];
    for (const file of stored) {
      expect(file).toMatchObject({ status: "stored", size: bytes.length, contentType: "text/plain" });
      const { presignedUrl } = await client.downloadUrl(file.filePath, { tenantId: "sources" });
      expect(await (await fetch(presignedUrl)).text()).toBe(text);
    }
    expect(stored[0]?.filename).toBe("a path.txt");
    expect(await client.file(stored[4]!.filePath)).toEqual(stored[4]);
    expect(stored[4]?.metadata).toEqual({ album_id: "7" });
    expect(await client.usage("sources")).toMatchObject({ fileCount: 5, usedBytes: 5 * bytes.length });
  });

  test.each(["../../etc/passwd", "..", "Grüße, 日本.txt", 'a"b;c\\d%2F.txt', "🦊"])(
    "stores the bytes of a file named %s",
    async (filename) => {
      const file = await client.upload({ tenantId: "names/../é", file: bytes, filename });
      expect(file.filePath).toMatch(/^projects\/[^/]+\/tenants\/[^/]+\/[^/]+$/);
      const { presignedUrl } = await client.downloadUrl(file.filePath, { tenantId: "names/../é" });
      expect(await (await fetch(presignedUrl)).text()).toBe(text);
      const { deleted } = await client.deleteFiles(file.filePath, { tenantId: "names/../é" });
      expect(deleted).toEqual([file.filePath]);
    },
  );

  test("stores nothing of a stream that is longer than its declared size", async () => {
    async function* longer() {
      yield bytes;
      await new Promise((resolve) => setTimeout(resolve, 200));
      yield bytes;
    }
    const upload = client.upload({
      tenantId: "longer",
      file: Readable.from(longer()),
      filename: "a",
      size: bytes.length,
    });
    await expect(upload).rejects.toMatchObject({ code: "invalid_request" });
    expect(await client.usage("longer")).toMatchObject({ fileCount: 0, usedBytes: 0, reservedBytes: 0 });
  });

  test("streams 200 MiB without buffering them", async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    async function* chunks() {
      for (let sent = 0; sent < 200; sent++) {
        yield Buffer.alloc(MIB, sent);
        peak = Math.max(peak, process.memoryUsage().rss);
      }
    }
    const file = Readable.from(chunks(), { objectMode: true, highWaterMark: 1 });
    const stored = await client.upload({ tenantId: "large", file, filename: "large.bin", size: 200 * MIB });
    expect(stored.size).toBe(200 * MIB);
    console.log(`200 MiB streamed: ${Math.round((peak - before) / MIB)} MiB more memory at the peak`);
    expect(peak - before).toBeLessThan(120 * MIB);
  });

  test("releases the reservation of an aborted upload", async () => {
    const job = new AbortController();
    const file = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(bytes);
        job.abort(new Error("cancelled"));
        return new Promise(() => {});
      },
    });
    const upload = client.upload(
      { tenantId: "aborted", file, filename: "a", size: 1000 },
      { signal: job.signal },
    );
    await expect(upload).rejects.toThrow("cancelled");
    await expect.poll(() => client.usage("aborted")).toMatchObject({ reservedBytes: 0, usedBytes: 0 });
  });

  test("lists over several pages, and deletes existing files among unknown paths", async () => {
    const uploads = Array.from({ length: 7 }, (_, index) =>
      client.upload({ tenantId: "pages", file: bytes, filename: `${index}.txt` }),
    );
    const paths = (await Promise.all(uploads)).map(({ filePath }) => filePath);
    const listed: string[] = [];
    for await (const file of client.files({ tenantId: "pages", pageSize: 3 })) listed.push(file.filePath);
    expect(listed.toSorted()).toEqual(paths.toSorted());
    const unknown = Array.from({ length: 1493 }, (_, index) => `${paths[0]}-${index}`);
    const { deleted, notFound } = await client.deleteFiles([...paths, ...unknown], { tenantId: "pages" });
    expect(deleted.toSorted()).toEqual(paths.toSorted());
    expect(notFound).toHaveLength(1493);
    expect(await client.usage("pages")).toMatchObject({ fileCount: 0, usedBytes: 0 });
    const tenants: string[] = [];
    for await (const tenant of client.tenants({ pageSize: 1 })) tenants.push(tenant.tenantId);
    expect(tenants).toContain("pages");
  });

  test("isolates tenants and enforces their quotas", async () => {
    const { filePath } = await client.upload({ tenantId: "ada", file: bytes, filename: "a.txt" });
    const grace = { tenantId: "grace" };
    await expect(client.file(filePath, grace)).rejects.toMatchObject({ code: "file_not_found" });
    expect(await client.deleteFiles(filePath, grace)).toEqual({ deleted: [], notFound: [filePath] });
    expect(await client.setQuota("grace", 5)).toMatchObject({ quotaBytes: 5, quotaSource: "tenant" });
    const tooMuch = client.upload({ ...grace, file: bytes, filename: "a.txt" });
    await expect(tooMuch).rejects.toMatchObject({ code: "quota_exceeded" });
    await client.setQuota("grace", null);
    await client.upload({ ...grace, file: bytes, filename: "a.txt" });
  });
});
