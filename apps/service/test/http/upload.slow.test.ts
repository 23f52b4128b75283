import { randomBytes } from "node:crypto";
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
  test("expires after one hour, like its URL", async () => {
    const { apiKey } = await aProject();
    const answer = await upload(apiKey, { tenant_id: "t", filename: "a.txt" });
    const lifetimeMs = new Date(answer.expires_at).getTime() - NOW.getTime();
    expect(lifetimeMs).toBeLessThanOrEqual(3_600_000);
    expect(lifetimeMs).toBeGreaterThan(3_599_000);
    expect(new URL(answer.presigned_url).searchParams.get("X-Amz-Expires")).toBe("3600");
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
});

describe("a tenant", () => {
  test("is separate from the tenant with the same ID in another project", async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const a = await upload(one.apiKey, { tenant_id: "same", filename: "a.txt" });
    const b = await upload(other.apiKey, { tenant_id: "same", filename: "a.txt" });
    expect(b.is_new_tenant).toBe(true);
    expect(a.file_path.split("/").slice(0, 4)).not.toEqual(b.file_path.split("/").slice(0, 4));
  });
});
