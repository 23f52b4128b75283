import { parseRetryAfterMs } from "@stowage/schemas/page-rules";
import type { Runtime } from "../runtime.js";
import type { HttpTransportOptions, UploadTransport } from "../transport.js";
import { UploadError, type UploadErrorCode } from "../upload-error.js";
import { batchCalls, type BatchSupport } from "./batch-calls.js";
import { hintOnce } from "./hint-once.js";
import { isLocalNetworkDenied } from "./local-network.js";
import { withDeadline } from "./with-deadline.js";

const TIMEOUT_MS = 30_000;
/** The helper works on this many files of a batch at a time. */
const FILES_AT_ONCE = 10;

/** The calls of an HTTP transport. Loaded with the first call. */
export function createHttpCalls(
  options: HttpTransportOptions,
  runtime: HttpRuntime,
  urlOf: UrlOf,
): HttpCalls {
  /** Sends a POST with a JSON body, or a GET without a body. */
  const call = <Answer>(
    action: string,
    signal: AbortSignal,
    {
      query,
      body,
      requiredTexts = [],
      requiredLists = [],
      isExpected = () => true,
      keepalive = false,
      isOptional = false,
      timeoutMs = TIMEOUT_MS,
    }: CallOptions = {},
  ) =>
    withDeadline(runtime, signal, async (callSignal, setDeadline): Promise<Answer> => {
      setDeadline(timeoutMs);
      const json = body && JSON.stringify(body);
      const url = urlOf(action, query);
      // Read for each call: a page may replace them.
      const { headers, credentials = "same-origin" } = options;
      try {
        const response = await runtime.fetch(url, {
          ...(json && { method: "POST", body: json }),
          headers: {
            ...(body && { "Content-Type": "application/json" }),
            ...(typeof headers === "function" ? await headers() : headers),
          },
          credentials,
          keepalive,
          signal: callSignal,
        });
        const answer = await readJson(response);
        const isComplete =
          hasTexts(answer, requiredTexts) && hasLists(answer, requiredLists) && isExpected(answer);
        if (response.ok && isComplete) return answer as Answer;
        if (isForeign(response, answer) && !isOptional) {
          const method = json ? "POST" : "GET";
          void hintOnce({ cause: "unexpected-answer", url, method, response });
        }
        const retryAfterMs = parseRetryAfterMs(response.headers.get("Retry-After"), runtime.now()) ?? 0;
        throw refusalOf(response.status, answer, retryAfterMs);
      } catch (cause) {
        if (cause instanceof UploadError) throw cause;
        if (!callSignal.aborted && runtime.isOnline()) {
          void hintOnce({ cause: "server-unreachable", url: options.endpoint, fetch: runtime.fetch });
        }
        const isDenied = await isLocalNetworkDenied(url, () => false);
        throw new UploadError(isDenied ? "local_network_denied" : "network_error", { cause });
      }
    });

  const support: BatchSupport = { takesBatches: true };

  /** An action for one file, whose calls for several files go together. */
  const batched = <Body extends object, Answer>(
    action: string,
    isExpected: (answer: JsonAnswer) => boolean,
  ) =>
    batchCalls<Body, Answer>({
      runtime,
      support,
      callOne: (body, signal) => call(action, signal, { body, isExpected }),
      async callMany(files, signal) {
        try {
          const { results } = await call<BatchAnswer>(`${action}-batch`, signal, {
            body: { files },
            isExpected: (answer) => isBatchAnswer(answer, files.length),
            isOptional: true,
            timeoutMs: TIMEOUT_MS * Math.ceil(files.length / FILES_AT_ONCE),
          });
          return results.map((result) => outcomeOf<Answer>(result, isExpected));
        } catch (error) {
          if (isMissingCall(error as UploadError)) return null;
          throw error;
        }
      },
    });

  return {
    request: batched("request", (answer) => hasTexts(answer, ["file_path"]) && isTicket(answer)),
    complete: batched("complete", (answer) => hasTexts(answer, ["file_path"])),
    cancel: (body, signal) => call("cancel", signal, { body, keepalive: true }),
    discard: (body, signal) => call("discard", signal, { body }),
    delete: (body, signal) => call("delete", signal, { body }),
    restore: (body, signal) => call("restore", signal, { body }),
    update: (body, signal) => call("update", signal, { body, requiredTexts: ["file_path"] }),
    folders: (query, signal) => call("folders", signal, { query, requiredLists: ["folders"] }),
    moveFolder: (body, signal) => call("move-folder", signal, { body, requiredTexts: ["job_id"] }),
    deleteFolder: (body, signal) => call("delete-folder", signal, { body, requiredTexts: ["job_id"] }),
    job: (query, signal) => call("job", signal, { query, requiredTexts: ["job_id", "state"] }),
    list: (query, signal) => call("list", signal, { query, requiredLists: ["files"] }),
    usage: (signal) => call("usage", signal),
    download: (body, signal) => call("download", signal, { body, requiredTexts: ["presigned_url"] }),
    downloads: (body, signal) => call("downloads", signal, { body, requiredLists: ["downloads"] }),
    share: (body, signal) => call("share", signal, { body, requiredTexts: ["url"] }),
    links: (query, signal) => call("links", signal, { query, requiredLists: ["links"] }),
    revoke: (body, signal) => call("revoke-link", signal, { body }),
    versions: (query, signal) => call("versions", signal, { query, requiredLists: ["versions"] }),
    restoreVersion: (body, signal) => call("restore-version", signal, { body, requiredTexts: ["file_path"] }),
    signParts: (body, signal) => call("parts", signal, { body, requiredLists: ["parts"] }),
    listParts: (query, signal) => call("parts", signal, { query, requiredLists: ["parts"] }),
    open: (query, signal) => call("open", signal, { query, requiredLists: ["uploads"] }),
    routes: (signal) => call("routes", signal),
  };
}

export type HttpRuntime = Pick<Runtime, "fetch" | "after" | "now" | "uptimeMs" | "isOnline">;

/** What an HTTP transport asks the backend for. */
export type HttpCalls = Required<Omit<UploadTransport, "downloadHref" | "probe" | "put" | "putPart">>;

/** The address of an action. Members of the query without a value are left out. */
export type UrlOf = (action: string, query?: object) => string;

interface CallOptions {
  query?: object;
  body?: object;
  /** Members of the answer that must be texts. Without them it is not an answer of the helper. */
  requiredTexts?: string[];
  requiredLists?: string[];
  /** Another check of the answer. */
  isExpected?(answer: JsonAnswer): boolean;
  /** The browser sends the call even if the page is closed meanwhile. */
  keepalive?: boolean;
  /** Backends may be without this call. */
  isOptional?: boolean;
  /** @default 30_000 */
  timeoutMs?: number;
}

type JsonAnswer = Record<string, unknown> | null | undefined;

/** Returns undefined for a body that is not JSON. A body that was cut off throws: the connection was lost. */
async function readJson(response: Response): Promise<JsonAnswer> {
  try {
    return (await response.json()) as JsonAnswer;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

const hasTexts = (answer: JsonAnswer, names: string[]): boolean =>
  typeof answer === "object" && answer !== null && names.every((name) => typeof answer[name] === "string");

const hasLists = (answer: JsonAnswer, names: string[]): boolean =>
  names.every((name) => Array.isArray(answer?.[name]));

/** A URL for one PUT, or the size of the parts. */
const isTicket = (answer: JsonAnswer): boolean =>
  hasTexts(answer, ["presigned_url"]) || typeof answer?.["part_size"] === "number";

/**
 * Tells whether the answer comes from something else than the helper: every refusal of the helper has a code. A 401, 403
 * or 429 may be what the customer's own code in front of the helper should answer.
 */
function isForeign({ status }: Response, answer: JsonAnswer): boolean {
  return !hasTexts(answer, ["code"]) && !FROM_THE_CUSTOMER.has(status);
}

const FROM_THE_CUSTOMER: ReadonlySet<number> = new Set([401, 403, 429]);

interface BatchAnswer {
  results: BatchResult[];
}

/** The parts of `BrowserBatchResult` without its types: the answer comes from outside. */
interface BatchResult {
  status: number;
  answer?: JsonAnswer;
  error?: JsonAnswer;
  retry_after_seconds?: number;
}

function isBatchAnswer(answer: JsonAnswer, count: number): boolean {
  const results = answer?.["results"];
  const isResult = (result: Partial<BatchResult> | null) => typeof result?.status === "number";
  return Array.isArray(results) && results.length === count && results.every(isResult);
}

function outcomeOf<Answer>(
  { status, answer, error, retry_after_seconds: seconds = 0 }: BatchResult,
  isExpected: (answer: JsonAnswer) => boolean,
): Answer | UploadError {
  if (status === 200 && isExpected(answer)) return answer as Answer;
  return refusalOf(status, error, seconds * 1000);
}

/** A backend without the helper may not have this call. It and the proxies before it answer an unknown path in several ways. */
function isMissingCall({ status, code }: UploadError): boolean {
  return code === "unexpected_answer" || status === 404 || status === 405 || status === 413;
}

function refusalOf(status: number, answer: JsonAnswer, retryAfterMs: number): UploadError {
  const { code, detail, reserved_bytes: reservedBytes } = answer ?? {};
  return new UploadError(typeof code === "string" ? (code as UploadErrorCode) : codeOfStatus(status), {
    status,
    detail: typeof detail === "string" ? detail : undefined,
    retryAfterMs,
    ...(typeof reservedBytes === "number" && { reservedBytes }),
  });
}

/** For an answer without a code: it comes from a proxy, or from a backend that does not use the helper. */
function codeOfStatus(status: number): UploadErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 429) return "too_many_requests";
  if (status < 400 || status === 404 || status === 405) return "unexpected_answer";
  return status >= 500 ? "unavailable" : "request_refused";
}

export const codeName = "http-calls";
