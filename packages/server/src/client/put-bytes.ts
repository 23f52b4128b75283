import { request as overHttp, type ClientRequest, type IncomingMessage } from "node:http";
import { request as overHttps } from "node:https";
import { StowageError } from "@stowage/schemas";
import { parseRetryAfter } from "../service-error.js";
import { unreadable, type Source } from "./open-source.js";

/** Small enough that a slow line shows progress well before the stall timeout. */
const SLICE_BYTES = 64 * 1024;
/** After the last byte storage may have to copy and check them all. */
const ANSWER_FACTOR = 4;
/** As much of a refusal as is read, to find storage's own code in it. */
const REFUSAL_BYTES = 16 * 1024;

interface Put {
  url: string;
  headers: Record<string, string>;
  source: Source;
  stallTimeoutMs: number;
  signal: AbortSignal;
}

/**
 * PUTs the bytes to storage, holding a few slices of them in memory. By Node's own HTTP, not by `fetch`: that sends a
 * stream in chunks without a Content-Length, which S3 refuses.
 *
 * @throws {StowageError} `unavailable` when another try with a fresh URL may succeed, else `invalid_request`
 */
export async function putBytes({ url, headers, source, stallTimeoutMs, signal }: Put): Promise<void> {
  const ended = new AbortController();
  const watch = stallWatch(stallTimeoutMs, ended);
  const both = AbortSignal.any([signal, ended.signal]);
  const send = url.startsWith("https:") ? overHttps : overHttp;
  const { host } = new URL(url);
  const request = send(url, {
    method: "PUT",
    headers: { ...headers, "Content-Length": source.sizeBytes },
    // A connection of its own: a kept one may have been closed by storage in the moment of its next use.
    agent: false,
    signal: both,
  });
  try {
    // Storage may refuse in the middle of the body, so its answer is awaited from the start.
    const answered = answerOf(request);
    const sent = writeAll(request, source, watch.progress, both).then(() => watch.lastByte());
    sent.catch(() => {});
    const response = await Promise.race([answered, sent.then(() => answered)]);
    await judge(response, host);
  } catch (thrown) {
    if (thrown instanceof StowageError || signal.aborted) throw thrown;
    const reason = ended.signal.aborted ? `no progress within ${watch.limitMs()} ms` : messageOf(thrown);
    throw new StowageError("unavailable", { detail: `Storage at ${host} did not take the bytes: ${reason}` });
  } finally {
    watch.stop();
    ended.abort();
    request.destroy();
  }
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // Stays: what breaks after the answer must not end the process.
    request.on("error", reject);
  });
}

async function writeAll(
  request: ClientRequest,
  { open, sizeBytes }: Source,
  progress: () => void,
  signal: AbortSignal,
): Promise<void> {
  const write = async (chunk: Uint8Array) => {
    for (let start = 0; start < chunk.byteLength; start += SLICE_BYTES) {
      if (!request.write(chunk.subarray(start, start + SLICE_BYTES))) await drained(request, signal);
      progress();
    }
  };
  let readBytes = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of readable(open, signal)) {
    readBytes += chunk.byteLength;
    if (readBytes > sizeBytes) throw wrongLength(`has more than the ${sizeBytes} bytes that were announced`);
    // The last bytes wait for the end of the source: with them storage would keep the beginning of a longer file as a whole one.
    if (readBytes < sizeBytes) await write(chunk);
    else last ??= chunk;
  }
  if (readBytes < sizeBytes) {
    throw wrongLength(`ended after ${readBytes} of the ${sizeBytes} bytes that were announced`);
  }
  if (last !== undefined) await write(last);
  await new Promise<void>((resolve) => request.end(resolve));
}

/** The chunks of a source, until the signal ends even a read that never answers. */
async function* readable(open: Source["open"], signal: AbortSignal) {
  const chunks = chunksOf(open);
  let isDone = false;
  try {
    while (true) {
      const { done, value } = await nextOf(chunks, signal);
      if (done) break;
      yield bytesOf(value);
    }
    isDone = true;
  } finally {
    // Not awaited: a source that hangs would hang its end, too.
    if (!isDone) void chunks.return?.()?.catch(() => {});
  }
}

function chunksOf(open: Source["open"]): AsyncIterator<Uint8Array> {
  try {
    return open()[Symbol.asyncIterator]();
  } catch (cause) {
    // A Web stream that somebody reads already.
    throw unreadable(cause);
  }
}

// Not Promise.race with one promise of the abort: that promise would keep every chunk alive until the end.
function nextOf(chunks: AsyncIterator<Uint8Array>, signal: AbortSignal) {
  return new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    void chunks
      .next()
      .then(resolve, (cause: unknown) => reject(unreadable(cause)))
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === "string") return Buffer.from(chunk, "utf8");
  throw new StowageError("invalid_request", {
    detail: `The stream gave a ${typeof chunk} where bytes should be`,
  });
}

function drained(request: ClientRequest, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      request.off("drain", onDrain).off("close", onClose);
      signal.removeEventListener("abort", onAbort);
      end();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new Error("the connection was closed")));
    const onAbort = () => settle(() => reject(signal.reason));
    request.on("drain", onDrain).on("close", onClose);
    signal.addEventListener("abort", onAbort);
  });
}

function stallWatch(stallTimeoutMs: number, ended: AbortController) {
  let limitMs = stallTimeoutMs;
  let timer = setTimeout(() => ended.abort(), limitMs);
  return {
    progress: () => void timer.refresh(),
    lastByte() {
      clearTimeout(timer);
      limitMs = stallTimeoutMs * ANSWER_FACTOR;
      timer = setTimeout(() => ended.abort(), limitMs);
    },
    stop: () => clearTimeout(timer),
    limitMs: () => limitMs,
  };
}

async function judge(response: IncomingMessage, host: string): Promise<void> {
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) return void response.resume();
  const code = /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(await startOf(response))?.[1];
  const detail = `Storage at ${host} answered ${status}${code === undefined ? "" : ` ${code}`}`;
  // A lapsed URL is a 403, on some stores a 400; a bad digest or a wrong length stays one.
  const mayPass =
    status >= 500 ||
    [403, 408, 429].includes(status) ||
    /^(RequestTimeout|ExpiredToken|AccessDenied)$/.test(code ?? "");
  throw new StowageError(mayPass ? "unavailable" : "invalid_request", {
    detail,
    retryAfterSeconds: parseRetryAfter(response.headers["retry-after"] ?? null),
  });
}

async function startOf(response: IncomingMessage): Promise<string> {
  let text = "";
  try {
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk as string;
      if (text.length > REFUSAL_BYTES) break;
    }
  } catch {
    // A refusal that was cut off is one all the same.
  }
  return text;
}

function wrongLength(what: string): StowageError {
  return new StowageError("invalid_request", { detail: `The file ${what}` });
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== "" ? thrown.message : "network error";
}
