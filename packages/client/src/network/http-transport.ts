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
  const run = <Answer>(call: (calls: HttpCalls) => Promise<Answer>): Promise<Answer> =>
    calls ? call(calls) : load().then(call);

  return {
    request: (body, signal) => run((http) => http.request(body, signal)),
    complete: (body, signal) => run((http) => http.complete(body, signal)),
    cancel: (body, signal) => run((http) => http.cancel(body, signal)),
    discard: (body, signal) => run((http) => http.discard(body, signal)),
    delete: (body, signal) => run((http) => http.delete(body, signal)),
    list: (query, signal) => run((http) => http.list(query, signal)),
    usage: (signal) => run((http) => http.usage(signal)),
    download: (body, signal) => run((http) => http.download(body, signal)),
    downloads: (body, signal) => run((http) => http.downloads(body, signal)),
    downloadHref: (query) => urlOf("download", query),
    signParts: (body, signal) => run((http) => http.signParts(body, signal)),
    listParts: (query, signal) => run((http) => http.listParts(query, signal)),
    open: (query, signal) => run((http) => http.open(query, signal)),
    routes: (signal) => run((http) => http.routes(signal)),
  };
}

/** Returns the query with its `?`. Leaves out members without a value. */
function queryOf(query: object): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  return members.length === 0
    ? ""
    : `?${new URLSearchParams(members.map(([name, value]) => [name, String(value)]))}`;
}
