import { setTimeout as sleep } from "node:timers/promises";
import { LeftOut, NoAnswer } from "../expect/failure.js";
import { show } from "../expect/match.js";
import { Answer } from "./answer.js";
import { createSecrets } from "./secrets.js";

export interface ClientOptions {
  /** The service's address, with or without a path. */
  url: string;
  key: string;
  /** How long a request may take, its answer included. */
  requestTimeoutMs: number;
  /** How many bytes the run may send in all. */
  maxSentBytes: number;
}

export interface Request {
  method?: string;
  /** Text and bytes are sent unchanged, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Null: no Authorization header. @default the run's key */
  key?: string | null;
  /** The first word of Authorization. @default "Bearer" */
  scheme?: string;
}

/** Ends requests when the run ends. */
export type Until = { signal: AbortSignal };

const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
const MAX_WAITS = 5;
const MAX_WAIT_SECONDS = 65;

/** Sends the requests of a run. It counts them, limits them, and keeps their secrets out of every text. */
export type Client = ReturnType<typeof createClient>;

export function createClient({ url, key, requestTimeoutMs, maxSentBytes }: ClientOptions) {
  const secrets = createSecrets(key);
  const base = url.replace(/\/+$/, "");
  const seenRequestIds = new Set<string>();
  const counts = { requests: 0, sentBytes: 0, waitedSeconds: 0 };

  async function exchange(
    from: Answer["from"],
    address: string,
    {
      method,
      headers,
      body,
    }: { method: string; headers: Record<string, string>; body: string | Uint8Array | undefined },
    asked: string,
    { signal }: Until,
  ): Promise<Answer> {
    const bytes = body === undefined ? 0 : Buffer.byteLength(body);
    if (counts.sentBytes + bytes > maxSentBytes)
      throw new LeftOut(`the run may send at most ${maxSentBytes} bytes`);
    counts.requests++;
    counts.sentBytes += bytes;
    try {
      const response = await fetch(address, {
        method,
        headers,
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
        ...(body !== undefined && { body: body as string }),
      });
      const content = await readAll(response);
      const requestId = response.headers.get("x-request-id");
      const isRepeated = from === "service" && requestId !== null && seenRequestIds.has(requestId);
      if (requestId !== null) seenRequestIds.add(requestId);
      const answer = new Answer({
        from,
        asked,
        status: response.status,
        headers: response.headers,
        bytes: content,
        isRepeated,
      });
      rememberSecrets(answer.json);
      return answer;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const { code, reason } = describe(error, requestTimeoutMs);
      throw new NoAnswer({ asked, to: from, code, reason });
    }
  }

  function rememberSecrets(body: unknown): void {
    if (typeof body !== "object" || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      if (name === "presigned_url" && typeof value === "string") secrets.add(value);
      // Of a share link.
      else if (name === "url" && typeof value === "string") secrets.addLink(value);
      else rememberSecrets(value);
    }
  }

  return {
    counts,
    redact: secrets.redact,

    /** Sends a request to the service. If it answers 429, the request is repeated after its Retry-After. */
    async send(path: string, request: Request, until: Until): Promise<Answer> {
      const { body } = request;
      const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
      const content = isRaw ? body : JSON.stringify(body);
      const method = request.method ?? (body === undefined ? "GET" : "POST");
      const authorization = request.key === undefined ? key : request.key;
      const headers = {
        Accept: "application/json",
        ...(authorization !== null && { Authorization: `${request.scheme ?? "Bearer"} ${authorization}` }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...request.headers,
      };
      const asked = describeRequest(method, path, request);
      for (let waits = 0; ; waits++) {
        const answer = await exchange(
          "service",
          base + path,
          { method, headers, body: content },
          asked,
          until,
        );
        const seconds = Number(answer.headers.get("retry-after"));
        const mayWait = answer.status === 429 && seconds > 0 && seconds <= MAX_WAIT_SECONDS;
        if (!mayWait || waits === MAX_WAITS) return answer;
        counts.waitedSeconds += seconds;
        await sleep(seconds * 1000, undefined, until);
      }
    },

    /** Sends a request to a presigned or public URL, as a browser does. */
    store(address: string, request: Omit<Request, "key">, until: Until): Promise<Answer> {
      const { method = "GET", headers = {} } = request;
      const body = request.body as string | Uint8Array | undefined;
      const host = URL.canParse(address) ? new URL(address).origin : "an address that is no URL";
      const sent = body === undefined ? "" : ` with ${Buffer.byteLength(body)} bytes`;
      const asked = `${method} ${method === "GET" ? "from" : "to"} storage at ${host}${sent}${describeHeaders(headers)}`;
      // Storage may close an idle connection in the moment in which the next PUT is sent on it, and fetch repeats no PUT.
      const all = method === "PUT" ? { ...headers, Connection: "close" } : headers;
      return exchange("storage", address, { method, headers: all, body }, asked, until);
    },
  };
}

/** @throws {Error} for an answer of more bytes than any case expects */
async function readAll(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += (part as Uint8Array).length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts);
}

function describeRequest(method: string, path: string, { body, headers = {}, key }: Request): string {
  const sent =
    body === undefined
      ? ""
      : body instanceof Uint8Array
        ? ` with ${body.length} bytes`
        : ` ${typeof body === "string" ? show(body).slice(1, -1) || "with an empty body" : show(body)}`;
  return `${method} ${path}${sent}${describeHeaders(headers)}${key === null ? ", without a key" : ""}`;
}

function describeHeaders(headers: Record<string, string>): string {
  const lines = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() !== "authorization")
    .map(([name, value]) => `${name}: ${value}`);
  return lines.length === 0 ? "" : ` (${lines.join(", ")})`;
}

function describe(error: unknown, timeoutMs: number): { code: string; reason: string } {
  if (error instanceof Error && error.name === "TimeoutError") {
    return { code: "timeout", reason: `no answer within ${timeoutMs / 1000} s` };
  }
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 5; cause = cause.cause) chain.push(cause);
  const codes = chain.map((one) => ("code" in one && typeof one.code === "string" ? one.code : ""));
  const code = codes.find((one) => one !== "") ?? "unknown";
  const message = chain.at(-1)?.message ?? String(error);
  // undici's word for a body that ended early.
  const isCut =
    chain.some((one) => one.message === "terminated") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  if (isCut) return { code: "cut off", reason: `an answer that broke off (${message})` };
  return { code, reason: `no answer (${code === "unknown" ? message : `${code}: ${message}`})` };
}
