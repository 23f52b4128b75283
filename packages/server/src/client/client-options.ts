import * as z from "zod";
import { fullJitter, type RetryPolicy } from "../service-api/retry.js";
import { milliseconds, serviceOptions } from "../service-api/service-options.js";

/** Where the service is, its key, and how calls are made. */
export interface StowageClientOptions {
  /** The project's API key, from the server's environment. */
  apiKey: string;
  /** The address of the Stowage service, such as `https://files.example.com`. */
  baseUrl: string;
  /** Calls the service. Bytes always go to storage by Node's own HTTP client. @default the global `fetch` */
  fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds that the service may take to answer one attempt of a call. @default 10_000 */
  timeoutMs?: number | undefined;
  /** Milliseconds without progress after which a PUT fails. @default 30_000 */
  stallTimeoutMs?: number | undefined;
  retries?:
    | {
        /**
         * Retries of a call or a PUT after its first attempt. 0 switches retries off. @default 3, and 8 for each part of an upload
         * by parts
         */
        attempts?: number | undefined;
        /** The first delay is random between 0 and this, the next between 0 and twice this, and so on. @default 300 */
        firstDelayMs?: number | undefined;
        /** The longest delay. A `Retry-After` beyond it fails at once. @default 20_000 */
        longestDelayMs?: number | undefined;
      }
    | undefined;
}

export interface ClientConfig {
  apiKey: string;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  stallTimeoutMs: number;
  retry: RetryPolicy;
  partRetry: RetryPolicy;
}

const DEFAULT_ATTEMPTS = 3;
/** About half a minute in all: enough for a restart of the service in the middle of an upload that takes hours. */
const DEFAULT_PART_ATTEMPTS = 8;

const DAY_MS = 24 * 60 * 60_000;

const options = z.object(
  {
    ...serviceOptions,
    stallTimeoutMs: milliseconds("stallTimeoutMs", { min: 1, max: DAY_MS }).default(30_000),
    retries: z
      .object(
        {
          attempts: z
            .int({ error: "retries.attempts must be a whole number" })
            .min(0, { error: "retries.attempts must be at least 0" })
            .max(100, { error: "retries.attempts must be at most 100" })
            .optional(),
          firstDelayMs: milliseconds("retries.firstDelayMs", { min: 0, max: DAY_MS }).default(300),
          longestDelayMs: milliseconds("retries.longestDelayMs", { min: 0, max: DAY_MS }).default(20_000),
        },
        { error: "retries must be an object such as { attempts: 3 }" },
      )
      .prefault({}),
  },
  { error: "pass an object with apiKey and baseUrl" },
);

/** @throws {TypeError} one sentence on the first wrong option; it never contains the API key */
export function readClientOptions(given: StowageClientOptions): ClientConfig {
  const result = options.safeParse(given);
  if (!result.success) throw new TypeError(`createStowageClient: ${result.error.issues[0]?.message}`);
  const { retries, ...rest } = result.data;
  const retry: RetryPolicy = {
    retries: retries.attempts ?? DEFAULT_ATTEMPTS,
    delayMs: fullJitter(retries.firstDelayMs, retries.longestDelayMs),
    maxDelayMs: retries.longestDelayMs,
    codes: ["unavailable", "too_many_requests"],
  };
  return { ...rest, retry, partRetry: { ...retry, retries: retries.attempts ?? DEFAULT_PART_ATTEMPTS } };
}
