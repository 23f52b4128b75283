import { createHash, randomBytes } from "node:crypto";
import { core, smoke, topic } from "../case.js";
import type { Context } from "../context.js";
import { exactly } from "../expect/match.js";
import type { Upload } from "../wire.js";

const md5 = (text: string) => createHash("md5").update(text).digest("base64");

/** Expects that the file is still pending, so that nothing was stored. */
const isNotStored = async (t: Context, { file_path }: Upload) =>
  (await t.get("file", { file_path })).ok({ status: "pending", size: null });

/** The PUT of the bytes to the presigned URL. */
export const putCases = topic("a PUT", [
  smoke("stores exactly its bytes", async (t) => {
    const bytes = randomBytes(100_000);
    const { file_path } = await t.cleanFile({ filename: "名前 #1%?.bin", bytes });
    const { presigned_url } = await t.download({ file_path });
    const answer = await t.read(presigned_url);
    answer.hasStatus(200);
    answer.must(
      "the 100,000 bytes that were sent",
      bytes.equals(answer.bytes),
      `${answer.bytes.length} bytes`,
    );
  }),
  core("of no bytes stores an empty file", async (t) => {
    const { file_path } = await t.cleanFile({ filename: "empty", bytes: "" });
    (await t.get("file", { file_path })).ok({ status: "stored", size: 0 });
    const answer = await t.read((await t.download({ file_path })).presigned_url);
    answer.hasStatus(200);
    answer.must("no bytes", answer.bytes.length === 0);
  }),
  core("of another length than the size is refused", async (t) => {
    const upload = await t.upload({ size: 5 });
    for (const bytes of ["", "1234", "123456"]) (await t.putBytes(upload, bytes)).hasStatus(403);
    await isNotStored(t, upload);
    (await t.putBytes(upload, "12345")).hasStatus(200);
  }),
  core("with another Content-Type, or none, is refused", async (t) => {
    const upload = await t.upload({ size: 5 });
    const { "Content-Type": _, ...others } = upload.headers;
    (await t.putBytes(upload, "hello", { ...others, "Content-Type": "text/html" })).hasStatus(403);
    (await t.putBytes(upload, "hello", others)).hasStatus(403);
    await isNotStored(t, upload);
  }),
  core("of other bytes than those of the content_md5 is refused", async (t) => {
    const upload = await t.upload({ content_md5: md5("right"), size: 5 });
    (await t.putBytes(upload, "wrong")).hasStatus(400);
    const { "Content-MD5": _, ...others } = upload.headers;
    (await t.putBytes(upload, "right", others)).hasStatus(403);
    await isNotStored(t, upload);
    (await t.putBytes(upload, "right")).hasStatus(200);
  }),
  core("to another path than that of its URL is refused", async (t) => {
    const [upload, other] = [await t.upload(), await t.upload()];
    const presigned_url = upload.presigned_url.replace(
      upload.file_path.split("/").at(-1)!,
      other.file_path.split("/").at(-1)!,
    );
    (await t.putBytes({ ...upload, presigned_url }, "hello")).hasStatus(403);
    await isNotStored(t, other);
  }),
  core(
    "can be repeated with its URL, and the last bytes count",
    async (t) => {
      const tenant_id = await t.ownTenant();
      const upload = await t.upload({ tenant_id, size: undefined });
      for (const bytes of ["hello", "hello, world"]) {
        (await t.putBytes(upload, bytes)).hasStatus(200);
        (await t.post("complete", { file_path: upload.file_path })).ok({ size: bytes.length });
      }
      await t.hasUsage(tenant_id, 12, 0, 1);
    },
    ["unknownSize"],
  ),
  core("sends the Cache-Control of its upload, and downloads have it", async (t) => {
    const cache_control = "public, max-age=600";
    const upload = await t.upload({ cache_control });
    const { "Cache-Control": _, ...others } = upload.headers;
    (await t.putBytes(upload, "hello", others)).hasStatus(403);
    (await t.putBytes(upload, "hello")).hasStatus(200);
    await t.complete(upload.file_path);
    await t.allowDownload(upload.file_path);
    const answer = await t.read((await t.download({ file_path: upload.file_path })).presigned_url);
    answer.hasStatus(200);
    answer.hasHeader("cache-control", cache_control);
  }),
]);

/** Completing an upload, and using a file without it. */
export const completeCases = topic("a completion", [
  smoke("answers the file, and counts it", async (t) => {
    const tenant_id = await t.ownTenant();
    const metadata = { invoice: "42", ノート: "はい" };
    const filename = "Bericht (1).txt";
    const upload = await t.upload({ tenant_id, filename, size: 5, metadata });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.post("complete", { file_path: upload.file_path, tenant_id })).ok({
      file_path: upload.file_path,
      tenant_id,
      filename,
      content_type: "text/plain",
      size: 5,
      status: "stored",
      metadata: exactly(metadata),
    });
    await t.hasUsage(tenant_id, 5, 0, 1);
  }),
  core(
    "answers the MD5 of the bytes as the ETag",
    async (t) => {
      const { file_path } = await t.stored({ bytes: "hello" });
      (await t.get("file", { file_path })).ok({ etag: "5d41402abc4b2a76b9719d911017c592" });
    },
    ["plainEtags"],
  ),
  core("before the PUT is refused", async (t) => {
    const { file_path } = await t.upload();
    (await t.post("complete", { file_path })).refused(409, "upload_not_found", "Upload not found in storage");
  }),
  core("can be repeated, and counts once", async (t) => {
    const tenant_id = await t.ownTenant();
    const { file_path } = await t.stored({ tenant_id });
    const answers = await Promise.all(Array.from({ length: 5 }, () => t.post("complete", { file_path })));
    for (const answer of answers) answer.ok({ size: 5, status: "stored" });
    await t.hasUsage(tenant_id, 5, 0, 1);
  }),
  core("of an unknown file is refused", async (t) => {
    (await t.post("complete", { file_path: "projects/none" })).refused(
      404,
      "file_not_found",
      "File not found",
    );
    (await t.post("complete", {})).refused(400, "invalid_request", "file_path is required");
  }),
  core("is not needed before a download", async (t) => {
    const upload = await t.upload();
    (await t.putBytes(upload, "hello")).hasStatus(200);
    const { file_path } = upload;
    if (t.facts.scan !== "off") {
      (await t.post("download", { file_path })).refused(403, "file_not_scanned");
      return;
    }
    const { presigned_url } = await t.download({ file_path });
    const answer = await t.read(presigned_url);
    answer.must("the bytes hello", answer.text === "hello");
  }),
  core("is not needed before the file is read", async (t) => {
    const upload = await t.upload();
    (await t.get("file", { file_path: upload.file_path })).ok({
      status: "pending",
      size: null,
      stored_at: null,
    });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.get("file", { file_path: upload.file_path })).ok({ status: "stored", size: 5 });
  }),
  core("is not needed before a delete", async (t) => {
    const tenant_id = await t.ownTenant();
    const upload = await t.upload({ tenant_id });
    (await t.putBytes(upload, "hello")).hasStatus(200);
    (await t.purge(upload.file_path)).ok({ deleted: [upload.file_path], not_found: [] });
    await t.hasUsage(tenant_id, 0, 0, 0);
  }),
]);
