import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** It has the format of an API key, and opens nothing. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

interface StoredUpload {
  body: Record<string, unknown>;
  bytes: Buffer | null;
  /** The parts of an upload by parts, by their number. */
  parts?: Map<number, Buffer>;
}

const PART_SIZE = 5 * 1024 ** 2;

/** An answer in place of the normal one. `hang` never answers. */
type Answer = "hang" | { status: number; detail: string; retryAfterSeconds?: number; code?: string };

/** The HTTP API of the service and a storage, as far as the helper needs them for one user. Listens on a free port. */
export async function aService() {
  const uploads = new Map<string, StoredUpload>();
  const trash = new Map<string, StoredUpload>();
  /** The versions of each stored file by its path, the last one first. */
  const versions = new Map<string, string[]>();
  const links: { link_id: string; file_path: unknown }[] = [];
  const jobs = new Map<unknown, object>();
  const cancelledPaths = new Set<string>();
  let lastId = 0;
  let next: Answer | null = null;
  let arrived = () => {};

  const handlers: Record<string, (input: Record<string, unknown>, origin: string) => object> = {
    "/api/storage/upload/"(input, origin) {
      const path = `projects/p/tenants/t/${++lastId}_${encodeURIComponent(String(input["filename"]))}`;
      uploads.set(path, { body: input, bytes: null });
      const contentType = input["content_type"] ?? "application/octet-stream";
      return {
        presigned_url: `${origin}/storage/${path}`,
        file_path: path,
        tenant_id: input["tenant_id"],
        is_new_tenant: false,
        content_type: contentType,
        headers: { "Content-Type": contentType },
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        max_bytes: input["size"] ?? 1_000_000,
      };
    },
    "POST /api/storage/uploads/"(input) {
      const path = `projects/p/tenants/t/${++lastId}_${encodeURIComponent(String(input["filename"]))}`;
      uploads.set(path, { body: input, bytes: null, parts: new Map() });
      return {
        file_path: path,
        tenant_id: input["tenant_id"],
        is_new_tenant: false,
        content_type: input["content_type"],
        part_size: PART_SIZE,
        part_count: Math.ceil(Number(input["size"]) / PART_SIZE),
        expires_at: new Date(Date.now() + 7 * 24 * 3_600_000).toISOString(),
        max_bytes: input["size"],
      };
    },
    "GET /api/storage/uploads/"({ tenant_id }) {
      const open = [...uploads].filter(
        ([, { body, bytes, parts }]) => body["tenant_id"] === tenant_id && parts && !bytes,
      );
      return { uploads: open.map(([path, upload]) => openUploadOf(path, upload)), next_cursor: null };
    },
    "POST /api/storage/uploads/parts/"(input, origin) {
      const { body } = find(input);
      const wanted = input["parts"] as { number: number }[];
      const parts = wanted.map(({ number }) => ({
        number,
        presigned_url: `${origin}/storage/${String(input["file_path"])}?partNumber=${number}`,
        headers: {},
        size: Math.min(PART_SIZE, Number(body["size"]) - (number - 1) * PART_SIZE),
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      }));
      return { parts };
    },
    "GET /api/storage/uploads/parts/"(input) {
      const upload = find(input);
      const stored = [...(upload.parts ?? [])];
      const parts = stored.map(([number, { length }]) => ({ number, size: length, etag: `etag-${number}` }));
      const { declared_size, part_size, part_count, expires_at } = openUploadOf(
        String(input["file_path"]),
        upload,
      );
      return { parts, next_cursor: null, declared_size, part_size, part_count, expires_at };
    },
    "/api/storage/complete/"(input) {
      const upload = find(input);
      const { parts } = upload;
      if (parts) {
        const count = Math.ceil(Number(upload.body["size"]) / PART_SIZE);
        const detail = `Upload is incomplete: ${parts.size} of ${count} parts are stored`;
        if (parts.size < count) throw { status: 409, detail, code: "upload_incomplete" };
        upload.bytes = Buffer.concat([...parts.values()]);
      }
      if (!upload.bytes) throw { status: 409, detail: "Upload not found in storage" };
      replace(String(upload.body["replaces"]), String(input["file_path"]));
      return fileOf(String(input["file_path"]), upload);
    },
    "/api/storage/cancel/"(input) {
      const path = String(input["file_path"]);
      if (cancelledPaths.has(path)) return { file_path: path, cancelled: true };
      if (find(input).bytes) throw { status: 409, detail: "Upload is already stored" };
      uploads.delete(path);
      cancelledPaths.add(path);
      return { file_path: path, cancelled: true };
    },
    "/api/storage/file/": (input) => fileOf(String(input["file_path"]), find(input)),
    "/api/storage/files/"({ tenant_id, folder, limit, cursor = 0 }) {
      const own = [...uploads].filter(
        ([, { body, bytes }]) =>
          body["tenant_id"] === tenant_id &&
          bytes &&
          (folder ?? body["folder"] ?? "") === (body["folder"] ?? ""),
      );
      const end = Number(cursor) + Number(limit);
      const files = own.map(([path, upload]) => fileOf(path, upload)).toReversed();
      return { files: files.slice(Number(cursor), end), next_cursor: end < files.length ? `${end}` : null };
    },
    "/api/storage/usage/"({ tenant_id }) {
      const own = [...uploads.values()].filter(({ body, bytes }) => body["tenant_id"] === tenant_id && bytes);
      const used_bytes = own.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
      return {
        used_bytes,
        reserved_bytes: 0,
        file_count: own.length,
        quota_bytes: null,
        plan: null,
        max_files: null,
        max_open_uploads: null,
        uploads_per_minute: null,
      };
    },
    "/api/storage/download/": downloadOf,
    "/api/storage/downloads/"({ file_paths, tenant_id }, origin) {
      const paths = file_paths as string[];
      const isKnown = (path: string) => uploads.get(path)?.body["tenant_id"] === tenant_id;
      const downloads = paths
        .filter(isKnown)
        .map((file_path) => downloadOf({ file_path, tenant_id }, origin));
      return { downloads, not_found: paths.filter((path) => !isKnown(path)) };
    },
    "POST /api/storage/links/"(input, origin) {
      const { file_path, tenant_id, expires_after, max_downloads, password, disposition } = input;
      if (!find(input).bytes) throw { status: 404, detail: "File not found" };
      const link = {
        link_id: `link${++lastId}`,
        file_path,
        tenant_id,
        created_at: new Date().toISOString(),
        expires_at: expires_after ? new Date(Date.now() + Number(expires_after) * 1000).toISOString() : null,
        max_downloads: max_downloads ?? null,
        downloads: 0,
        has_password: password !== undefined,
        disposition: disposition ?? "attachment",
      };
      links.unshift(link);
      return { ...link, url: `${origin}/s/${link.link_id}` };
    },
    "GET /api/storage/links/": ({ file_path }) => ({
      links: links.filter((link) => link.file_path === file_path),
      next_cursor: null,
    }),
    "/api/storage/links/revoke/"({ link_id }) {
      const index = links.findIndex((link) => link.link_id === link_id);
      if (index === -1) throw { status: 404, detail: "Link not found" };
      return links.splice(index, 1)[0]!;
    },
    "GET /api/storage/versions/"(input) {
      find(input);
      const ofFile = versions.get(String(input["file_path"])) ?? [];
      return { versions: ofFile.map((path) => ({ ...fileOf(path, trash.get(path)!), status: "trashed" })) };
    },
    "/api/storage/versions/restore/"(input) {
      const [path, version] = [String(input["file_path"]), String(input["version"])];
      const restored = versions.get(path)?.includes(version) && trash.get(version);
      if (!restored) throw { status: 404, detail: "File not found" };
      uploads.set(version, restored);
      trash.delete(version);
      replace(path, version);
      return fileOf(version, restored);
    },
    "/api/storage/folders/"() {
      const names = [...uploads.values()].map(({ body }) => body["folder"]).filter(Boolean);
      const folders = [...new Set(names)].map((folder) => ({
        folder,
        file_count: names.filter((name) => name === folder).length,
        used_bytes: 5,
      }));
      return { folders, next_cursor: null };
    },
    "/api/storage/folders/move/": ({ tenant_id, from, to }) =>
      startJob("move_folder", { tenant_id }, from, ({ body }) => void (body["folder"] = to)),
    "/api/storage/folders/delete/": ({ tenant_id, folder }) =>
      startJob("delete_folder", { tenant_id }, folder, (_, path) => uploads.delete(path)),
    "/api/storage/jobs/"({ job_id }) {
      const job = jobs.get(job_id);
      if (!job) throw { status: 404, detail: "Job not found", code: "job_not_found" };
      return job;
    },
    "/api/storage/update/"(input) {
      const upload = find(input);
      const { filename, folder } = input;
      Object.assign(upload.body, filename !== undefined && { filename }, folder !== undefined && { folder });
      return fileOf(String(input["file_path"]), upload);
    },
    "/api/storage/restore/"(input) {
      const path = String(input["file_path"]);
      const upload = trash.get(path);
      if (!upload) throw { status: 404, detail: "File not found" };
      trash.delete(path);
      uploads.set(path, upload);
      return fileOf(path, upload);
    },
    "/api/storage/delete/"(input) {
      const upload = find(input);
      uploads.delete(String(input["file_path"]));
      if (input["trash_only"]) trash.set(String(input["file_path"]), upload);
      return { deleted: [input["file_path"]], not_found: [] };
    },
  };

  /** The jobs of this service are done at once. They change the files in the folder, not those below it. */
  function startJob(
    kind: string,
    tenant: object,
    folder: unknown,
    change: (upload: StoredUpload, path: string) => void,
  ) {
    const files = [...uploads].filter(([, { body }]) => body["folder"] === folder);
    for (const [path, upload] of files) change(upload, path);
    const job_id = `job${++lastId}`;
    const counts = { total: files.length, done: files.length, kept: 0 };
    const times = { created_at: "2026-01-01T00:00:00.000Z", ended_at: "2026-01-01T00:00:01.000Z" };
    jobs.set(job_id, { job_id, kind, ...tenant, state: "done", ...counts, ...times });
    return { job_id };
  }

  /** Makes a file a version of another one, if it is stored. */
  function replace(old: string, path: string) {
    const upload = uploads.get(old);
    if (!upload) return;
    uploads.delete(old);
    trash.set(old, upload);
    versions.set(path, [old, ...(versions.get(old) ?? []).filter((other) => other !== path)]);
    versions.delete(old);
  }

  function downloadOf(input: Record<string, unknown>, origin: string) {
    const { version = input["file_path"] } = input;
    const upload = version === input["file_path"] ? find(input) : trash.get(String(version));
    if (!upload) throw { status: 404, detail: "File not found" };
    const { file_path, filename, content_type, size } = fileOf(String(version), upload);
    const expires_at = new Date(Date.now() + 900_000).toISOString();
    return {
      presigned_url: `${origin}/storage/${file_path}`,
      file_path,
      filename,
      content_type,
      size,
      expires_at,
    };
  }

  function find(input: Record<string, unknown>): StoredUpload {
    const upload = uploads.get(String(input["file_path"]));
    if (upload && upload.body["tenant_id"] === input["tenant_id"]) return upload;
    throw { status: 404, detail: "File not found" };
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const origin = `http://${request.headers.host}`;
    const url = new URL(request.url ?? "/", origin);
    const bytes = Buffer.concat(await request.toArray());
    if (request.method === "PUT") {
      const upload = uploads.get(url.pathname.replace("/storage/", ""));
      const part = Number(url.searchParams.get("partNumber"));
      if (upload && part > 0) upload.parts?.set(part, bytes);
      else if (upload) upload.bytes = bytes;
      return response.writeHead(upload ? 200 : 403).end();
    }
    const planned = next;
    next = null;
    arrived();
    if (planned === "hang") return;
    if (planned) return refuse(response, planned);
    const input = {
      ...Object.fromEntries(url.searchParams),
      ...(bytes.length > 0 && JSON.parse(`${bytes}`)),
    };
    try {
      const handler = handlers[`${request.method} ${url.pathname}`] ?? handlers[url.pathname];
      const body = handler?.(input, origin);
      if (!body) return refuse(response, { status: 404, detail: "Not found" });
      json(response, 200, body);
    } catch (refusal) {
      refuse(response, refusal as Exclude<Answer, string>);
    }
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuseNext: (refusal: Exclude<Answer, string>) => void (next = refusal),
    /** Makes the next call hang. Resolves when it has arrived. */
    hangNext(): Promise<void> {
      next = "hang";
      return new Promise((resolve) => (arrived = resolve));
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function fileOf(path: string, { body, bytes }: StoredUpload) {
  return {
    file_path: path,
    tenant_id: body["tenant_id"],
    filename: body["filename"],
    content_type: body["content_type"] ?? "application/octet-stream",
    size: bytes?.length ?? null,
    status: bytes ? "stored" : "pending",
    etag: "abc",
    metadata: body["metadata"] ?? {},
    folder: body["folder"] ?? "",
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: bytes ? "2026-01-01T00:00:01.000Z" : null,
  };
}

/** The entry of the list of uploads by parts that are not complete. */
function openUploadOf(path: string, upload: StoredUpload) {
  const { body, parts = new Map<number, Buffer>() } = upload;
  const declared_size = Number(body["size"]);
  return {
    ...fileOf(path, upload),
    declared_size,
    part_size: PART_SIZE,
    part_count: Math.ceil(declared_size / PART_SIZE),
    parts_stored: parts.size,
    bytes_stored: [...parts.values()].reduce((sum, { length }) => sum + length, 0),
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    fingerprint: body["fingerprint"] ?? null,
  };
}

function refuse(
  response: ServerResponse,
  { status, detail, retryAfterSeconds, code }: Exclude<Answer, string>,
) {
  const headers = {
    ...(retryAfterSeconds !== undefined && { "Retry-After": `${retryAfterSeconds}` }),
    ...(code && { "X-Error-Code": code }),
  };
  json(response, status, { detail }, headers);
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
