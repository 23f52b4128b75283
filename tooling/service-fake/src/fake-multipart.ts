import { createHash } from "node:crypto";
import { aFileAnswer, aRefusal, type Answer, type FileAnswer, type Members } from "./answers.js";

/** A part that the service finds in storage. */
export interface FakePart {
  number: number;
  size: number;
  etag: string;
}

/** An upload by parts that is not complete. */
export interface FakeMultipart {
  request: Members;
  partSize: number;
  parts: Map<number, FakePart>;
}

interface Store {
  multiparts: Map<string, FakeMultipart>;
  files: FileAnswer[];
  storageUrl: string;
  /** The path of each upload by parts, by its key or number. */
  opened: Map<string, string>;
}

const DEFAULT_PART_SIZE = 5 * 1024 ** 2;

/**
 * Answers the calls on uploads by parts. It accepts parts of any size, so that tests need few bytes.
 *
 * @param call method and path
 * @param key the `Idempotency-Key`: opening with the same key answers the same upload
 * @returns undefined for every other call
 */
export function answerToMultipart(
  call: string,
  input: Members,
  store: Store,
  key: string | undefined,
): Answer | undefined {
  if (call === "POST /api/storage/uploads/") return openUpload(input, store, key);
  if (call === "GET /api/storage/uploads/") return listUploads(input, store);
  if (call === "POST /api/storage/delete/") {
    for (const path of [input["file_paths"] ?? input["file_path"]].flat())
      store.multiparts.delete(String(path));
    return undefined;
  }
  const path = String(input["file_path"]);
  const upload = store.multiparts.get(path);
  const isOfParts = call.endsWith(" /api/storage/uploads/parts/");
  if (upload === undefined)
    return isOfParts ? refusalWithoutUpload(path, store) : storedFile(call, input, store);
  if (input["tenant_id"] !== undefined && input["tenant_id"] !== upload.request["tenant_id"]) {
    return aRefusal(404, "file_not_found", "File not found");
  }
  switch (call) {
    case "POST /api/storage/uploads/parts/":
      return signParts(input, upload, store.storageUrl);
    case "GET /api/storage/uploads/parts/":
      return listParts(upload);
    case "GET /api/storage/file/":
      return { status: 200, body: pendingFile(path, upload) };
    case "POST /api/storage/complete/":
      return completeUpload(path, upload, store);
    case "POST /api/storage/cancel/":
      store.multiparts.delete(path);
      return { status: 200, body: { file_path: path, cancelled: true } };
    default:
      return undefined;
  }
}

function openUpload(input: Members, { multiparts, opened }: Store, key: string | undefined): Answer {
  const number = String(opened.size + 1);
  const path = opened.get(key ?? number) ?? `projects/p/tenants/t/parts${number}_file`;
  opened.set(key ?? number, path);
  const partSize = Number(input["part_size"] ?? DEFAULT_PART_SIZE);
  const upload = multiparts.get(path) ?? { request: input, partSize, parts: new Map() };
  multiparts.set(path, upload);
  return {
    status: 200,
    body: {
      file_path: path,
      tenant_id: input["tenant_id"],
      is_new_tenant: true,
      content_type: input["content_type"] ?? "text/plain",
      part_size: partSize,
      part_count: partCountOf(upload),
      expires_at: inAWeek(),
      max_bytes: input["size"],
    },
  };
}

/** The cursor is the number of uploads before the page. */
function listUploads(input: Members, { multiparts }: Store): Answer {
  const all = [...multiparts]
    .filter(([, { request }]) => request["tenant_id"] === input["tenant_id"])
    .toReversed();
  const { limit = 50, cursor = 0 } = input;
  const end = Number(cursor) + Number(limit);
  const uploads = all.slice(Number(cursor), end).map(([path, upload]) => {
    const parts = [...upload.parts.values()];
    return {
      ...pendingFile(path, upload),
      ...layoutOf(upload),
      parts_stored: parts.length,
      bytes_stored: parts.reduce((sum, { size }) => sum + size, 0),
      fingerprint: upload.request["fingerprint"] ?? null,
    };
  });
  return { status: 200, body: { uploads, next_cursor: end < all.length ? String(end) : null } };
}

function signParts(input: Members, upload: FakeMultipart, storageUrl: string): Answer {
  const wanted = input["parts"] as { number: number; content_md5?: string }[];
  const count = partCountOf(upload);
  if (wanted.some(({ number }) => number > count)) {
    return aRefusal(400, "invalid_request", `number must be at most ${count}`);
  }
  const parts = wanted.map(({ number, content_md5: md5 }) => ({
    number,
    presigned_url: `${storageUrl}/${String(input["file_path"])}?partNumber=${number}&uploadId=1`,
    headers: md5 === undefined ? {} : { "Content-MD5": md5 },
    size: sizeOfPart(number, upload),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }));
  return { status: 200, body: { parts } };
}

function listParts(upload: FakeMultipart): Answer {
  const parts = [...upload.parts.values()].toSorted((a, b) => a.number - b.number);
  return { status: 200, body: { parts, next_cursor: null, ...layoutOf(upload) } };
}

function completeUpload(path: string, upload: FakeMultipart, { multiparts, files }: Store): Answer {
  const { parts } = upload;
  const count = partCountOf(upload);
  const right = [...parts.values()].filter(({ number, size }) => size === sizeOfPart(number, upload));
  if (right.length < count) {
    const detail = `Upload is incomplete: ${right.length} of ${count} parts are stored`;
    return aRefusal(409, "upload_incomplete", detail);
  }
  const file = {
    ...pendingFile(path, upload),
    size: Number(upload.request["size"]),
    status: "stored",
    etag: etagOf(right),
    stored_at: "2026-01-01T00:00:01.000Z",
  };
  multiparts.delete(path);
  files.unshift(file);
  return { status: 200, body: file };
}

/** S3: the MD5 of the MD5s of the parts, and their number. */
function etagOf(parts: FakePart[]): string {
  const all = createHash("md5");
  for (const { etag } of parts.toSorted((a, b) => a.number - b.number))
    all.update(etag.replaceAll('"', ""), "hex");
  return `"${all.digest("hex")}-${parts.length}"`;
}

/** The answer about a path of parts after its upload was completed. */
function storedFile(call: string, input: Members, { files, opened }: Store): Answer | undefined {
  const isOfMultipart = [...opened.values()].some((path) => path === input["file_path"]);
  const isAboutFile =
    isOfMultipart && (call === "GET /api/storage/file/" || call === "POST /api/storage/complete/");
  const file = files.find(
    ({ file_path, tenant_id }) =>
      file_path === input["file_path"] && tenant_id === (input["tenant_id"] ?? tenant_id),
  );
  return isAboutFile && file !== undefined ? { status: 200, body: file } : undefined;
}

function refusalWithoutUpload(path: string, { files }: Store): Answer {
  return files.some(({ file_path }) => file_path === path)
    ? aRefusal(409, "upload_already_stored", "Upload is already stored")
    : aRefusal(404, "file_not_found", "File not found");
}

function pendingFile(path: string, { request }: FakeMultipart) {
  return {
    ...aFileAnswer({ file_path: path, tenant_id: request["tenant_id"] }),
    filename: String(request["filename"]),
    content_type: String(request["content_type"] ?? "text/plain"),
    metadata: request["metadata"] ?? {},
    folder: request["folder"] ?? "",
    size: null,
    status: "pending",
    etag: null,
    stored_at: null,
  };
}

function layoutOf(upload: FakeMultipart) {
  return {
    declared_size: Number(upload.request["size"]),
    part_size: upload.partSize,
    part_count: partCountOf(upload),
    expires_at: inAWeek(),
  };
}

function partCountOf({ request, partSize }: FakeMultipart): number {
  return Math.ceil(Number(request["size"]) / partSize);
}

function sizeOfPart(number: number, { request, partSize }: FakeMultipart): number {
  return Math.min(partSize, Number(request["size"]) - (number - 1) * partSize);
}

const inAWeek = () => new Date(Date.now() + 7 * 24 * 3_600_000).toISOString();
