import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  aDownloadAnswer,
  aFileAnswer,
  aRefusal,
  anUploadAnswer,
  type Answer,
  type FileAnswer,
  type Members,
} from "./answers.js";
import { answerToLinks, type FakeLink } from "./fake-links.js";
import { answerToVersions, type FakeVersion, keepVersion } from "./fake-versions.js";
import { answerToMultipart, type FakeMultipart, type FakePart } from "./fake-multipart.js";

export { aFileAnswer, anUploadAnswer } from "./answers.js";

/** A valid API key format that no real service accepts. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

/** A call that the fake has received. */
export interface ReceivedCall {
  method: string;
  path: string;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  /** The headers `traceparent` and `tracestate`, without those that are missing. */
  trace: { traceparent?: string; tracestate?: string };
  body: Record<string, unknown>;
}

type Responder = (call: ReceivedCall, response: ServerResponse) => void;

/**
 * Starts a fake of the service: an HTTP server on a free port that answers as the real service does. e2e/ runs the same
 * contract tests against both.
 *
 * @param options.storageUrl the address in the URLs of parts
 */
export async function aService({ storageUrl = "https://storage.example/bucket" } = {}) {
  const calls: ReceivedCall[] = [];
  const planned: (Responder | undefined)[] = [];
  const store: Store = {
    uploads: new Map(),
    keys: new Map(),
    files: [],
    links: [],
    versions: new Map(),
    multiparts: new Map(),
    storageUrl,
    opened: new Map(),
  };
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
    /** The share links, newest first. */
    links: store.links,
    /** The uploads by parts that are not complete, by path. */
    multiparts: store.multiparts as ReadonlyMap<string, FakeMultipart>,
    /** Makes the service find a part in storage. */
    storePart: (path: string, part: FakePart) =>
      void store.multiparts.get(path)?.parts.set(part.number, part),
    /** Sets the responses of the next calls, one per call. `undefined` is the response of the contract. */
    next: (...responders: (Responder | undefined)[]) => void planned.push(...responders),
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
  /** Newest first. */
  links: FakeLink[];
  versions: Map<unknown, FakeVersion[]>;
  multiparts: Map<string, FakeMultipart>;
  storageUrl: string;
  opened: Map<string, string>;
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
    const called = `${call.method} ${pathname}`;
    const special =
      answerToMultipart(called, input, store, call.idempotencyKey) ??
      answerToLinks(called, input, store) ??
      answerToVersions(called, input, store);
    const { status, body, headers } = special ?? answerTo(pathname, input, store);
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

function answerTo(pathname: string, input: Members, store: Store): Answer {
  const { uploads, files } = store;
  if (pathname === "/api/storage/upload/") {
    const body = anUploadAnswer(input);
    uploads.set(body.file_path, input);
    return { status: 200, body };
  }
  if (pathname === "/api/storage/files/") {
    const ofTenant = files
      .filter(({ tenant_id }) => tenant_id === (input["tenant_id"] ?? tenant_id))
      .filter(({ folder }) => folder === (input["folder"] ?? folder));
    return { status: 200, body: aPageOf(ofTenant, input) };
  }
  if (pathname === "/api/storage/usage/") {
    return { status: 200, body: aUsageAnswer(files, input["tenant_id"]) };
  }
  if (pathname === "/api/storage/downloads/") return downloadsAnswer(uploads, input);
  const upload = uploads.get(input["file_path"]);
  if (upload !== undefined && upload["tenant_id"] !== input["tenant_id"]) {
    return aRefusal(404, "file_not_found", "File not found");
  }
  const file = {
    ...aFileAnswer(input),
    metadata: upload?.["metadata"] ?? {},
    folder: upload?.["folder"] ?? "",
  };
  switch (pathname) {
    case "/api/storage/complete/":
      files.unshift(file);
      keepVersion(store, upload?.["replaces"], file);
      return { status: 200, body: file };
    case "/api/storage/file/":
      return { status: 200, body: file };
    case "/api/storage/download/":
      return { status: 200, body: aDownloadAnswer(file) };
    case "/api/storage/cancel/":
      return { status: 200, body: { file_path: input["file_path"], cancelled: true } };
    case "/api/storage/update/": {
      const { filename = file.filename, folder = file.folder } = input;
      return { status: 200, body: { ...file, filename, folder } };
    }
    case "/api/storage/restore/":
      return { status: 200, body: file };
    case "/api/storage/delete/":
      return {
        status: 200,
        body: { deleted: [input["file_paths"] ?? input["file_path"]].flat(), not_found: [] },
      };
    default:
      return aRefusal(404, "not_found", "Not found");
  }
}

function downloadsAnswer(uploads: Store["uploads"], input: Members): Answer {
  const paths = [...new Set(input["file_paths"] as string[])];
  const isForeign = (path: string) =>
    (uploads.get(path)?.["tenant_id"] ?? input["tenant_id"]) !== input["tenant_id"];
  const downloads = paths
    .filter((path) => !isForeign(path))
    .map((path) => aDownloadAnswer(aFileAnswer({ file_path: path })));
  return { status: 200, body: { downloads, not_found: paths.filter(isForeign) } };
}

/** The cursor is the number of files before the page. */
function aPageOf(files: FileAnswer[], { limit = 50, cursor = 0 }: Members) {
  const end = Number(cursor) + Number(limit);
  return { files: files.slice(Number(cursor), end), next_cursor: end < files.length ? String(end) : null };
}

function aUsageAnswer(files: FileAnswer[], tenantId: unknown) {
  const own = files.filter(({ tenant_id }) => tenant_id === tenantId);
  const usedBytes = own.reduce((sum, { size }) => sum + size, 0);
  return {
    used_bytes: usedBytes,
    reserved_bytes: 0,
    file_count: own.length,
    quota_bytes: 1_000_000_000,
    plan: null,
    max_files: null,
    max_open_uploads: null,
    uploads_per_minute: null,
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedCall> {
  const text = (await request.toArray()).join("");
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    authorization: request.headers.authorization,
    trace: traceOf(request),
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

function traceOf({ headers }: IncomingMessage): ReceivedCall["trace"] {
  const trace: ReceivedCall["trace"] = {};
  for (const name of ["traceparent", "tracestate"] as const) {
    const value = headers[name];
    if (typeof value === "string") trace[name] = value;
  }
  return trace;
}
