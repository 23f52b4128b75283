import type { Call } from "@stowage/schemas";
import type { TimeLimit } from "./limit-time.js";

/** One call of the service, over whatever carries it. */
export type ServiceFetch = (
  url: string,
  call: { method: Call["method"]; headers: Record<string, string>; body?: string },
  limit: Pick<TimeLimit, "signal" | "whenOver">,
) => Promise<ServiceResponse>;
export type ServiceResponse = Pick<Response, "ok" | "status" | "text"> & { headers: Pick<Headers, "get"> };

/** Calls the service by a `fetch`. */
export const byFetch =
  (fetch: typeof globalThis.fetch): ServiceFetch =>
  (url, call, { signal }) =>
    // Followed, a redirect turns the POST into a GET, or takes the request somewhere nobody configured.
    fetch(url, { ...call, redirect: "manual", signal });
