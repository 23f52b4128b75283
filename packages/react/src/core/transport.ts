import type { BrowserUploadRequestBody, BrowserUploadResponse, File as StoredFile } from "@stowage/schemas";
import { parseRetryAfter } from "./retry-policy.js";
import type { Runtime } from "./runtime.js";
import { UploadError, type UploadErrorCode } from "./upload-error.js";

/** Leave to PUT one file, right now. */
export type UploadTicket = BrowserUploadResponse;

/** How the widget speaks to the customer's backend. Both calls may be repeated; both throw {@link UploadError}. */
export interface UploadTransport {
  request(file: BrowserUploadRequestBody, signal: AbortSignal): Promise<UploadTicket>;
  /** Asks the service to look into storage. Answers the file as the service now has it. */
  complete(filePath: string, signal: AbortSignal): Promise<StoredFile>;
}

const TIMEOUT_MS = 30_000;

/** The helper of `@stowage/server`, mounted at `endpoint`. */
export function createHttpTransport(
  endpoint: string,
  runtime: Pick<Runtime, "fetch" | "after" | "now">,
): UploadTransport {
  const mount = endpoint.replace(/\/+$/, "");
  return {
    async request(file, signal) {
      const answer = await post(runtime, `${mount}/request`, file, signal);
      if (!isTicket(answer)) throw new UploadError("unexpected_answer", { status: 200 });
      return answer;
    },
    async complete(filePath, signal) {
      const answer = await post(runtime, `${mount}/complete`, { file_path: filePath }, signal);
      if (!isStoredFile(answer)) throw new UploadError("unexpected_answer", { status: 200 });
      return answer;
    },
  };
}

async function post(
  runtime: Pick<Runtime, "fetch" | "after" | "now">,
  url: string,
  body: object,
  signal: AbortSignal,
): Promise<unknown> {
  signal.throwIfAborted();
  // Not AbortSignal.any: Safari has it only since 17.4.
  const call = new AbortController();
  const forward = () => call.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  const cancelTimeout = runtime.after(TIMEOUT_MS, () => call.abort(new UploadError("timed_out")));
  try {
    const response = await runtime.fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(body),
      signal: call.signal,
    });
    const answer: unknown = await response.json().catch((cause: unknown) => {
      // A body cut off is a lost connection; one that is not JSON is an answer of somebody else.
      if (cause instanceof SyntaxError) return undefined;
      throw cause;
    });
    if (!response.ok) throw refusal(response, answer, runtime.now());
    return answer;
  } catch (cause) {
    if (cause instanceof UploadError) throw cause;
    if (call.signal.aborted) throw call.signal.reason;
    throw new UploadError("network_error", { cause });
  } finally {
    cancelTimeout();
    signal.removeEventListener("abort", forward);
  }
}

function refusal(response: Response, answer: unknown, nowMs: number): UploadError {
  const body = isRecord(answer) ? answer : {};
  const code = typeof body["code"] === "string" ? (body["code"] as UploadErrorCode) : codeOf(response.status);
  return new UploadError(code, {
    status: response.status,
    detail: typeof body["detail"] === "string" ? body["detail"] : undefined,
    retryAfterMs: parseRetryAfter(response.headers.get("Retry-After"), nowMs),
  });
}

// For an answer that is not the helper's: a proxy before it, or a backend of the customer's own making.
function codeOf(status: number): UploadErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 429) return "too_many_requests";
  return status >= 500 ? "unavailable" : "request_refused";
}

function isTicket(answer: unknown): answer is UploadTicket {
  return (
    isRecord(answer) &&
    typeof answer["presigned_url"] === "string" &&
    typeof answer["file_path"] === "string" &&
    isRecord(answer["headers"])
  );
}

function isStoredFile(answer: unknown): answer is StoredFile {
  return isRecord(answer) && typeof answer["file_path"] === "string";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
