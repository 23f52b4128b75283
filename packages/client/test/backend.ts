import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerBatch, type Batch, isBatch } from "./backend-batches.js";
import { createOpenUploads, type Refusal } from "./backend-parts.js";

/** `put` sends a whole file, `part` a part of one. `parts` signs the URLs of parts. */
type Step =
  "request" | "put" | "part" | "parts" | "listParts" | "open" | "complete" | "cancel" | "delete" | "routes";
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
  /** The number of a part that was sent. */
  part?: number;
}

/** A customer's backend and a storage in one server on a free port. By default every call succeeds. */
export async function startBackend() {
  const calls: Call[] = [];
  const batchCalls: { step: Batch; files: number }[] = [];
  const nextAnswers: Record<Step | Batch, Answer[]> = {
    "request-batch": [],
    "complete-batch": [],
    request: [],
    put: [],
    part: [],
    parts: [],
    listParts: [],
    open: [],
    complete: [],
    cancel: [],
    delete: [],
    routes: [],
  };
  const settings = {
    expiresIn: 3600,
    isDown: false,
    /** An older backend takes no batches. */
    takesBatches: true,
    /** Answers to batches wait for this. */
    batchesWaitFor: undefined as Promise<void> | undefined,
    routes: {},
    result: undefined as unknown,
    /** What `complete` says of the virus scan. */
    scanStatus: undefined as string | undefined,
    /** Files of at least this size are uploaded by parts, if the page accepts them. */
    multipartFrom: Number.POSITIVE_INFINITY,
    partSize: 1000,
    /** The most parts that are signed with the answer to the request. An older backend signs none. */
    mostFirstParts: Number.POSITIVE_INFINITY,
    partsPageSize: 1000,
  };
  const openUploads = createOpenUploads();
  const cancelled = new Set<string>();
  /** `bytes` only of files by parts. */
  const stored = new Map<string, { size: number; contentType: string; bytes?: Buffer }>();
  let uploads = 0;
  let signatures = 0;
  const refusedParts = new Map<number, number>();
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
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://backend");
    const action = path.replace("/api/upload/", "");
    if (isBatch(action)) return answerFiles(action, request, response);
    const part = Number(searchParams.get("partNumber"));
    const step = stepOf(request.method, path, part);
    onCall(step, false);
    response.on("finish", () => onCall(step, true));
    const isPut = request.method === "PUT";
    if (isPut) mostParallelPuts = Math.max(mostParallelPuts, ++parallelPuts);
    const chunks: Buffer[] = [];
    const [next] = nextAnswers[step];
    let bytes = 0;
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (typeof next === "object" && "cutAfterBytes" in next && bytes >= next.cutAfterBytes) break;
    }
    if (isPut) parallelPuts--;
    const body = Buffer.concat(chunks);
    const call = { step, path, body: body.toString("latin1"), headers: request.headers };
    calls.push(part > 0 ? { ...call, part } : call);

    const isRefused = part > 0 && (refusedParts.get(part) ?? 0) > 0;
    if (isRefused) refusedParts.set(part, refusedParts.get(part)! - 1);
    const planned = isRefused ? { status: 500 } : nextAnswers[step].shift();
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

  async function answerFiles(batch: Batch, request: IncomingMessage, response: ServerResponse) {
    const chunks = await request.toArray();
    if (!settings.takesBatches) return json(response, 404, { detail: "Not found", code: "not_found" });
    const planned = nextAnswers[batch].shift();
    if (planned === "cut") return request.socket.destroy();
    if (planned === "hang") return;
    if (typeof planned === "object" && "status" in planned) {
      return json(response, planned.status, planned.body ?? {}, planned.headers);
    }
    const { files } = JSON.parse(Buffer.concat(chunks).toString()) as { files: object[] };
    batchCalls.push({ step: batch, files: files.length });
    const results = await answerBatch(batch, files, request.headers, answer);
    await settings.batchesWaitFor;
    if (results === "destroyed") return request.socket.destroy();
    json(response, 200, { results });
  }

  /** Stores the file of an upload by parts. @returns why it is not complete */
  function completeOpen(path: string): Refusal | null {
    const joined = openUploads.complete(path);
    if (joined && "status" in joined) return joined;
    if (joined) stored.set(path, { size: joined.bytes.length, ...joined });
    return null;
  }

  function sign({ headers }: IncomingMessage, path: string, numbers: number[]) {
    return openUploads.sign(path, numbers, `http://${headers.host}`, settings.expiresIn, ++signatures);
  }

  const handle = {
    request(request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const asked = JSON.parse(body.toString());
      const {
        filename,
        content_type = "application/octet-stream",
        size,
        accepts_parts,
        slow_line,
        sign_parts = 0,
      } = asked;
      const file_path = `projects/p/tenants/t/${++uploads}_${encodeURIComponent(filename)}`;
      if (accepts_parts && (slow_line || size >= settings.multipartFrom)) {
        const parts = openUploads.add(file_path, { ...asked, content_type }, settings.partSize);
        const expiry = { expires_at: "2026-01-08T00:00:00Z", expires_in: 7 * 24 * 3600 };
        const firstParts = Math.min(sign_parts, parts.part_count, settings.mostFirstParts);
        const numbers = Array.from({ length: firstParts }, (_, index) => index + 1);
        return json(response, 200, {
          file_path,
          content_type,
          max_bytes: size,
          ...parts,
          ...expiry,
          ...(firstParts > 0 && sign(request, file_path, numbers).body),
        });
      }
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
    part(request: IncomingMessage, response: ServerResponse, path: string, body: Buffer) {
      const number = Number(new URL(request.url ?? "/", "http://backend").searchParams.get("partNumber"));
      response.writeHead(openUploads.put(path.slice(1), number, body)).end();
    },
    parts(request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { file_path, parts } = JSON.parse(body.toString());
      const numbers = parts.map(({ number }: { number: number }) => number);
      const { status, body: answered } = sign(request, file_path, numbers);
      json(response, status, answered);
    },
    listParts(request: IncomingMessage, response: ServerResponse) {
      const { searchParams } = new URL(request.url ?? "/", "http://backend");
      const cursor = Number(searchParams.get("cursor"));
      const page = openUploads.list(searchParams.get("file_path") ?? "", cursor, settings.partsPageSize);
      json(response, page.status, page.body);
    },
    open(_request: IncomingMessage, response: ServerResponse) {
      json(response, 200, openUploads.listOpen());
    },
    complete(_request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { file_path } = JSON.parse(body.toString());
      const refusal = completeOpen(file_path);
      if (refusal) return json(response, refusal.status, refusal.body);
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
        scan_status: settings.scanStatus,
        result: settings.result,
      });
    },
    cancel(_request: IncomingMessage, response: ServerResponse, _path: string, body: Buffer) {
      const { file_path } = JSON.parse(body.toString());
      if (stored.has(file_path))
        return json(response, 409, { detail: "Upload is already stored", code: "upload_already_stored" });
      cancelled.add(file_path);
      openUploads.open.delete(file_path);
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
    /** The calls for several files, and how many files each had. */
    batchCalls,
    /** The steps of all calls, in order. */
    steps: () => calls.map((call) => call.step).filter((step) => step !== "routes"),
    of: (step: Step) => calls.filter((call) => call.step === step),
    nextAnswers,
    /** Storage answers 500 to the next PUTs of one part. */
    refusePart: (number: number, times: number) => void refusedParts.set(number, times),
    settings,
    /** Called when a call arrives, and when it was answered. */
    set onCall(listener: (step: Step, isAnswered: boolean) => void) {
      onCall = listener;
    },
    stored,
    /** The uploads by parts that are open, by their path. */
    openUploads: openUploads.open,
    /** Completes an upload by parts without a call of the page, as the service does when no part is missing. */
    completeOpen,
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

function stepOf(method: string | undefined, path: string, part: number): Step {
  if (method === "PUT") return part > 0 ? "part" : "put";
  const action = path.replace("/api/upload/", "");
  return method === "GET" && action === "parts" ? "listParts" : (action as Step);
}

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, PUT, POST",
  "Access-Control-Allow-Headers": "content-type, x-signed, accept",
};

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(text);
}
