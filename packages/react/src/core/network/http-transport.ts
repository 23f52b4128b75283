import { parseRetryAfterMs } from "@stowage/schemas/rules";
import { browserRuntime, type Runtime } from "../runtime.js";
import type { HttpTransportOptions, UploadTransport } from "../transport.js";
import { UploadError, type UploadErrorCode } from "../upload-error.js";
import { withDeadline } from "./with-deadline.js";

type HttpRuntime = Pick<Runtime, "fetch" | "after" | "now">;

const TIMEOUT_MS = 30_000;

/** Speaks HTTP with the helper of `@stowage/server` that is mounted at `endpoint`. */
export function createHttpTransport(
  { endpoint, headers, credentials = "same-origin" }: HttpTransportOptions,
  runtime: HttpRuntime = browserRuntime,
): UploadTransport {
  /** Sends a POST with a JSON body, or a GET without a body. */
  const call = <Answer>(
    action: string,
    signal: AbortSignal,
    { body, requiredTexts = [], keepalive = false }: CallOptions = {},
  ) =>
    withDeadline(runtime, signal, async (callSignal, setDeadline): Promise<Answer> => {
      setDeadline(TIMEOUT_MS);
      const json = body && JSON.stringify(body);
      try {
        const response = await runtime.fetch(`${endpoint.replace(/\/+$/, "")}/${action}`, {
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
        if (!response.ok) throw refusalOf(response, answer, runtime.now());
        const isComplete = requiredTexts.every((name) => typeof answer?.[name] === "string");
        if (!isComplete) throw new UploadError("unexpected_answer", { status: 200 });
        return answer as Answer;
      } catch (cause) {
        throw cause instanceof UploadError ? cause : new UploadError("network_error", { cause });
      }
    });

  return {
    request: (body, signal) =>
      call("request", signal, { body, requiredTexts: ["presigned_url", "file_path"] }),
    complete: (body, signal) => call("complete", signal, { body, requiredTexts: ["file_path"] }),
    cancel: (body, signal) => call("cancel", signal, { body, keepalive: true }),
    delete: (body, signal) => call("delete", signal, { body }),
    routes: (signal) => call("routes", signal),
  };
}

interface CallOptions {
  body?: object;
  /** Members of the answer that must be texts. Without them it is not an answer of the helper. */
  requiredTexts?: string[];
  /** The browser sends the call even if the page is closed meanwhile. */
  keepalive?: boolean;
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

function refusalOf({ status, headers }: Response, answer: JsonAnswer, nowMs: number): UploadError {
  const { code, detail } = answer ?? {};
  return new UploadError(typeof code === "string" ? (code as UploadErrorCode) : codeOfStatus(status), {
    status,
    detail: typeof detail === "string" ? detail : undefined,
    retryAfterMs: parseRetryAfterMs(headers.get("Retry-After"), nowMs) ?? 0,
  });
}

/** For an answer without a code: it comes from a proxy, or from a backend that does not use the helper. */
function codeOfStatus(status: number): UploadErrorCode {
  if (status === 401) return "unauthorized";
  if (status === 429) return "too_many_requests";
  return status >= 500 ? "unavailable" : "request_refused";
}
