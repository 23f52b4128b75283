import { hash } from "node:crypto";
import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { urlToHttpOptions } from "node:url";
import type { StorageAnswer } from "./addressing.js";
import type { HeadObject, StorageClient } from "./object-store.js";
import { createPresigner, type PresignerOptions } from "./presign.js";

export interface ObjectClientOptions extends PresignerOptions {
  /** The time limit for both attempts of a request and the pause between them. For `read` it ends with the headers of the answer. */
  timeoutMs: number;
}

/**
 * `head` and `read` return null if storage answers 404, which it does for a missing bucket too. Every other status is an error, and so
 * is storage that does not answer in time.
 */
export interface ObjectClient extends Pick<StorageClient, "head" | "read" | "write"> {
  /** Says what storage answers to a GET, and never rejects. It asks once. */
  ask(path: string): Promise<StorageAnswer>;
  close(): void;
}

interface Times {
  signedAt: Date;
  expiresInSeconds: number;
}

interface ObjectRequest {
  method: "HEAD" | "GET" | "PUT";
  sign: (times: Times) => Promise<string>;
  headers?: http.OutgoingHttpHeaders;
  body?: Uint8Array;
  signal?: AbortSignal;
}

/** The same number as in the SDK's client. */
const MAX_CONNECTIONS = 50;
/**
 * S3 allows clocks to differ by this much. A URL with a shorter life would have expired on arrival if this machine's clock is
 * slow.
 */
const URL_SECONDS = 15 * 60;
const MAX_ATTEMPTS = 2;
const RETRY_DELAY_MS = 100;

/**
 * Reads and writes single objects with Node's own HTTP client, signed like presigned URLs. Every upload needs a HEAD, every variant of an
 * image a GET and a PUT, and the SDK's client takes three times as much CPU for them (decision 0014).
 */
export function createObjectClient({ timeoutMs, ...options }: ObjectClientOptions): ObjectClient {
  const { presignOwn, presignPut, encryptionHeaders } = createPresigner(options);
  const { protocol } = new URL(options.endpoint);
  const { Agent, request } = protocol === "https:" ? https : http;
  // Passing a URL to `request` would parse it again for each request, and an AbortSignal costs more than a timer: see settle in
  // lab/bench/notes.md.
  const addressOf = cacheAddresses();
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  async function send(wanted: ObjectRequest, limitMs: number): Promise<http.IncomingMessage> {
    const { method, headers, body, signal } = wanted;
    // Storage compares this time with its own clock, so it must be the real time and not an injected clock.
    const url = await wanted.sign({ signedAt: new Date(), expiresInSeconds: URL_SECONDS });
    return new Promise((resolve, reject) => {
      const path = url.slice(originOf(url).length);
      const call = request(
        { ...addressOf(originOf(url)), path, method, headers, agent, signal },
        (response) => {
          clearTimeout(timer);
          // Without a reader at once, the next request would need another connection.
          resolve(method === "GET" ? response : response.resume());
        },
      );
      const timer = setTimeout(() => call.destroy(new Error(`no answer to a ${method} in time`)), limitMs);
      call.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      call.end(body);
    });
  }

  /** @returns the answer 200, or 206 to a range, null for 404. The caller has to read or to destroy the body of a GET */
  async function ask(wanted: ObjectRequest): Promise<http.IncomingMessage | null> {
    const deadline = performance.now() + timeoutMs;
    for (let attempt = 1; ; attempt++) {
      const isLast = () => attempt === MAX_ATTEMPTS || deadline - performance.now() <= RETRY_DELAY_MS;
      const response = await send(wanted, deadline - performance.now()).catch((error: unknown) => {
        // The other side can close a kept connection at the moment at which it is used again.
        if (isLast() || wanted.signal?.aborted) throw error;
        return null;
      });
      if (response?.statusCode === (wanted.headers?.["Range"] ? 206 : 200)) return response;
      response?.resume();
      if (response?.statusCode === 404) return null;
      if (response && (isLast() || !isTransient(response.statusCode!)))
        throw new Error(`HTTP ${response.statusCode} for a ${wanted.method}`);
      await sleep(RETRY_DELAY_MS);
    }
  }

  return {
    async head(path) {
      const sign = (times: Times) => presignOwn("HEAD", { path, ...times });
      const response = await ask({ method: "HEAD", sign });
      return response && toHeadObject(response.headers);
    },

    async read(path, signal, range) {
      const sign = (times: Times) => presignOwn("GET", { path, ...times });
      const headers = range && { Range: `bytes=${range.at}-${range.at + range.length - 1}` };
      const response = await ask({ method: "GET", sign, signal, ...(headers ? { headers } : {}) });
      return response && { etag: etagOf(response.headers), body: response };
    },

    async write(path, bytes, contentType) {
      const contentMd5 = hash("md5", bytes, "base64");
      const content = { sizeBytes: bytes.length, contentMd5, contentType };
      const response = await ask({
        method: "PUT",
        sign: (times) => presignPut({ path, ...content, ...times }),
        headers: {
          "Content-Type": contentType,
          "Content-Length": bytes.length,
          "Content-MD5": contentMd5,
          ...encryptionHeaders,
        },
        body: bytes,
      });
      if (!response) throw new Error("HTTP 404 for a PUT");
    },

    async ask(path) {
      const sign = (times: Times) => presignOwn("GET", { path, ...times });
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const response = await send({ method: "GET", sign, signal }, timeoutMs);
        const code = /<Code>(\w{1,60})<\/Code>/.exec(await readStart(response))?.[1] ?? null;
        return { status: response.statusCode!, code };
      } catch (error) {
        const { code, name } = error as NodeJS.ErrnoException;
        return { status: null, code: code ?? name };
      }
    },

    close: () => agent.destroy(),
  };
}

const originOf = (url: string) => url.slice(0, url.indexOf("/", "https://".length));

/** A bucket may move from the path to the host, so a client has one address or two. */
function cacheAddresses(): (origin: string) => http.RequestOptions {
  const known = new Map<string, http.RequestOptions>();
  return (origin) => {
    const address = known.get(origin) ?? urlToHttpOptions(new URL(origin));
    known.set(origin, address);
    return address;
  };
}

const MAX_ERROR_BYTES = 16_384;

async function readStart(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}

/** An error of storage itself, or too many requests: a second attempt may succeed. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 429;
}

function toHeadObject(headers: http.IncomingHttpHeaders): HeadObject {
  const { "content-length": length, "content-type": contentType } = headers;
  const lastModified = headers["last-modified"];
  return {
    sizeBytes: Number(length ?? 0),
    etag: etagOf(headers),
    contentType,
    lastModified: lastModified === undefined ? undefined : new Date(lastModified),
  };
}

function etagOf({ etag = "" }: http.IncomingHttpHeaders): string {
  return etag.replaceAll('"', "");
}
