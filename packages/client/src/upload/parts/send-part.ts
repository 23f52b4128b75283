import type { StoredPart } from "@stowage/schemas";
import { isOverloaded, isTransient } from "../../network/retry-policy.js";
import type { PartsTransport, PartTicket } from "../../transport.js";
import type { UploadError } from "../../upload-error.js";
import { putToStorage } from "../put-to-storage.js";
import { assertReadable, assertUnchanged } from "../read-check.js";
import { looksExpired } from "../ticket-expiry.js";
import type { UploadJob } from "../upload-job.js";
import type { PartLimit } from "./part-limit.js";
import type { PartProgress } from "./part-progress.js";
import type { PartUrls } from "./part-urls.js";
import type { Turn } from "./run-in-parallel.js";
import { findStoredPart } from "./stored-parts.js";

/** What the parts of one file share. */
export interface PartRun {
  job: UploadJob;
  transport: PartsTransport;
  file: File;
  path: string;
  partSizeBytes: number;
  /** Parts that this page has begun to send, or has compared: in storage, they can only have the bytes of this file. */
  own: Set<number>;
  /** The other parts that storage had when the run began, by their number. */
  foreign: ReadonlyMap<number, StoredPart>;
  progress: PartProgress;
  limit: PartLimit;
  urls: PartUrls;
}

/**
 * Sends one part to storage, with retries. It replaces a stored version of this part. While it waits for its next attempt, another part
 * takes its turn, so that no connection stays idle.
 *
 * @throws {UploadError} when the part failed for good
 */
export async function sendPart(run: PartRun, number: number, signal: AbortSignal, turn: Turn): Promise<void> {
  const { job, transport, file, path, partSizeBytes, own, foreign, progress, limit, urls } = run;
  const start = (number - 1) * partSizeBytes;
  const bytes = file.slice(start, start + partSizeBytes);
  const before = foreign.get(number);
  let mayHaveArrived = false;
  let mayReplaceRefusedUrl = true;
  let mostSentBytes = 0;
  let storedPartsBefore = 0;

  async function attempt(restartAttempts: () => void): Promise<void> {
    turn.comeBack();
    await assertReadable({ runtime: job.runtime, signal }, file);
    // Other parts have arrived since the last attempt, so the line works: the attempts are counted from 1 again.
    if (progress.storedParts() > storedPartsBefore) restartAttempts();
    storedPartsBefore = progress.storedParts();
    progress.setSending(number, 0);
    if (mayHaveArrived && (await hasArrived())) return;
    mayHaveArrived = false;
    const { ticket, validMs } = await urls.get(number);
    signal.throwIfAborted();
    try {
      await put(ticket, restartAttempts);
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause as UploadError;
      if (error.status !== 0) mayHaveArrived = false;
      if (error.code === "timed_out" || isOverloaded(error)) limit.slowDown();
      if (isTransient(error)) turn.leave();
      // A second refusal is not about expiry.
      if (!mayReplaceRefusedUrl || !looksExpired(error, validMs())) throw cause;
      mayReplaceRefusedUrl = false;
      urls.drop(number);
      return attempt(restartAttempts);
    }
    await assertUnchanged({ runtime: job.runtime, signal }, file);
  }

  async function put(ticket: PartTicket, restartAttempts: () => void): Promise<void> {
    const onProgress = (sentBytes: number) => {
      if (!before) own.add(number);
      if (sentBytes > mostSentBytes) {
        mostSentBytes = sentBytes;
        restartAttempts();
      }
      // Without its answer, storage may have it after all.
      mayHaveArrived = sentBytes >= bytes.size;
      progress.setSending(number, sentBytes);
    };
    const ownPut = transport.putPart;
    await putToStorage(
      job,
      ticket,
      bytes,
      { signal, onProgress },
      ownPut && ((options) => ownPut.call(transport, { ...ticket, file_path: path }, bytes, options)),
    );
  }

  /** Whether the part came with a PUT whose answer was lost. A part that was there before has the same ETag as before. */
  async function hasArrived(): Promise<boolean> {
    const part = await findStoredPart(transport, path, number, signal);
    return part !== null && part.size === bytes.size && part.etag !== before?.etag;
  }

  await job.network.callWithRetry(attempt, {
    signal,
    onRetry: (retry) => progress.setRetry(number, retry),
  });
  own.add(number);
  urls.drop(number);
  limit.addSent(bytes.size);
  progress.addSent(number);
}
