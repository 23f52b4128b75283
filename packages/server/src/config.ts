import * as z from "zod";

/** A signed-in user's ID in the customer's own database; anything empty means that nobody is signed in. */
export type TenantOf = (request: Request) => string | null | undefined | Promise<string | null | undefined>;

export interface StowageOptions {
  /** The project's key, from the environment of the server. */
  apiKey: string;
  /** Where the Stowage service answers, such as `https://files.example.com`. */
  baseUrl: string;
  /**
   * Says who is signed in, from the session alone: never from the body or the query, which the browser writes.
   * It must not read the request's body; `request.clone()` may be read.
   */
  tenant: TenantOf;
  /** In place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How long the service, and `tenant`, may take to answer. @default 10_000 */
  timeoutMs?: number | undefined;
  /**
   * Told of what the operator, not the user, has to put right: a wrong key, a service out of reach, a `tenant` that
   * throws. The message says what happened and what to do. @default console.error
   */
  onError?: ((error: Error) => void) | undefined;
}

export interface Config {
  apiKey: string;
  /** Without a slash at its end. */
  baseUrl: string;
  tenant: TenantOf;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  onError: (error: Error) => void;
}

// 43 characters of randomness and 6 of checksum. Only the service judges the checksum: one rule in one place.
const API_KEY = /^stow_live_[0-9A-Za-z]{49}$/;
const MAX_TIMEOUT_MS = 5 * 60_000;

const options = z.object(
  {
    apiKey: z
      .string({
        error: "apiKey is missing: pass the project's key, for instance process.env.STOWAGE_API_KEY",
      })
      .regex(API_KEY, {
        error:
          "apiKey must be stow_live_ and 49 letters and digits, nothing before or after: copy it anew from the dashboard",
      }),
    baseUrl: z
      .string({
        error: "baseUrl is missing: pass the service's address, for instance process.env.STOWAGE_URL",
      })
      .refine(isServiceUrl, {
        error: "baseUrl must be an http:// or https:// address without user, query or fragment",
      })
      .transform((url) => url.replace(/\/+$/, "")),
    tenant: isFunction<TenantOf>("tenant must be a function that returns the signed-in user's ID, or null"),
    fetch: isFunction<typeof globalThis.fetch>("fetch must be a function").optional(),
    timeoutMs: z
      .number({ error: "timeoutMs must be a number of milliseconds" })
      .min(1, { error: "timeoutMs must be at least 1" })
      .max(MAX_TIMEOUT_MS, { error: `timeoutMs must be at most ${MAX_TIMEOUT_MS}` })
      .default(10_000),
    onError: isFunction<(error: Error) => void>("onError must be a function").default(() => logToConsole),
  },
  { error: "pass an object with apiKey, baseUrl and tenant" },
);

/** @throws {TypeError} with one sentence on the first option that is wrong; it never quotes the key. */
export function readConfig(given: StowageOptions): Config {
  const result = options.safeParse(given);
  if (!result.success) throw new TypeError(`createStowage: ${result.error.issues[0]?.message}`);
  // Looked up at each call, so that instrumentation which replaces the global later is used too.
  return { ...result.data, fetch: result.data.fetch ?? ((...call) => globalThis.fetch(...call)) };
}

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === "";
}

function isFunction<T>(error: string) {
  return z.custom<T>((value) => typeof value === "function", { error });
}

function logToConsole(error: Error): void {
  console.error(`[stowage] ${error.message}`, ...(error.cause === undefined ? [] : [error.cause]));
}
