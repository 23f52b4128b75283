import type { Call } from "@stowage/schemas";
import type { TimeLimit } from "./limit-time.js";

/** One call of one service, over whatever carries it. @param path below the service's address, with its query */
export type ServiceFetch = (
  path: string,
  call: { method: Call["method"]; headers: Record<string, string>; body?: string },
  limit: Pick<TimeLimit, "signal" | "whenOver">,
) => Promise<ServiceResponse>;
export type ServiceResponse = Pick<Response, "ok" | "status" | "text"> & { headers: Pick<Headers, "get"> };

/** A way to the service at an address, which has no slash at its end. */
export type ServiceFetchOf = (baseUrl: string) => ServiceFetch;

/** The way by a `fetch`. */
export const byFetch =
  (fetch: typeof globalThis.fetch): ServiceFetchOf =>
  (baseUrl) =>
  (path, call, { signal }) =>
    // Followed, a redirect turns the POST into a GET, or takes the request somewhere nobody configured.
    fetch(`${baseUrl}${path}`, { ...call, redirect: "manual", signal });
