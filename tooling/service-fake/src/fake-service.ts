import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Shaped like a key, and a secret of no one. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

/** One call as the service received it. */
export interface ReceivedCall {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

type Answer = (call: ReceivedCall, response: ServerResponse) => void;

/**
 * The remote service at its wire: real HTTP on a free port, answering as the contract says until told otherwise.
 * `calls` is all that reached it.
 */
export async function aService() {
  const calls: ReceivedCall[] = [];
  const scripted: Answer[] = [];
  const labels = new Map<unknown, Record<string, unknown>>();
  const server = createServer((request, response) => {
    void receive(request).then((call) => {
      calls.push(call);
      (scripted.shift() ?? asContracted(labels))(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    /** What the next calls get, one answer each. */
    next: (...answers: Answer[]) => void scripted.push(...answers),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type FakeService = Awaited<ReturnType<typeof aService>>;

export function says(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => void sendJson(response, status, body, headers);
}

/** A connection that breaks before any answer. */
export const hangsUp: Answer = (_, response) => void response.destroy();

/** A service that never answers. */
export const staysSilent: Answer = () => {};

/** @param labels what came with the last upload of a path: its tenant and its metadata */
const asContracted =
  (labels: Map<unknown, Record<string, unknown>>): Answer =>
  (call, response) => {
    if (call.authorization !== `Bearer ${API_KEY}`) {
      return sendJson(response, 401, { detail: "Unauthorized" });
    }
    const url = new URL(call.path, "http://service");
    const asked: Record<string, unknown> = { ...call.body, ...Object.fromEntries(url.searchParams) };
    if (url.pathname === "/api/storage/upload/") {
      const answer = anUploadAnswer(asked);
      labels.set(answer.file_path, asked);
      return sendJson(response, 200, answer);
    }
    const uploaded = labels.get(asked["file_path"]);
    if (uploaded !== undefined && uploaded["tenant_id"] !== asked["tenant_id"]) {
      return sendJson(response, 404, { detail: "File not found" });
    }
    const file = { ...aFileAnswer(asked), metadata: uploaded?.["metadata"] ?? {} };
    if (url.pathname === "/api/storage/complete/") return sendJson(response, 200, file);
    if (url.pathname === "/api/storage/file/") return sendJson(response, 200, file);
    if (url.pathname === "/api/storage/delete/") {
      return sendJson(response, 200, { deleted: [asked["file_path"]], not_found: [] });
    }
    return sendJson(response, 404, { detail: "Not found" });
  };

export function anUploadAnswer(body: Record<string, unknown>) {
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

export function aFileAnswer(body: Record<string, unknown>) {
  return {
    file_path: body["file_path"],
    tenant_id: body["tenant_id"],
    filename: "notes.txt",
    content_type: "text/plain",
    size: 12,
    status: "stored",
    etag: "abc",
    metadata: {},
    created_at: "2026-01-01T00:00:00.000Z",
    stored_at: "2026-01-01T00:00:01.000Z",
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedCall> {
  const text = (await request.toArray()).join("");
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    authorization: request.headers.authorization,
    body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>),
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
