import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A valid API key format that no real service accepts. */
export const API_KEY = `stow_live_${"Zq9".repeat(16)}x`;

/** One call as the service received it. */
export interface ReceivedCall {
  method: string;
  path: string;
  authorization: string | undefined;
  body: Record<string, unknown>;
}

type Responder = (call: ReceivedCall, response: ServerResponse) => void;

/** Starts a fake of the service: real HTTP on a free port, with the responses of the contract unless a test sets others. */
export async function aService() {
  const calls: ReceivedCall[] = [];
  const planned: Responder[] = [];
  const requests = new Map<unknown, Record<string, unknown>>();
  const server = createServer((request, response) => {
    void receive(request).then((call) => {
      calls.push(call);
      (planned.shift() ?? respondByContract(requests))(call, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** All calls so far. */
    calls,
    /** Sets the responses of the next calls, one per call. */
    next: (...responders: Responder[]) => void planned.push(...responders),
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

/** @param requests the last upload request of each path, with its tenant and metadata */
const respondByContract =
  (requests: Map<unknown, Record<string, unknown>>): Responder =>
  (call, response) => {
    if (call.authorization !== `Bearer ${API_KEY}`) {
      return sendJson(response, 401, { detail: "Unauthorized" });
    }
    const url = new URL(call.path, "http://service");
    const input: Record<string, unknown> = { ...call.body, ...Object.fromEntries(url.searchParams) };
    if (url.pathname === "/api/storage/upload/") {
      const answer = anUploadAnswer(input);
      requests.set(answer.file_path, input);
      return sendJson(response, 200, answer);
    }
    const uploaded = requests.get(input["file_path"]);
    if (uploaded !== undefined && uploaded["tenant_id"] !== input["tenant_id"]) {
      return sendJson(response, 404, { detail: "File not found" });
    }
    const file = { ...aFileAnswer(input), metadata: uploaded?.["metadata"] ?? {} };
    if (url.pathname === "/api/storage/complete/") return sendJson(response, 200, file);
    if (url.pathname === "/api/storage/file/") return sendJson(response, 200, file);
    if (url.pathname === "/api/storage/delete/") {
      return sendJson(response, 200, { deleted: [input["file_path"]], not_found: [] });
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
