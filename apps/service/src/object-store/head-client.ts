import * as http from "node:http";
import * as https from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { urlToHttpOptions } from "node:url";
import type { StoredObject } from "./object-store.js";
import { createPresigner, type PresignerOptions } from "./presign.js";

export interface HeadClientOptions extends PresignerOptions {
  /** Both tries of a HEAD and the pause between them, in one deadline. */
  timeoutMs: number;
}

export interface HeadClient {
  /**
   * What lies at a path, or null for 404, which is also what a HEAD hears of a bucket that is not there.
   *
   * @throws {Error} for any other answer, and for none in time
   */
  head(path: string): Promise<StoredObject | null>;
  close(): void;
}

/** As many as the SDK's client keeps. */
const CONNECTIONS = 50;
/** By so much S3 lets clocks differ; a URL that lives shorter would be dead on arrival where this one is slow. */
const URL_LIVES_SECONDS = 15 * 60;
const MOST_TRIES = 2;
const PAUSE_MS = 100;

/**
 * HEADs of objects over Node's own HTTP, signed as any presigned URL. By hand, since every upload takes one at least, and the SDK's
 * client takes three times as much CPU for it (decision 0014).
 */
export function createHeadClient({ timeoutMs, ...options }: HeadClientOptions): HeadClient {
  const { presignHead } = createPresigner(options);
  const endpoint = new URL(options.endpoint);
  const { Agent, request } = endpoint.protocol === "https:" ? https : http;
  // Taken apart once, not with each URL: see settle in bench/notes.md, as for the AbortSignal that is not there below.
  const address = urlToHttpOptions(endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

  async function send(path: string, limitMs: number): Promise<http.IncomingMessage> {
    // Storage compares the time with its own clock, so it is this machine's.
    const url = await presignHead({ path, signedAt: new Date(), expiresInSeconds: URL_LIVES_SECONDS });
    return new Promise((resolve, reject) => {
      const pathOfUrl = url.slice(endpoint.origin.length);
      const call = request({ ...address, path: pathOfUrl, method: "HEAD", agent }, (response) => {
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
      const endsAt = performance.now() + timeoutMs;
      for (let tries = 1; ; tries++) {
        const isLast = () => tries === MOST_TRIES || endsAt - performance.now() <= PAUSE_MS;
        const answer = await send(path, endsAt - performance.now()).catch((error: unknown) => {
          // A connection that was kept can have been closed by the other side in this moment.
          if (isLast()) throw error;
          return null;
        });
        if (answer?.statusCode === 200) return readObject(answer.headers);
        if (answer?.statusCode === 404) return null;
        if (answer && (isLast() || !isPassing(answer.statusCode!)))
          throw new Error(`HTTP ${answer.statusCode} for a HEAD`);
        await sleep(PAUSE_MS);
      }
    },
    close: () => agent.destroy(),
  };
}

/** Storage's own trouble, or too much at once: what another moment may answer otherwise. */
function isPassing(status: number): boolean {
  return status >= 500 || status === 429;
}

function readObject({ "content-length": length, etag = "" }: http.IncomingHttpHeaders): StoredObject {
  return { sizeBytes: Number(length ?? 0), etag: etag.replaceAll('"', "") };
}
