import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { StowageError } from "@stowage/schemas";
import { linkController } from "../linked-controller.js";
import { onAbort } from "../on-abort.js";
import { responseTo, startRequest } from "../node-http.js";
import { parseRetryAfter } from "../service-api/service-error.js";
import type { Source } from "./open-source.js";
import { readChunks, tooLong, tooShort } from "./read-chunks.js";

/** Small enough that a slow connection shows progress well before the stall timeout. */
const SLICE_BYTES = 64 * 1024;

type Body = Pick<Source, "open" | "sizeBytes">;

interface Put {
  url: string;
  headers: Record<string, string>;
  body: Body;
  stallTimeoutMs: number;
  /** Receives the number of bytes of each slice that was written. */
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
  /** Keeps connections for the next PUT. Only for bytes that can be sent again. @default a new connection */
  agent?: Agent;
}

/**
 * PUTs the bytes to storage. It holds only a few slices in memory. It uses Node's own HTTP client, because `fetch` sends a stream in
 * chunks without a Content-Length, which S3 refuses.
 *
 * @returns the ETag in storage's answer
 * @throws {StowageError} `unavailable` when a retry with a fresh URL may succeed, otherwise `invalid_request`
 * @throws the signal's reason
 */
export async function putBytes(put: Put): Promise<string | undefined> {
  const { url, headers, body, stallTimeoutMs, signal, agent } = put;
  const { controller, unlink } = linkController(signal);
  const stallTimer = startStallTimer(stallTimeoutMs, () => controller.abort());
  const { host } = new URL(url);
  const request = startRequest(url, {
    method: "PUT",
    headers: { ...headers, "Content-Length": body.sizeBytes },
    // A new connection: storage may close a kept one at the moment of its next use, and a stream cannot be sent twice.
    agent: agent ?? false,
    signal: controller.signal,
  });
  const onSlice = (bytes: number) => {
    stallTimer.onProgress();
    put.onProgress(bytes);
  };
  let isConnectionKept = false;
  try {
    // Storage may refuse in the middle of the body, so wait for its response from the start.
    const responded = responseTo(request);
    const sent = writeAll(request, body, onSlice, controller.signal).then(stallTimer.onLastByte);
    sent.catch(() => {});
    const response = await Promise.race([responded, sent.then(() => responded)]);
    await checkResponse(response, host);
    isConnectionKept = agent !== undefined;
    return response.headers.etag;
  } catch (thrown) {
    if (thrown instanceof StowageError || signal.aborted) throw thrown;
    const isStalled = controller.signal.aborted;
    const reason = isStalled ? `no progress within ${stallTimer.limitMs()} ms` : messageOf(thrown);
    throw new StowageError("unavailable", { detail: `Storage at ${host} did not take the bytes: ${reason}` });
  } finally {
    stallTimer.stop();
    unlink();
    if (!isConnectionKept) {
      controller.abort();
      request.destroy();
    }
  }
}

/** After the last byte, storage may need longer: it may copy and verify the whole file before it answers. */
const ANSWER_FACTOR = 4;

function startStallTimer(stallTimeoutMs: number, onStall: () => void) {
  let limitMs = stallTimeoutMs;
  let timer = setTimeout(onStall, limitMs);
  return {
    onProgress: () => void timer.refresh(),
    onLastByte() {
      clearTimeout(timer);
      limitMs = stallTimeoutMs * ANSWER_FACTOR;
      timer = setTimeout(onStall, limitMs);
    },
    stop: () => clearTimeout(timer),
    limitMs: () => limitMs,
  };
}

async function writeAll(
  request: ClientRequest,
  { open, sizeBytes }: Body,
  onSlice: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const write = async (chunk: Uint8Array) => {
    for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES) {
      const slice = chunk.subarray(start, start + SLICE_BYTES);
      if (!request.write(slice)) await drained(request, signal);
      onSlice(slice.byteLength);
    }
  };
  let readBytes = 0;
  let lastChunk: Uint8Array | undefined;
  for await (const chunk of readChunks(open, signal)) {
    readBytes += chunk.byteLength;
    if (readBytes > sizeBytes) throw tooLong(sizeBytes);
    // The chunk that completes the size waits for the end of the source. If it were sent immediately, storage would keep the
    // beginning of a longer file as a complete one.
    if (readBytes < sizeBytes) await write(chunk);
    else lastChunk ??= chunk;
  }
  if (readBytes < sizeBytes) throw tooShort(readBytes, sizeBytes);
  if (lastChunk !== undefined) await write(lastChunk);
  await new Promise<void>((resolve) => request.end(resolve));
}

function drained(request: ClientRequest, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      request.off("drain", onDrain).off("close", onClose);
      stopListening();
      end();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new Error("the connection was closed")));
    request.on("drain", onDrain).on("close", onClose);
    const stopListening = onAbort(signal, () => settle(() => reject(signal.reason)));
  });
}

// An expired URL is a 403, on some stores a 400. A wrong digest or length stays wrong with a fresh URL.
const RETRYABLE_STATUSES: readonly number[] = [403, 408, 429];
const RETRYABLE_CODES: readonly string[] = ["RequestTimeout", "ExpiredToken", "AccessDenied"];

async function checkResponse(response: IncomingMessage, host: string): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return void response.resume();
  const body = await startOfBody(response);
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body)?.[1];
  const isRetryable =
    status >= 500 ||
    RETRYABLE_STATUSES.includes(status) ||
    (code !== undefined && RETRYABLE_CODES.includes(code));
  const error = new StowageError(isRetryable ? "unavailable" : "invalid_request", {
    detail: `Storage at ${host} answered ${status}${code === undefined ? "" : ` ${code}`}`,
    retryAfterSeconds: parseRetryAfter(response.headers["retry-after"] ?? null),
  });
  if (code === "NoSuchUpload") endedUploads.add(error);
  // AWS names the header in its answer.
  if (code === "InvalidRequest" && body.includes("Content-MD5")) missingMd5s.add(error);
  throw error;
}

// WeakSets instead of properties, so that a caught and printed error looks like every other StowageError.
const endedUploads = new WeakSet<object>();
const missingMd5s = new WeakSet<object>();

/** Whether storage refused a part because its upload was completed or aborted, or is lost. */
export function isEndedUpload(thrown: unknown): boolean {
  return thrown instanceof StowageError && endedUploads.has(thrown);
}

/** Whether storage refused a PUT because it had no MD5, as a bucket with Object Lock does. */
export function isMissingMd5(thrown: unknown): boolean {
  return thrown instanceof StowageError && missingMd5s.has(thrown);
}

/** Enough of an S3 error to contain its code. */
const ERROR_BODY_BYTES = 16 * 1024;

async function startOfBody(response: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk as string;
      if (text.length > ERROR_BODY_BYTES) break;
    }
  } catch {
    // The connection broke. The status is enough to report the refusal.
  }
  return text;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== "" ? thrown.message : "network error";
}
