import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A valid API key format that no real service accepts. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

/** A call that the fake has received. */
export interface ReceivedCall {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  body: Record<string, unknown>;
}

type Responder = (call: ReceivedCall, response: ServerResponse) => void;
type Members = Record<string, unknown>;
type FileAnswer = ReturnType<typeof aFileAnswer>;

/**
 * Starts a fake of the service: an HTTP server on a free port that answers as the real service does. apps/local runs the same
 * contract tests against both.
 */
export async function aService() {
  const calls: ReceivedCall[] = [];
  const planned: Responder[] = [];
  const store: Store = { uploads: new Map(), keys: new Map(), files: [] };
  let permanent: Responder | undefined;
  const server = createServer((request, response) => {
    void receive(request).then((call) => {
      calls.push(call);
      const respond = planned.shift() ?? permanent ?? respondFrom(store);
      respond(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** All calls so far. */
    calls,
    /** The stored files, newest first. Tests may add files. */
    files: store.files,
    /** Sets the responses of the next calls, one per call. */
    next: (...responders: Responder[]) => void planned.push(...responders),
    /** Sets the response of all following calls. `undefined` restores the responses of the contract. */
    always: (responder: Responder | undefined) => void (permanent = responder),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof aService>>;

/** Responds with a status and a JSON body. */
export function says(status: number, body: unknown, headers: Record<string, string> = {}): Responder {
  return (_, response) => void sendJson(response, status, body, headers);
}

/** Closes the connection without a response. */
export const hangsUp: Responder = (_, response) => void response.destroy();

/** Never responds. */
export const staysSilent: Responder = () => {};

interface Store {
  /** The members of the last upload request of each path. */
  uploads: Map<unknown, Members>;
  /** The body of the first request with each key, as JSON. */
  keys: Map<string, string>;
  files: FileAnswer[];
}

function respondFrom(store: Store): Responder {
  return (call, response) => {
    if (call.authorization !== `Bearer ${API_KEY}`) {
      return sendJson(response, 401, { detail: "Unauthorized" }, { "X-Error-Code": "unauthorized" });
    }
    const { pathname, searchParams } = new URL(call.path, "http://service");
    const input: Members = { ...call.body, ...Object.fromEntries(searchParams) };
    if (isKeyReused(call, store)) {
      const headers = { "X-Error-Code": "idempotency_key_reused" };
      return sendJson(response, 422, { detail: "Idempotency-Key was used for another request" }, headers);
    }
    const { status, body, headers } = answerTo(pathname, input, store);
    sendJson(response, status, body, headers);
  };
}

function isKeyReused({ idempotencyKey: key, body }: ReceivedCall, { keys }: Store): boolean {
  if (key === undefined) return false;
  const request = JSON.stringify(body);
  const isReused = (keys.get(key) ?? request) !== request;
  if (!isReused) keys.set(key, request);
  return isReused;
}

function answerTo(
  pathname: string,
  input: Members,
  { uploads, files }: Store,
): { status: number; body: object; headers?: Record<string, string> } {
  if (pathname === "/api/storage/upload/") {
    const body = anUploadAnswer(input);
    uploads.set(body.file_path, input);
    return { status: 200, body };
  }
  if (pathname === "/api/storage/files/") {
    const ofTenant = files.filter(({ tenant_id }) => tenant_id === (input["tenant_id"] ?? tenant_id));
    return { status: 200, body: aPageOf(ofTenant, input) };
  }
  if (pathname === "/api/storage/usage/") {
    return { status: 200, body: aUsageAnswer(files, input["tenant_id"]) };
  }
  const upload = uploads.get(input["file_path"]);
  if (upload !== undefined && upload["tenant_id"] !== input["tenant_id"]) {
    return aNotFoundAnswer("file_not_found", "File not found");
  }
  const file = { ...aFileAnswer(input), metadata: upload?.["metadata"] ?? {} };
  switch (pathname) {
    case "/api/storage/complete/":
      files.unshift(file);
      return { status: 200, body: file };
    case "/api/storage/file/":
      return { status: 200, body: file };
    case "/api/storage/download/":
      return { status: 200, body: aDownloadAnswer(file) };
    case "/api/storage/cancel/":
      return { status: 200, body: { file_path: input["file_path"], cancelled: true } };
    case "/api/storage/delete/":
      return {
        status: 200,
        body: { deleted: [input["file_paths"] ?? input["file_path"]].flat(), not_found: [] },
      };
    default:
      return aNotFoundAnswer("not_found", "Not found");
  }
}

/** The cursor is the number of files before the page. */
function aPageOf(files: FileAnswer[], { limit = 50, cursor = 0 }: Members) {
  const end = Number(cursor) + Number(limit);
  return { files: files.slice(Number(cursor), end), next_cursor: end < files.length ? String(end) : null };
}

function aUsageAnswer(files: FileAnswer[], tenantId: unknown) {
  const own = files.filter(({ tenant_id }) => tenant_id === tenantId);
  const usedBytes = own.reduce((sum, { size }) => sum + size, 0);
  return { used_bytes: usedBytes, reserved_bytes: 0, file_count: own.length, quota_bytes: 1_000_000_000 };
}

function aNotFoundAnswer(code: string, detail: string) {
  return { status: 404, body: { detail }, headers: { "X-Error-Code": code } };
}

export function anUploadAnswer(body: Members) {
  const contentType = body["content_type"] ?? "text/plain";
  return {
    presigned_url: "https://storage.example/bucket/projects/p/tenants/t/1_file?X-Amz-Signature=abc",
    file_path: "projects/p/tenants/t/1_file",
    tenant_id: body["tenant_id"],
    is_new_tenant: true,
    content_type: contentType,
    headers: { "Content-Type": contentType },
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    max_bytes: body["size"] ?? 1_000_000,
  };
}

export function aFileAnswer(body: Members) {
  return {
    file_path: body["file_path"],
    tenant_id: body["tenant_id"],
    filename: "notes.txt",
    content_type: "text/plain",
    size: 12,
    status: "stored",
    etag: "abc",
    metadata: {} as unknown,
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: "2026-01-01T00:00:01.000Z",
  };
}

function aDownloadAnswer(file: FileAnswer) {
  return {
    presigned_url: "https://storage.example/bucket/projects/p/tenants/t/1_file?X-Amz-Signature=def",
    file_path: file.file_path,
    filename: file.filename,
    content_type: file.content_type,
    size: file.size,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedCall> {
  const text = (await request.toArray()).join("");
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    authorization: request.headers.authorization,
    idempotencyKey: request.headers["idempotency-key"] as string | undefined,
    body: text === "" ? {} : (JSON.parse(text) as Members),
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
