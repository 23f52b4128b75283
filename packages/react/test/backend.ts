import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Step = "request" | "put" | "complete" | "cancel" | "delete" | "routes";
/**
 * An answer in place of the normal one. `cut` closes the connection, `cutAfterBytes` after this number of bytes of the body.
 * `hang` never answers. `lost` and `late` do the work of the call first: `lost` then closes the connection, `late` then
 * never answers.
 */
type Answer =
  | "cut"
  | "hang"
  | "lost"
  | "late"
  | { cutAfterBytes: number }
  | { status: number; body?: unknown; headers?: Record<string, string> };

interface Call {
  step: Step;
  path: string;
  body: string;
  headers: IncomingMessage["headers"];
}

/** A customer's backend and a storage in one server on a free port. By default every call succeeds. */
export async function startBackend() {
  const calls: Call[] = [];
  const nextAnswers: Record<Step, Answer[]> = {
    request: [],
    put: [],
    complete: [],
    cancel: [],
    delete: [],
    routes: [],
  };
  const settings = { expiresIn: 3600, isDown: false, routes: {}, result: undefined as unknown };
  const cancelled = new Set<string>();
  const stored = new Map<string, { size: number; contentType: string }>();
  let uploads = 0;
  let parallelPuts = 0;
  let mostParallelPuts = 0;
  let abandonedCalls = 0;
  let onCall = (_step: Step, _isAnswered: boolean) => {};

  const server = createServer((request, response) => {
    response.on("close", () => (abandonedCalls += response.writableFinished ? 0 : 1));
    if (settings.isDown) return request.socket.destroy();
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse) {
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    const path = new URL(request.url ?? "/", "http://backend").pathname;
    const step = (request.method === "PUT" ? "put" : path.replace("/api/upload/", "")) as Step;
    onCall(step, false);
    response.on("finish", () => onCall(step, true));
    if (step === "put") mostParallelPuts = Math.max(mostParallelPuts, ++parallelPuts);
    const chunks: Buffer[] = [];
    const [next] = nextAnswers[step];
    let bytes = 0;
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (typeof next === "object" && "cutAfterBytes" in next && bytes >= next.cutAfterBytes) break;
    }
    if (step === "put") parallelPuts--;
    const body = Buffer.concat(chunks);
    calls.push({ step, path, body: body.toString("latin1"), headers: request.headers });

    const planned = nextAnswers[step].shift();
    if (planned === "cut" || (typeof planned === "object" && "cutAfterBytes" in planned)) {
      return request.socket.destroy();
    }
    if (planned === "hang") return;
    if (planned === "lost" || planned === "late") {
      response.writeHead = () => (planned === "lost" ? response.destroy() : response);
      response.end = () => response;
      return handle[step](request, response, path, body);
    }
    if (planned) return json(response, planned.status, planned.body ?? {}, planned.headers);
    return handle[step](request, response, path, body);
  }

  const handle = {
    request(request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { filename, content_type = "application/octet-stream", size } = JSON.parse(body.toString());
      const file_path = `projects/p/tenants/t/${++uploads}_${encodeURIComponent(filename)}`;
      json(response, 200, {
        presigned_url: `http://${request.headers.host}/${file_path}?signature=${uploads}`,
        file_path,
        content_type,
        headers: { "Content-Type": content_type, "X-Signed": `yes-${uploads}` },
        expires_at: "2026-01-01T00:00:00Z",
        expires_in: settings.expiresIn,
        max_bytes: size,
      });
    },
    put(request: IncomingMessage, response: ServerResponse, path: string, body: Buffer) {
      stored.set(path.slice(1), { size: body.length, contentType: request.headers["content-type"] ?? "" });
      response.writeHead(200).end();
    },
    complete(_request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { file_path } = JSON.parse(body.toString());
      if (cancelled.has(file_path))
        return json(response, 404, { detail: "File not found", code: "file_not_found" });
      const found = stored.get(file_path);
      if (!found)
        return json(response, 409, { detail: "Upload not found in storage", code: "upload_not_found" });
      json(response, 200, {
        file_path,
        size: found.size,
        content_type: found.contentType,
        status: "stored",
        result: settings.result,
      });
    },
    cancel(_request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { file_path } = JSON.parse(body.toString());
      if (stored.has(file_path))
        return json(response, 409, { detail: "Upload is already stored", code: "upload_already_stored" });
      cancelled.add(file_path);
      json(response, 200, {});
    },
    delete(_request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const isGone = !stored.delete(JSON.parse(body.toString()).file_path);
      if (isGone) return json(response, 404, { detail: "File not found", code: "file_not_found" });
      json(response, 200, {});
    },
    routes(_request: IncomingMessage, response: ServerResponse) {
      json(response, 200, { routes: settings.routes });
    },
  };

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/upload`,
    calls,
    /** The steps of all calls, in order. */
    steps: () => calls.map((call) => call.step).filter((step) => step !== "routes"),
    of: (step: Step) => calls.filter((call) => call.step === step),
    nextAnswers,
    settings,
    /** Called when a call arrives, and when it was answered. */
    set onCall(listener: (step: Step, isAnswered: boolean) => void) {
      onCall = listener;
    },
    stored,
    /** The paths of the cancelled uploads. */
    cancelled,
    /** Calls that the caller gave up on. */
    abandonedCalls: () => abandonedCalls,
    mostParallelPuts: () => mostParallelPuts,
    /** Closes all connections, as if the cable was pulled. */
    cutAll: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type Backend = Awaited<ReturnType<typeof startBackend>>;

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, PUT, POST",
  "Access-Control-Allow-Headers": "content-type, x-signed, accept",
};

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}
