import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { urlToHttpOptions } from "node:url";
import type { HeadObject } from "./object-store.js";
import { createPresigner, type PresignerOptions } from "./presign.js";

export interface HeadClientOptions extends PresignerOptions {
  /** The time limit for both attempts of a HEAD request and the pause between them. */
  timeoutMs: number;
}

export interface HeadClient {
  /**
   * Returns the object at a path, or null if storage answers 404. A missing bucket is a 404 too.
   *
   * @throws {Error} for any other status, and if storage does not answer in time
   */
  head(path: string): Promise<HeadObject | null>;
  close(): void;
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
 * Sends HEAD requests with Node's own HTTP client, signed like presigned URLs. Every upload needs at least one of them, and the
 * SDK's client takes three times as much CPU for it (decision 0014).
 */
export function createHeadClient({ timeoutMs, ...options }: HeadClientOptions): HeadClient {
  const { presignHead } = createPresigner(options);
  const endpoint = new URL(options.endpoint);
  const { Agent, request } = endpoint.protocol === "https:" ? https : http;
  // Passing a URL to `request` would parse it again for each HEAD, and an AbortSignal costs more than a timer: see settle in
  // bench/notes.md.
  const address = urlToHttpOptions(endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  async function send(path: string, limitMs: number): Promise<http.IncomingMessage> {
    // Storage compares this time with its own clock, so it must be the real time and not an injected clock.
    const url = await presignHead({ path, signedAt: new Date(), expiresInSeconds: URL_SECONDS });
    return new Promise((resolve, reject) => {
      const pathAndQuery = url.slice(endpoint.origin.length);
      const call = request({ ...address, path: pathAndQuery, method: "HEAD", agent }, (response) => {
        clearTimeout(timer);
        resolve(response.resume());
      });
      const timer = setTimeout(() => call.destroy(new Error("no answer to a HEAD in time")), limitMs);
      call.on("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
      call.end();
    });
  }

  return {
    async head(path) {
      const deadline = performance.now() + timeoutMs;
      for (let attempt = 1; ; attempt++) {
        const isLast = () => attempt === MAX_ATTEMPTS || deadline - performance.now() <= RETRY_DELAY_MS;
        const response = await send(path, deadline - performance.now()).catch((error: unknown) => {
          // The other side can close a kept connection at the moment at which it is used again.
          if (isLast()) throw error;
          return null;
        });
        if (response?.statusCode === 200) return toHeadObject(response.headers);
        if (response?.statusCode === 404) return null;
        if (response && (isLast() || !isTransient(response.statusCode!)))
          throw new Error(`HTTP ${response.statusCode} for a HEAD`);
        await sleep(RETRY_DELAY_MS);
      }
    },
    close: () => agent.destroy(),
  };
}

/** An error of storage itself, or too many requests: a second attempt may succeed. */
function isTransient(status: number): boolean {
  return status >= 500 || status === 429;
}

function toHeadObject(headers: http.IncomingHttpHeaders): HeadObject {
  const { "content-length": length, "content-type": contentType, etag = "" } = headers;
  const lastModified = headers["last-modified"];
  return {
    sizeBytes: Number(length ?? 0),
    etag: etag.replaceAll('"', ""),
    contentType,
    lastModified: lastModified === undefined ? undefined : new Date(lastModified),
  };
}
