import * as z from "zod";

// 43 random characters and a checksum of 6. Only the service verifies the checksum.
const API_KEY = /^stow_live_[0-9A-Za-z]{49}$/;
const MAX_TIMEOUT_MS = 5 * 60_000;

/** Schemas and error messages of the options that `createStowage` and `createStowageClient` share. */
export const serviceOptions = {
  apiKey: z
    .string({
      error: "apiKey is missing: pass the project's key, for instance process.env.STOWAGE_API_KEY",
    })
    .regex(API_KEY, {
      error:
        "apiKey must be stow_live_ and 49 letters and digits, with nothing before or after: copy it again from the dashboard",
    }),
  baseUrl: z
    .string({
      error: "baseUrl is missing: pass the service's address, for instance process.env.STOWAGE_URL",
    })
    .refine(isServiceUrl, {
      error: "baseUrl must be an http:// or https:// address without user, query or fragment",
    })
    .transform((url) => url.replace(/\/+$/, "")),
  fetch: z
    .custom<typeof globalThis.fetch>((value) => typeof value === "function", {
      error: "fetch must be a function",
    })
    .default(() => globalFetch),
  timeoutMs: milliseconds("timeoutMs", { min: 1, max: MAX_TIMEOUT_MS }).default(10_000),
};

/** Reads `globalThis.fetch` on each call, because instrumentation may replace it later. */
export const globalFetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);

export function milliseconds(name: string, { min, max }: { min: number; max: number }) {
  return z
    .number({ error: `${name} must be a number of milliseconds` })
    .min(min, { error: `${name} must be at least ${min}` })
    .max(max, { error: `${name} must be at most ${max}` });
}

function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  const isHttp = protocol === "http:" || protocol === "https:";
  return isHttp && username === "" && password === "" && search === "" && hash === "";
}
