import type { BrowserCompleteResponse, BrowserUploadRequestBody } from "@stowage/schemas";
import { accepts } from "@stowage/schemas/rules";
import {
  canSendParts,
  isMultipart,
  MAX_SIGNED_PARTS,
  MIN_FINGERPRINT_BYTES,
  type MultipartTicket,
  type PutOptions,
  type UploadTicket,
} from "../transport.js";
import { UploadError } from "../upload-error.js";
import { brokenLimit } from "../upload-limits.js";
import { putToStorage } from "./put-to-storage.js";
import { assertReadable, assertUnchanged } from "./read-check.js";
import { looksExpired, trackExpiry } from "./ticket-expiry.js";
import type { HeldMultipart, HeldTicket, ResumePoint, UploadJob } from "./upload-job.js";

/** A PUT starts only if its URL is valid for at least this long. */
const MIN_VALID_MS = 30_000;

/** The bytes of a file are in storage, or its parts are to be sent. */
export type SentFile =
  /** `stored` is set when the service has confirmed the file already. */
  { path: string; stored: BrowserCompleteResponse | null } | { multipart: HeldMultipart };

/**
 * Brings the bytes of a prepared file to storage, with retries. When the backend wants parts, it opens the upload and sends none.
 *
 * All attempts use the same ticket while it is valid, also when a person retries: the same URL writes the same object, and
 * reserves its quota once. A run that follows another one, and a run that needs another ticket, first asks the service whether
 * an earlier PUT has arrived after all.
 *
 * @throws {UploadError} when it gave up, or when the file breaks a limit
 */
export function sendFile(
  job: UploadJob,
  file: File,
  resume: Pick<ResumePoint, "triedPath" | "ticket">,
): Promise<SentFile> {
  const { runtime, network, transport, signal, onEvent } = job;
  let { triedPath, ticket: held } = resume;
  let mayHaveArrived = triedPath !== undefined;
  let mayReplaceRefusedTicket = true;
  let mostSentBytes = 0;
  // An upload that has begun with one PUT stays so.
  const isSlow = triedPath === undefined && job.lineSpeed.isSlow(file.size);

  async function attempt(restartAttempts: () => void): Promise<SentFile> {
    await assertReadable(job, file);
    signal.throwIfAborted();
    if (mayHaveArrived || !isUsable(held, file)) {
      const found = triedPath === undefined ? null : await findEarlier(job, triedPath);
      if (found?.stored) return found.stored;
      mayHaveArrived = false;
      if (found?.isGone) held = undefined;
      if (!isUsable(held, file)) {
        const next = await replaceTicket(held);
        if ("sent" in next) return { multipart: next };
        held = next;
      }
    }
    const { ticket, validMs } = held;
    triedPath = ticket.file_path;
    onEvent({ type: "put-started", ticket: held });
    try {
      await put(ticket, restartAttempts);
      return { path: triedPath, stored: null };
    } catch (cause) {
      signal.throwIfAborted();
      const isExpired = looksExpired(cause as UploadError, validMs());
      // A second refusal is not about expiry.
      if (!isExpired || !mayReplaceRefusedTicket) throw cause;
      mayReplaceRefusedTicket = false;
      held = undefined;
      onEvent({ type: "requesting", retry: null });
      return attempt(restartAttempts);
    }
  }

  async function replaceTicket(old: HeldTicket | undefined): Promise<HeldTicket | HeldMultipart> {
    // `transform` made something else this time. The service would count both.
    if (old && !fits(old, file)) job.onUnusedTicket(old.ticket.file_path);
    const body = requestBody(job, file, isSlow);
    const fingerprint = body.accepts_parts ? await fingerprintFor(file, body.input) : undefined;
    const answer = await requestTicket(job, { ...body, fingerprint });
    const { size, type } = file;
    if (!isMultipart(answer)) return { ticket: answer, validMs: trackExpiry(answer, runtime), size, type };
    const { parts = [], ...ticket } = answer;
    const signed = parts.map((part) => ({ ticket: part, validMs: trackExpiry(part, runtime) }));
    const sent = { file, numbers: new Set<number>() };
    return { ticket, signed, size, type, fingerprint: fingerprint ?? null, sent };
  }

  async function put(ticket: UploadTicket, restartAttempts: () => void): Promise<void> {
    const onProgress = (sentBytes: number) => {
      if (sentBytes > mostSentBytes) {
        mostSentBytes = sentBytes;
        restartAttempts();
      }
      onEvent({ type: "bytes-sent", sentBytes, isOut: sentBytes >= file.size });
    };
    const ownPut = transport.put && ((options: PutOptions) => transport.put!(ticket, file, options));
    await putToStorage(job, ticket, file, { signal, onProgress }, ownPut);
    await assertUnchanged(job, file);
  }

  return network.callWithRetry(attempt, {
    signal,
    onRetry: (retry) => onEvent({ type: "requesting", retry }),
  });
}

function isUsable(held: HeldTicket | undefined, file: File): held is HeldTicket {
  return held !== undefined && fits(held, file) && held.validMs() >= MIN_VALID_MS;
}

/** Size and type are part of the URL's signature, and of an upload by parts. */
export const fits = ({ size, type }: Pick<HeldTicket, "size" | "type">, file: File) =>
  size === file.size && type === file.type;

/** The call itself is not aborted: the service may have reserved quota, and only its answer tells the path. */
function requestTicket(
  job: UploadJob,
  body: BrowserUploadRequestBody,
): Promise<UploadTicket | MultipartTicket> {
  const { runtime, transport, signal, onUnusedTicket } = job;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    const request = () => transport.request(body, new AbortController().signal);
    runtime
      .withLock("shared", signal, request)
      .then((ticket) => (signal.aborted ? onUnusedTicket(ticket.file_path) : resolve(ticket)))
      .catch(reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Storage may have taken the bytes of a PUT whose answer was lost. The upload is gone if it was cancelled or has expired. */
async function findEarlier(
  { transport, signal }: UploadJob,
  path: string,
): Promise<{ stored?: Extract<SentFile, { path: string }>; isGone: boolean }> {
  try {
    const stored = await transport.complete({ file_path: path }, signal);
    signal.throwIfAborted();
    return { stored: { path, stored }, isGone: false };
  } catch (cause) {
    const { code, status } = cause as UploadError;
    if (code === "upload_not_found") return { isGone: false };
    // An upload by parts that the person has cancelled. The cancellation may still be on its way.
    if (status === 404 || code === "upload_incomplete") return { isGone: true };
    throw cause;
  }
}

/**
 * Checks the limits once more, because the limits of the route may have arrived since the file was added.
 *
 * @throws {UploadError} when the file breaks a limit
 */
function requestBody(job: UploadJob, file: File, isSlow: boolean): BrowserUploadRequestBody {
  const { file: original, current, idempotencyKey, onEvent } = job;
  const { name, type, size } = file;
  const usage = current.usage();
  onEvent({ type: "size-known", sizeBytes: size });
  const code = brokenLimit(file, current.limits(), usage, accepts);
  if (code) throw new UploadError(code);
  const { route, input } = current.settings();
  const acceptsParts = canSendParts(job.transport);
  return {
    filename: name,
    size,
    content_type: type || undefined,
    route,
    files_before: usage.files,
    // With its size: `transform` may make something else when a person retries, and that is another upload for the service.
    // The service answers one upload for one key.
    idempotency_key: `${idempotencyKey}-${size}${isSlow ? "-slow" : ""}`,
    input: typeof input === "function" ? (input as (file: File) => unknown)(original) : input,
    accepts_parts: acceptsParts || undefined,
    slow_line: (acceptsParts && isSlow) || undefined,
    sign_parts: acceptsParts && size >= MIN_FINGERPRINT_BYTES ? MAX_SIGNED_PARTS : undefined,
  };
}

/** Undefined for a small file, and if the file or the code for this cannot be read. */
async function fingerprintFor(file: File, input: unknown): Promise<string | undefined> {
  if (file.size < MIN_FINGERPRINT_BYTES) return undefined;
  try {
    const { fingerprintOf } = await import("../resume/fingerprint.js");
    return await fingerprintOf(file, input);
  } catch {
    return undefined;
  }
}
