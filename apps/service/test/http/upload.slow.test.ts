import { createHash, randomBytes } from "node:crypto";
import { uploadResponse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase, readStoredObject, sha256 } from "../fixtures/direct-access.js";

const NOW = new Date();
let service: RunningService;
beforeAll(async () => {
  service = await aService({}, { clock: () => NOW });
});
afterAll(() => service.close());

const upload = (key: string, body: object) => anUpload(service.url, key, body);
const sendUploadRequest = (key: string, body: unknown) =>
  call(`${service.url}/api/storage/upload/`, { key, body });

describe("the answer to an upload request", () => {
  test("has only the members that the contract specifies", async () => {
    const { apiKey, ref } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "user_1", filename: "report.pdf" });
    uploadResponse.strict().parse(answer);
    expect(answer).toMatchObject({
      tenant_id: "user_1",
      is_new_tenant: true,
      content_type: "application/pdf",
      headers: { "Content-Type": "application/pdf" },
      max_bytes: 5 * 1024 ** 3,
    });
    expect(answer.file_path).toMatch(
      new RegExp(`^projects/${ref}/tenants/[0-9A-Za-z]{22,}/[0-9A-Za-z]{22,}_report\\.pdf$`),
    );
    expect(answer.file_path).not.toContain("user_1");
  });

  test("expires after one hour, like its URL", async () => {
    const { apiKey } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.txt" });
    const lifetimeMs = new Date(answer.expires_at).getTime() - NOW.getTime();
    expect(lifetimeMs).toBeLessThanOrEqual(3_600_000);
    expect(lifetimeMs).toBeGreaterThan(3_599_000);
    expect(new URL(answer.presigned_url).searchParams.get("X-Amz-Expires")).toBe("3600");
  });

  test("repeats the tenant_id, and reports a new tenant exactly once", async () => {
    const { apiKey } = await aProject();
    const body = { tenant_id: " Ünï-cødé 🙂 ", filename: "a.txt" };
    expect(await upload(apiKey, body)).toMatchObject({ tenant_id: body.tenant_id, is_new_tenant: true });
    expect(await upload(apiKey, body)).toMatchObject({ tenant_id: body.tenant_id, is_new_tenant: false });
  });

  test("gives every upload its own path", async () => {
    const { apiKey } = await aProject();
    const body = { tenant_id: "t", filename: "same.txt" };
    const paths = await Promise.all(
      Array.from({ length: 20 }, async () => (await upload(apiKey, body)).file_path),
    );
    expect(new Set(paths).size).toBe(20);
  });

  test.each([
    ["photo.JPG", "image/jpeg"],
    ["archive.tar.gz", "application/gzip"],
    ["page.html", "text/html"],
    ["no-extension", "application/octet-stream"],
    ["odd.zzzz", "application/octet-stream"],
  ])("detects the type of %s as %s", async (filename, type) => {
    const { apiKey } = await aProject();
    expect(await upload(apiKey, { tenant_id: "t", filename })).toMatchObject({ content_type: type });
    expect(await upload(apiKey, { tenant_id: "t", filename, content_type: null })).toMatchObject({
      content_type: type,
    });
  });

  test("keeps a given type unchanged, with its parameters", async () => {
    const { apiKey } = await aProject();
    const type = 'text/plain; charset="utf-8"; Format=flowed';
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.png", content_type: type });
    expect(answer).toMatchObject({ content_type: type, headers: { "Content-Type": type } });
    expect(await putBytes(answer, Buffer.from("hello"))).toBe(200);
    expect(await readStoredObject(answer.file_path)).toMatchObject({ contentType: type });
  });

  test("is 200 with and without a trailing slash, and with unknown members", async () => {
    const { apiKey } = await aProject();
    const body = '{"tenant_id":"t","filename":"a.txt","colour":"red","__proto__":{"x":1}}';
    for (const path of ["/api/storage/upload/", "/api/storage/upload"]) {
      expect((await call(service.url + path, { key: apiKey, body })).status).toBe(200);
    }
  });
});

describe("the row of an upload", () => {
  test("is pending and has the exact name, type, size and metadata", async () => {
    const { apiKey } = await aProject();
    const filename = "見積書 (最終) 🙂.pdf";
    const metadata = { invoice: "42", ノート: "はい", __proto__x: "" };
    const answer = await upload(apiKey, { tenant_id: "t", filename, size: 12, metadata });
    const [row] = await queryDatabase("select * from files where path = $1", [answer.file_path]);
    expect(row).toMatchObject({
      filename,
      content_type: "application/pdf",
      declared_size: "12",
      reserved_bytes: "12",
      status: "pending",
      size: null,
      metadata,
    });
  });

  test("is not created for a refused request, and neither is a tenant", async () => {
    const { apiKey, ref } = await aProject({ defaultQuotaBytes: 10 });
    expect((await sendUploadRequest(apiKey, { tenant_id: "t", filename: "a.txt", size: 11 })).status).toBe(
      403,
    );
    const rows = await queryDatabase(
      "select 1 from tenants t join projects p on p.id = t.project_id where p.ref = $1",
      [ref],
    );
    expect(rows).toEqual([]);
    expect(await upload(apiKey, { tenant_id: "t", filename: "a.txt", size: 10 })).toMatchObject({
      is_new_tenant: true,
    });
  });
});

describe("a PUT to the presigned URL", () => {
  test("stores the bytes at the path", async () => {
    const { apiKey } = await aProject();
    const bytes = randomBytes(300_000);
    const answer = await upload(apiKey, { tenant_id: "t", filename: "名前 #1%?.bin" });
    expect(await putBytes(answer, bytes)).toBe(200);
    expect(await readStoredObject(answer.file_path)).toEqual({
      sha256: sha256(bytes),
      sizeBytes: bytes.length,
      contentType: "application/octet-stream",
    });
  });

  test("with another Content-Type, or none, fails and stores nothing", async () => {
    const { apiKey } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.txt" });
    expect(await putBytes(answer, Buffer.from("x"), { "Content-Type": "text/html" })).toBe(403);
    expect(await putBytes(answer, Buffer.from("x"), {})).toBe(403);
    expect(await readStoredObject(answer.file_path)).toBeNull();
  });

  test("with another length than the declared size fails and stores nothing", async () => {
    const { apiKey } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.txt", size: 5 });
    expect(answer.max_bytes).toBe(5);
    for (const bytes of ["", "1234", "123456"]) expect(await putBytes(answer, Buffer.from(bytes))).toBe(403);
    expect(await readStoredObject(answer.file_path)).toBeNull();
    expect(await putBytes(answer, Buffer.from("12345"))).toBe(200);
    expect(await readStoredObject(answer.file_path)).toMatchObject({ sizeBytes: 5 });
  });

  test("whose bytes do not match the given MD5 fails and stores nothing", async () => {
    const { apiKey } = await aProject();
    const md5 = createHash("md5").update("right").digest("base64");
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.txt", content_md5: md5 });
    expect(answer.headers).toEqual({ "Content-Type": "text/plain", "Content-MD5": md5 });
    expect(Object.keys(answer.headers)[0]).toBe("Content-Type");
    expect(await putBytes(answer, Buffer.from("wrong"))).toBe(400);
    expect(await putBytes(answer, Buffer.from("right"), { "Content-Type": "text/plain" })).toBe(403);
    expect(await readStoredObject(answer.file_path)).toBeNull();
    expect(await putBytes(answer, Buffer.from("right"))).toBe(200);
  });

  test("of zero bytes stores an empty file", async () => {
    const { apiKey } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "t", filename: "empty", size: 0 });
    expect(await putBytes(answer, new Uint8Array())).toBe(200);
    expect(await readStoredObject(answer.file_path)).toMatchObject({ sizeBytes: 0 });
  });
});

describe("the path of a file", () => {
  test.each([
    ["Report_v2.final-1.PDF", "Report_v2.final-1.PDF"],
    ["two  spaces and (1).pdf", "two_spaces_and_1_.pdf"],
    ["../../etc/passwd", ".._.._etc_passwd"],
    ["..", ".."],
    ["a/b\\c:d*e?f.txt", "a_b_c_d_e_f.txt"],
    ["Übergröße-日本語-🙂.txt", "Übergröße-日本語-_.txt"],
    ["हिन्दी.txt", "हिन्दी.txt"],
    ["e\u0301.txt", "\u00e9.txt"],
    [".hidden", ".hidden"],
  ])("named %j ends in %j", async (filename, ending) => {
    const { apiKey } = await aProject();
    const { file_path } = await upload(apiKey, { tenant_id: "t", filename });
    expect(file_path.split("/")).toHaveLength(5);
    expect(file_path.split("/")[4]!.replace(/^[0-9A-Za-z]+_/, "")).toBe(ending);
  });

  test("with the longest name has at most 1,024 bytes and keeps the extension, and storage accepts it", async () => {
    const { apiKey } = await aProject();
    const filename = "𠮷".repeat(250) + ".jpeg";
    const answer = await upload(apiKey, { tenant_id: "t", filename });
    expect(Buffer.byteLength(answer.file_path)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(answer.file_path)).toBeGreaterThan(1000);
    expect(answer.file_path).toMatch(/𠮷\.jpeg$/u);
    expect(await putBytes(answer, Buffer.from("x"))).toBe(200);
  });
});

describe("a tenant", () => {
  test("is identified by the exact bytes of its ID", async () => {
    const { apiKey } = await aProject();
    for (const tenant_id of ["é", "e\u0301", "A", "a", "a ", "𠮷".repeat(255)]) {
      expect(await upload(apiKey, { tenant_id, filename: "a.txt" })).toMatchObject({
        tenant_id,
        is_new_tenant: true,
      });
    }
  });

  test("is separate from the tenant with the same ID in another project", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const a = await upload(one.apiKey, { tenant_id: "same", filename: "a.txt" });
    const b = await upload(other.apiKey, { tenant_id: "same", filename: "a.txt" });
    expect(b.is_new_tenant).toBe(true);
    expect(a.file_path.split("/").slice(0, 4)).not.toEqual(b.file_path.split("/").slice(0, 4));
  });
});
