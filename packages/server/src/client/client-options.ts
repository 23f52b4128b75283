import * as z from "zod";
import { fullJitter, type RetryRule } from "../retry.js";
import { milliseconds, serviceOptions } from "../service-options.js";

export interface StowageClientOptions {
  /** The project's key, from the environment of the server. */
  apiKey: string;
  /** Where the Stowage service answers, such as `https://files.example.com`. */
  baseUrl: string;
  /** In place of the global `fetch`, for the calls of the service; bytes go to storage by Node's own HTTP. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long the service may take to answer one try of one call. @default 10_000 */
  timeoutMs?: number | undefined;
  /** How long storage may take not one more byte before a PUT is given up. @default 30_000 */
  stallTimeoutMs?: number | undefined;
  retries?:
    | {
        /** How often a call, or a PUT, is made again. 0 switches retries off. @default 3 */
        attempts?: number | undefined;
        /** The first wait lies between 0 and this, the next between 0 and twice this, and so on. @default 300 */
        firstDelayMs?: number | undefined;
        /** No wait is longer, and a `Retry-After` beyond it fails at once. @default 20_000 */
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
  retry: RetryRule;
}

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
            .default(3),
          firstDelayMs: milliseconds("retries.firstDelayMs", { min: 0, max: DAY_MS }).default(300),
          longestDelayMs: milliseconds("retries.longestDelayMs", { min: 0, max: DAY_MS }).default(20_000),
        },
        { error: "retries must be an object such as { attempts: 3 }" },
      )
      .prefault({}),
  },
  { error: "pass an object with apiKey and baseUrl" },
);

/** @throws {TypeError} with one sentence on the first option that is wrong; it never quotes the key. */
export function readClientOptions(given: StowageClientOptions): ClientConfig {
  const result = options.safeParse(given);
  if (!result.success) throw new TypeError(`createStowageClient: ${result.error.issues[0]?.message}`);
  const { retries, ...rest } = result.data;
  return {
    ...rest,
    retry: {
      retries: retries.attempts,
      delayMs: fullJitter(retries.firstDelayMs, retries.longestDelayMs),
      longestWaitMs: retries.longestDelayMs,
      codes: ["unavailable", "too_many_requests"],
    },
  };
}
