import { withDeadline } from "./deadline.js";
import { parseRetryAfter } from "./retry-policy.js";
import type { Runtime } from "./runtime.js";
import type { PutOptions, UploadTicket } from "./transport.js";
import { UploadError } from "./upload-error.js";

/**
 * PUTs a file straight to storage. XMLHttpRequest, because fetch tells nothing about the bytes that have left.
 *
 * @throws {UploadError} status 0 when there was no answer, which is also how a refusal without CORS headers looks
 * @throws the browser's own error for an address or a header that it does not take
 * @throws the signal's reason when it aborts
 */
export function putFile(
  runtime: Pick<Runtime, "createXhr" | "after" | "now">,
  { presigned_url, headers }: Pick<UploadTicket, "presigned_url" | "headers">,
  file: File,
  { signal, onProgress }: PutOptions,
): Promise<void> {
  const STALL_MS = 30_000;
  /** Storage may take its time to put a large file away after the last byte. */
  const ANSWER_MS = 120_000;
  return withDeadline(
    runtime,
    signal,
    (own, allow) =>
      new Promise((resolve, reject) => {
        const xhr = runtime.createXhr();
        let sentBytes = 0;
        xhr.upload.onprogress = ({ loaded }) => {
          // An event without a new byte is no progress.
          if (loaded <= sentBytes) return;
          sentBytes = loaded;
          allow(STALL_MS);
          onProgress(Math.min(loaded, file.size));
        };
        xhr.upload.onload = () => allow(ANSWER_MS);
        xhr.onload = () =>
          `${xhr.status}`.startsWith("2") ? resolve() : reject(refusal(xhr, runtime.now()));
        xhr.onerror = () => reject(new UploadError("network_error"));
        own.addEventListener("abort", () => xhr.abort());
        xhr.open("PUT", presigned_url);
        // As they are, and no others: they are part of the URL's signature.
        for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
        xhr.send(file);
        allow(file.size > 0 ? STALL_MS : ANSWER_MS);
      }),
  );
}

function refusal(xhr: XMLHttpRequest, nowMs: number): UploadError {
  const { status } = xhr;
  return new UploadError(status >= 500 ? "storage_unavailable" : "storage_refused", {
    status,
    // getResponseHeader would log an error in the console for a header that CORS does not expose.
    retryAfterMs: parseRetryAfter(/^retry-after:(.*)$/im.exec(xhr.getAllResponseHeaders())?.[1], nowMs),
    // Not the detail, which people may be shown: storage names its own things in it.
    cause: xhr.responseText,
  });
}
