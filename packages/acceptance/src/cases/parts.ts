import { createHash, randomBytes } from "node:crypto";
import { core, full, topic } from "../case.js";
import { aText, aTime, aUrl, exactly } from "../expect/match.js";
import type { OpenUpload, Part } from "../wire.js";

/** The smallest part that S3 accepts, unless it is the last one. */
const PART_BYTES = 5 * 1024 ** 2;
const GIB = 1024 ** 3;
const TWO_PARTS = { size: PART_BYTES + 3, part_size: PART_BYTES };
const md5 = (bytes: string | Uint8Array, encoding: "hex" | "base64") =>
  createHash("md5").update(bytes).digest(encoding);

/** What opens no upload. */
const refusedUploads: [string, Record<string, unknown>, string, string][] = [
  ["no size", { size: undefined }, "size_required", "size is required"],
  [
    "a size of 0",
    { size: 0 },
    "invalid_request",
    "size must be at least 1 byte: an empty file is uploaded with upload/",
  ],
  [
    "a size above 5 TiB",
    { size: 5 * 1024 * GIB + 1 },
    "file_too_large",
    "size must be at most 5497558138880 bytes",
  ],
  [
    "a part_size below 5 MiB",
    { part_size: PART_BYTES - 1 },
    "invalid_request",
    "part_size must be at least 5242880 bytes",
  ],
  [
    "a part_size above 5 GiB",
    { part_size: 5 * GIB + 1 },
    "invalid_request",
    "part_size must be at most 5368709120 bytes",
  ],
  [
    "more than 10,000 parts",
    { size: 10_000 * PART_BYTES + 1, part_size: PART_BYTES },
    "invalid_request",
    "part_size is too small: a file has at most 10000 parts",
  ],
  ["no filename", { filename: " " }, "filename_required", "filename is required"],
  ["no tenant_id", { tenant_id: "" }, "tenant_id_required", "tenant_id is required"],
  [
    "a long fingerprint",
    { fingerprint: "x".repeat(256) },
    "invalid_request",
    "fingerprint must be at most 255 characters",
  ],
];

/** What signs no part of an upload of two parts. */
const refusedParts: [string, unknown, string][] = [
  ["no parts", [], "parts must name at least one part"],
  [
    "101 parts",
    Array.from({ length: 101 }, (_, index) => ({ number: index + 1 })),
    "parts must name at most 100 parts",
  ],
  ["one part in place of a list", { number: 1 }, "parts must be a list"],
  ["nothing", undefined, "parts must be a list"],
  ["the part 0", [{ number: 0 }], "number must be at least 1"],
  ["the part 10,001", [{ number: 10_001 }], "number must be at most 10000"],
  ["half a number", [{ number: 1.5 }], "number must be a whole number"],
  ["a number that is a text", [{ number: "1" }], "number must be a whole number"],
  ["a part after the last", [{ number: 3 }], "number must be at most 2"],
  [
    "a content_md5 that is none",
    [{ number: 1, content_md5: "abc" }],
    "content_md5 must be a base64 MD5 of 24 characters",
  ],
];

/** Uploads by parts: `uploads/`, `uploads/parts/`, and `complete/` and `cancel/` of such an upload. */
export const partCases = topic(
  "an upload by parts",
  [
    core("is answered with everything that the sender needs, and reserves its size", async (t) => {
      const tenant_id = await t.ownTenant();
      const answer = await t.requestOpenUpload({ tenant_id, filename: "a.mp4", size: 20_000_000 });
      answer.ok<OpenUpload>(
        exactly({
          file_path: aText,
          tenant_id,
          is_new_tenant: true,
          content_type: "video/mp4",
          part_size: PART_BYTES,
          part_count: 4,
          max_bytes: 20_000_000,
          expires_at: aTime,
        }),
      );
      await t.hasUsage(tenant_id, 0, 20_000_000, 0);
    }),
    ...refusedUploads.map(([what, change, code, detail]) =>
      core(`with ${what} is refused`, async (t) =>
        (await t.requestOpenUpload(change)).refused(400, code, detail),
      ),
    ),
    core("gets the URLs of its parts in the order of the request", async (t) => {
      const { file_path } = await t.openUpload(TWO_PARTS);
      (await t.post("uploads/parts", { file_path, parts: [{ number: 2 }, { number: 1 }] })).ok({
        parts: [
          exactly({ number: 2, presigned_url: aUrl, headers: {}, size: 3, expires_at: aTime }),
          { number: 1, size: PART_BYTES },
        ],
      });
    }),
    ...refusedParts.map(([what, parts, detail]) =>
      core(`refuses to sign ${what}`, async (t) => {
        const { file_path } = await t.openUpload(TWO_PARTS);
        (await t.post("uploads/parts", { file_path, parts })).refused(400, "invalid_request", detail);
      }),
    ),
    core("of one part is stored when it is completed", async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path } = await t.openUpload({ tenant_id, size: 5, metadata: { a: "b" } });
      const [part] = await t.signParts(file_path, [{ number: 1 }]);
      (await t.putBytes(part!, "hello")).hasStatus(200);
      (await t.post("complete", { file_path })).ok({ status: "stored", size: 5, metadata: { a: "b" } });
      await t.hasUsage(tenant_id, 5, 0, 1);
      await t.allowDownload(file_path);
      const answer = await t.read((await t.download({ file_path })).presigned_url);
      answer.must("the bytes hello", answer.status === 200 && answer.text === "hello");
    }),
    core("names the parts that storage has", async (t) => {
      const { file_path } = await t.openUpload(TWO_PARTS);
      (await t.get("uploads/parts", { file_path })).ok({
        parts: [],
        next_cursor: null,
        declared_size: TWO_PARTS.size,
        part_size: PART_BYTES,
        part_count: 2,
        expires_at: aTime,
      });
      const [part] = await t.signParts(file_path, [{ number: 2 }]);
      (await t.putBytes(part!, "end")).hasStatus(200);
      const list = await t.get("uploads/parts", { file_path, tenant_id: t.tenant });
      list.ok({ parts: [{ number: 2, size: 3 }], next_cursor: null });
      if (!t.facts.lacks.plainEtags) list.ok({ parts: [{ etag: md5("end", "hex") }] });
    }),
    core("that lacks parts is not completed", async (t) => {
      const { file_path } = await t.openUpload(TWO_PARTS);
      const [part] = await t.signParts(file_path, [{ number: 2 }]);
      (await t.putBytes(part!, "end")).hasStatus(200);
      const answer = await t.post("complete", { file_path });
      answer.refused(409, "upload_incomplete", "Upload is incomplete: 1 of 2 parts are stored");
    }),
    core("takes no part of another length", async (t) => {
      const { file_path } = await t.openUpload(TWO_PARTS);
      const [first, part] = await t.signParts(file_path, [{ number: 1 }, { number: 2 }]);
      // A body of some MiB would do too, but some stores refuse it before they have read it, and close the connection.
      (await t.putBytes(first!, "end")).hasStatus(403);
      for (const bytes of ["ends", "en"]) (await t.putBytes(part!, bytes)).hasStatus(403);
      const presigned_url = part!.presigned_url.replace("partNumber=2", "partNumber=3");
      (await t.putBytes({ ...part!, presigned_url }, "end")).hasStatus(403);
      (await t.get("uploads/parts", { file_path })).ok({ parts: [] });
    }),
    core("takes only the bytes of a content_md5", async (t) => {
      const { file_path } = await t.openUpload();
      const [part] = await t.signParts(file_path, [{ number: 1, content_md5: md5("abc", "base64") }]);
      (await t.putBytes(part!, "abd")).hasStatus(400);
      const forged = { "Content-MD5": md5("abd", "base64") };
      (await t.putBytes(part!, "abd", forged)).hasStatus(403);
      (await t.putBytes(part!, "abc")).hasStatus(200);
    }),
    core("replaces a part that is sent twice", async (t) => {
      const { file_path } = await t.openUpload();
      for (const bytes of ["one", "two"]) {
        const [part] = await t.signParts(file_path, [{ number: 1 }]);
        (await t.putBytes(part!, bytes)).hasStatus(200);
      }
      await t.complete(file_path);
      await t.allowDownload(file_path);
      const answer = await t.read((await t.download({ file_path })).presigned_url);
      answer.must("the bytes two", answer.status === 200 && answer.text === "two");
    }),
    core("can be found and resumed by its fingerprint", async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path } = await t.openUpload({ tenant_id, filename: "a", fingerprint: "my file" });
      await t.openUpload({ tenant_id, filename: "b" });
      await t.upload({ tenant_id, filename: "single" });
      const list = await t.get("uploads", { tenant_id });
      list.ok({
        uploads: [
          { filename: "b", parts_stored: 0, bytes_stored: 0 },
          {
            file_path,
            filename: "a",
            status: "pending",
            declared_size: 3,
            part_count: 1,
            fingerprint: "my file",
          },
        ],
        next_cursor: null,
      });
      const [part] = await t.signParts(file_path, [{ number: 1 }]);
      (await t.putBytes(part!, "end")).hasStatus(200);
      await t.complete(file_path);
      (await t.get("uploads", { tenant_id })).ok({ uploads: [{ filename: "b" }] });
    }),
    core("is listed page by page, newest first", async (t) => {
      const tenant_id = await t.ownTenant();
      for (const filename of ["1", "2", "3"]) await t.openUpload({ tenant_id, filename });
      const first = await t.get("uploads", { tenant_id, limit: 2 });
      const { next_cursor } = first.ok<{ next_cursor: string }>({
        uploads: [{ filename: "3" }, { filename: "2" }],
      });
      (await t.get("uploads", { tenant_id, limit: 2, cursor: next_cursor })).ok({
        uploads: [{ filename: "1" }],
        next_cursor: null,
      });
      (await t.get("uploads")).refused(400, "tenant_id_required", "tenant_id is required");
      (await t.get("uploads", { tenant_id, limit: 101 })).refused(
        400,
        "invalid_request",
        "limit must be at most 100",
      );
    }),
    core("can be cancelled, with its parts", async (t) => {
      const tenant_id = await t.ownTenant();
      const { file_path } = await t.openUpload({ tenant_id, ...TWO_PARTS });
      const [part] = await t.signParts(file_path, [{ number: 2 }]);
      (await t.putBytes(part!, "end")).hasStatus(200);
      (await t.post("cancel", { file_path })).ok({ cancelled: true });
      await t.hasUsage(tenant_id, 0, 0, 0);
      (await t.putBytes(part!, "end")).hasStatus(404);
      (await t.get("uploads/parts", { file_path })).refused(404, "file_not_found", "File not found");
    }),
    core("is not a single PUT", async (t) => {
      const { file_path } = await t.upload();
      const detail = "file_path is not an upload by parts";
      (await t.post("uploads/parts", { file_path, parts: [{ number: 1 }] })).refused(
        400,
        "invalid_request",
        detail,
      );
      (await t.get("uploads/parts", { file_path })).refused(400, "invalid_request", detail);
    }),
    core("that is stored takes no more parts", async (t) => {
      const { file_path } = await t.openUpload();
      const [part] = await t.signParts(file_path, [{ number: 1 }]);
      (await t.putBytes(part!, "end")).hasStatus(200);
      await t.complete(file_path);
      const refusal = [409, "upload_already_stored", "Upload is already stored"] as const;
      (await t.post("uploads/parts", { file_path, parts: [{ number: 1 }] })).refused(...refusal);
      (await t.get("uploads/parts", { file_path })).refused(...refusal);
      (await t.post("cancel", { file_path })).refused(...refusal);
    }),
    full("of several parts is the joined bytes, sent in any order", async (t) => {
      const tenant_id = await t.ownTenant();
      const bytes = randomBytes(2 * PART_BYTES + 3);
      const { file_path } = await t.openUpload({ tenant_id, size: bytes.length, part_size: PART_BYTES });
      const parts = await t.signParts(file_path, [{ number: 3 }, { number: 2 }, { number: 1 }]);
      const sent = await Promise.all(parts.map((part) => t.putBytes(part, bytesOf(part, bytes))));
      for (const answer of sent) answer.hasStatus(200);
      (await t.post("complete", { file_path })).ok({ status: "stored", size: bytes.length });
      await t.hasUsage(tenant_id, bytes.length, 0, 1);
      await t.allowDownload(file_path);
      const { presigned_url } = await t.download({ file_path });
      const answer = await t.read(presigned_url);
      answer.hasStatus(200);
      answer.must(
        `the ${bytes.length} bytes that were sent`,
        bytes.equals(answer.bytes),
        `${answer.bytes.length} bytes`,
      );
      const range = await t.read(presigned_url, { Range: `bytes=${PART_BYTES - 2}-${PART_BYTES + 1}` });
      const isJoined = bytes.subarray(PART_BYTES - 2, PART_BYTES + 2).equals(range.bytes);
      range.must("the four bytes around the joint", range.status === 206 && isJoined);
    }),
  ],
  ["multipart"],
);

function bytesOf({ number, size }: Part, bytes: Uint8Array): Uint8Array {
  const start = (number - 1) * PART_BYTES;
  return bytes.subarray(start, start + size);
}
