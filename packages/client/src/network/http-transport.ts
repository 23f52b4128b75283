import { loadCode } from "../load-code.js";
import { browserRuntime } from "../runtime.js";
import type { HttpTransportOptions, UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import type { HttpCalls, HttpRuntime, UrlOf } from "./http-calls.js";

/** Loads the code of the calls. A page needs it with the first call, and not before. */
export const loadHttpCalls = () => loadCode(() => import("./http-calls.js"), "http-calls");

/**
 * Speaks HTTP with the helper of `@stowage/server` that is mounted at `endpoint`. If the code of the calls cannot be loaded, a call
 * fails as if the server had not answered, and the next call loads it again.
 */
export function createHttpTransport(
  options: HttpTransportOptions,
  runtime: HttpRuntime = browserRuntime,
): UploadTransport {
  const base = options.endpoint.replace(/\/+$/, "");
  const urlOf: UrlOf = (action, query = {}) => `${base}/${action}${queryOf(query)}`;
  let calls: HttpCalls | undefined;

  async function load(): Promise<HttpCalls> {
    try {
      const { createHttpCalls } = await loadHttpCalls();
      return (calls ??= createHttpCalls(options, runtime, urlOf));
    } catch (cause) {
      throw new UploadError("network_error", { cause });
    }
  }

  // Without a pause if the code is there: a page that is being closed sends its calls in the same task.
  const run = (name: (typeof CALLS)[number], args: unknown[]) => {
    const call = (http: HttpCalls) => (http[name] as (...all: unknown[]) => Promise<unknown>)(...args);
    return calls ? call(calls) : load().then(call);
  };

  return {
    ...(Object.fromEntries(
      CALLS.map((name) => [name, (...args: unknown[]) => run(name, args)]),
    ) as unknown as HttpCalls),
    downloadHref: (query) => urlOf("download", query),
  };
}

const CALLS = [
  "request",
  "complete",
  "cancel",
  "discard",
  "delete",
  "restore",
  "update",
  "folders",
  "moveFolder",
  "deleteFolder",
  "job",
  "list",
  "usage",
  "download",
  "downloads",
  "share",
  "links",
  "revoke",
  "versions",
  "restoreVersion",
  "signParts",
  "listParts",
  "open",
  "routes",
] as const satisfies (keyof HttpCalls)[];

/** Returns the query with its `?`. Leaves out members without a value. */
function queryOf(query: object): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return members.length === 0 ? "" : `?${new URLSearchParams(members)}`;
}
