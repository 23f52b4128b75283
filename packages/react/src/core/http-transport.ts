import { withDeadline } from "./deadline.js";
import { parseRetryAfter } from "./retry-policy.js";
import { browserRuntime, type Runtime } from "./runtime.js";
import type { HttpTransportOptions, UploadTransport } from "./transport.js";
import { UploadError, type UploadErrorCode } from "./upload-error.js";

type HttpRuntime = Pick<Runtime, "fetch" | "after" | "now">;

/** The helper of `@stowage/server`, mounted at `endpoint`. */
export function createHttpTransport(
  { endpoint, headers, credentials = "same-origin" }: HttpTransportOptions,
  runtime: HttpRuntime = browserRuntime,
): UploadTransport {
  const TIMEOUT_MS = 30_000;
  /**
   * A GET without a body.
   *
   * @param texts members without which the answer is somebody else's
   */
  const call = <Answer>(action: string, signal: AbortSignal, body?: object, ...texts: string[]) =>
    withDeadline(runtime, signal, async (own, allow): Promise<Answer> => {
      allow(TIMEOUT_MS);
      const json = body && JSON.stringify(body);
      try {
        const response = await runtime.fetch(`${endpoint.replace(/\/+$/, "")}/${action}`, {
          ...(json && { method: "POST", body: json }),
          headers: {
            ...(body && { "Content-Type": "application/json" }),
            ...(typeof headers === "function" ? await headers() : headers),
          },
          credentials,
          signal: own,
        });
        const answer: Record<string, unknown> | null | undefined = await response
          .json()
          .catch((cause: unknown) => {
            // A body cut off is a lost connection; one that is not JSON is an answer of somebody else.
            if (!(cause instanceof SyntaxError)) throw cause;
          });
        if (!response.ok) throw refusal(response, answer, runtime.now());
        if (texts.every((name) => typeof answer?.[name] === "string")) return answer as Answer;
        throw new UploadError("unexpected_answer", { status: 200 });
      } catch (cause) {
        throw cause instanceof UploadError ? cause : new UploadError("network_error", { cause });
      }
    });

  return {
    request: (body, signal) => call("request", signal, body, "presigned_url", "file_path"),
    complete: (body, signal) => call("complete", signal, body, "file_path"),
    delete: (body, signal) => call("delete", signal, body),
    routes: (signal) => call("routes", signal),
  };
}

function refusal({ status, headers }: Response, answer: unknown, nowMs: number): UploadError {
  const { code, detail } = (answer ?? {}) as Record<string, unknown>;
  return new UploadError(typeof code === "string" ? (code as UploadErrorCode) : codeOf(status), {
    status,
    detail: typeof detail === "string" ? detail : undefined,
    retryAfterMs: parseRetryAfter(headers.get("Retry-After"), nowMs),
  });
}

// For an answer that is not the helper's: a proxy before it, or a backend of the customer's own making.
function codeOf(status: number): UploadErrorCode {
  const codes: Record<number, UploadErrorCode> = { 401: "unauthorized", 429: "too_many_requests" };
  return codes[status] ?? (status >= 500 ? "unavailable" : "request_refused");
}
