import { parseRetryAfter } from "./retry-policy.js";
import type { Cancel, Runtime } from "./runtime.js";
import { UploadError } from "./upload-error.js";

interface PutFile {
  url: string;
  /** Set as they are, and no others: they are part of the URL's signature. */
  headers: Record<string, string>;
  file: File;
  signal: AbortSignal;
  /** Bytes that have left, growing. */
  onProgress(sentBytes: number): void;
}

const STALL_MS = 30_000;
/** Storage may take its time to put a large file away after the last byte. */
const ANSWER_MS = 120_000;

/**
 * PUTs a file straight to storage. XMLHttpRequest, because fetch tells nothing about the bytes that have left.
 *
 * @throws {UploadError} status 0 when there was no answer, which is also how a refusal without CORS headers looks
 * @throws the signal's reason when it aborts
 */
export function putFile(
  runtime: Pick<Runtime, "createXhr" | "after" | "now">,
  { url, headers, file, signal, onProgress }: PutFile,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const xhr = runtime.createXhr();
    let cancelWatch: Cancel = () => {};
    let sentBytes = 0;

    const settle = (finish: () => void) => {
      cancelWatch();
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const onAbort = () => {
      settle(() => reject(signal.reason));
      xhr.abort();
    };
    const watch = (limitMs: number) => {
      cancelWatch();
      cancelWatch = runtime.after(limitMs, () => {
        settle(() => reject(new UploadError("timed_out")));
        xhr.abort();
      });
    };

    xhr.upload.onprogress = ({ loaded }) => {
      // An event without a new byte is no progress.
      if (loaded <= sentBytes) return;
      sentBytes = loaded;
      watch(loaded < file.size ? STALL_MS : ANSWER_MS);
      onProgress(Math.min(loaded, file.size));
    };
    xhr.upload.onload = () => watch(ANSWER_MS);
    xhr.onload = () =>
      settle(() => (isSuccess(xhr.status) ? resolve() : reject(refusal(xhr, runtime.now()))));
    xhr.onerror = () => settle(() => reject(new UploadError("network_error")));

    signal.addEventListener("abort", onAbort, { once: true });
    try {
      xhr.open("PUT", url);
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.send(file);
      watch(file.size > 0 ? STALL_MS : ANSWER_MS);
    } catch (cause) {
      // An address or a header that no browser takes.
      settle(() => reject(new UploadError("unexpected_answer", { status: 200, cause })));
    }
  });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function refusal(xhr: XMLHttpRequest, nowMs: number): UploadError {
  // getResponseHeader would log an error in the console for a header that CORS does not expose.
  const retryAfter = /^retry-after:(.*)$/im.exec(xhr.getAllResponseHeaders() ?? "")?.[1];
  return new UploadError(xhr.status >= 500 ? "storage_unavailable" : "storage_refused", {
    status: xhr.status,
    retryAfterMs: parseRetryAfter(retryAfter, nowMs),
  });
}
