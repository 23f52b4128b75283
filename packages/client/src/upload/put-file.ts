import { parseRetryAfterMs } from "@stowage/schemas/page-rules";
import { AFTER_CHANGE_MS, withDeadline } from "../network/with-deadline.js";
import type { Runtime } from "../runtime.js";
import type { PutOptions, PutTarget } from "../transport.js";
import { UploadError } from "../upload-error.js";
import { isSource } from "./source-file.js";

/** Longest time between two steps of progress. */
const STALL_MS = 30_000;

/**
 * PUTs a file, or a part of one, to storage. It uses XMLHttpRequest because `fetch` reports no progress of the bytes that it sends.
 *
 * @param answerLimitMs how long storage may take for its answer after the last byte. Something between may have taken all bytes at once, and
 *   forward them slowly
 * @throws {UploadError} status 0 when there was no answer; a refusal without CORS headers looks the same
 * @throws the browser's own error for a URL or a header that is not valid
 * @throws the signal's reason when it aborts
 */
export function putFile(
  runtime: Pick<Runtime, "createXhr" | "after" | "now" | "uptimeMs" | "isOnline" | "onConnectionChange">,
  { presigned_url, headers }: PutTarget,
  file: Blob,
  { signal, onProgress }: PutOptions,
  answerLimitMs: () => number,
): Promise<void> {
  const send = async (putSignal: AbortSignal, setDeadline: (limitMs: number) => void) => {
    setDeadline(answerLimitMs());
    const body = isSource(file) ? await file.read() : file;
    putSignal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const xhr = withOwnMethods(runtime.createXhr());
      let sentBytes = 0;
      xhr.upload.onprogress = ({ loaded }) => {
        // Some events bring no new byte. They must not extend the deadline.
        if (loaded <= sentBytes) return;
        sentBytes = loaded;
        setDeadline(STALL_MS);
        onProgress(Math.min(loaded, file.size));
      };
      xhr.upload.onload = () => setDeadline(answerLimitMs());
      xhr.onload = () => {
        if (isSuccess(xhr.status)) resolve();
        else reject(refusalOf(xhr, runtime.now()));
      };
      xhr.onerror = () => reject(new UploadError("network_error"));
      // The browser itself ends a request, such as on an iPhone whose screen is locked. After `putSignal`, this says nothing new.
      xhr.onabort = () => reject(new UploadError("network_error"));
      // The connections of the last network may be dead, and nothing else would tell.
      const onChange = () => runtime.isOnline() && setDeadline(AFTER_CHANGE_MS);
      const stopListening = runtime.onConnectionChange(onChange);
      onNetworkType(onChange, putSignal);
      // Also at the end of each PUT.
      putSignal.addEventListener("abort", () => {
        stopListening();
        xhr.abort();
      });
      xhr.open("PUT", presigned_url);
      // Exactly these headers: they are part of the URL's signature.
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      // Monitoring, such as Sentry's, adds headers in `send`, which the CORS rule of the bucket may not allow.
      xhr.setRequestHeader = () => {};
      xhr.send(body);
      setDeadline(file.size > 0 && !mayHideProgress() ? STALL_MS : answerLimitMs());
    });
  };
  return withDeadline(runtime, signal, send);
}

/**
 * CapacitorHttp replaces the methods of all requests. Its own read the file as a whole, send a part of it as `{}`, and report no progress.
 * It keeps those of the browser.
 */
function withOwnMethods(xhr: XMLHttpRequest): XMLHttpRequest {
  const { CapacitorWebXMLHttpRequest: own } = globalThis as { CapacitorWebXMLHttpRequest?: XMLHttpRequest };
  if (!own) return xhr;
  const { open, setRequestHeader, send, abort, getAllResponseHeaders } = own;
  return Object.assign(xhr, { open, setRequestHeader, send, abort, getAllResponseHeaders });
}

/**
 * Whether the page may never learn of bytes that leave: a service worker sends the request itself, and an app's shell, such as Capacitor's, may
 * have put its own XMLHttpRequest in the place of the browser's.
 */
function mayHideProgress(): boolean {
  const { navigator, XMLHttpRequest } = globalThis as Partial<typeof globalThis>;
  const isReplaced = XMLHttpRequest !== undefined && !/\[native code\]/.test(String(XMLHttpRequest));
  return isReplaced || Boolean(navigator?.serviceWorker?.controller);
}

/** A phone moves from Wi-Fi to a mobile network, or back. Only browsers of phones tell the type; the event also brings estimates of the speed. */
function onNetworkType(run: () => void, signal: AbortSignal) {
  const { connection } = (globalThis.navigator ?? {}) as { connection?: EventTarget & { type?: string } };
  let type = connection?.type;
  const check = () => {
    if (connection?.type !== type) run();
    type = connection?.type;
  };
  connection?.addEventListener("change", check, { signal });
}

const isSuccess = (status: number) => status >= 200 && status < 300;

function refusalOf(xhr: XMLHttpRequest, nowMs: number): UploadError {
  const { status } = xhr;
  return new UploadError(status >= 500 ? "storage_unavailable" : "storage_refused", {
    status,
    retryAfterMs: parseRetryAfterMs(headerOf(xhr, "retry-after"), nowMs) ?? 0,
    // Not in `detail`, which people may see: the body of storage names buckets and keys.
    cause: xhr.responseText,
  });
}

/** `getResponseHeader` logs an error in the console for a header that CORS does not expose. This does not. */
function headerOf(xhr: XMLHttpRequest, name: string): string | undefined {
  const lines = xhr.getAllResponseHeaders().split("\r\n");
  const line = lines.find((text) => text.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1);
}
