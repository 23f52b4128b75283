import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** It has the format of an API key, and opens nothing. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

interface StoredUpload {
  body: Record<string, unknown>;
  bytes: Buffer | null;
}

/** An answer in place of the normal one. `hang` never answers. */
type Answer = "hang" | { status: number; detail: string; retryAfterSeconds?: number };

/** The HTTP API of the service and a storage, as far as the helper needs them for one user. Listens on a free port. */
export async function aService() {
  const uploads = new Map<string, StoredUpload>();
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
    "/api/storage/complete/"(input) {
      const upload = find(input);
      if (!upload.bytes) throw { status: 409, detail: "Upload not found in storage" };
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
    "/api/storage/files/"({ tenant_id, limit, cursor = 0 }) {
      const own = [...uploads].filter(([, { body, bytes }]) => body["tenant_id"] === tenant_id && bytes);
      const end = Number(cursor) + Number(limit);
      const files = own.map(([path, upload]) => fileOf(path, upload)).toReversed();
      return { files: files.slice(Number(cursor), end), next_cursor: end < files.length ? `${end}` : null };
    },
    "/api/storage/usage/"({ tenant_id }) {
      const own = [...uploads.values()].filter(({ body, bytes }) => body["tenant_id"] === tenant_id && bytes);
      const used_bytes = own.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
      return { used_bytes, reserved_bytes: 0, file_count: own.length, quota_bytes: null };
    },
    "/api/storage/download/"(input, origin) {
      const { file_path, filename, content_type, size } = fileOf(String(input["file_path"]), find(input));
      const expires_at = new Date(Date.now() + 900_000).toISOString();
      return {
        presigned_url: `${origin}/storage/${file_path}`,
        file_path,
        filename,
        content_type,
        size,
        expires_at,
      };
    },
    "/api/storage/delete/"(input) {
      find(input);
      uploads.delete(String(input["file_path"]));
      return { deleted: [input["file_path"]], not_found: [] };
    },
  };

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
      if (upload) upload.bytes = bytes;
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
      const body = handlers[url.pathname]?.(input, origin);
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
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: bytes ? "2026-01-01T00:00:01.000Z" : null,
  };
}

function refuse(response: ServerResponse, { status, detail, retryAfterSeconds }: Exclude<Answer, string>) {
  const headers = retryAfterSeconds === undefined ? {} : { "Retry-After": `${retryAfterSeconds}` };
  json(response, status, { detail }, headers);
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}
