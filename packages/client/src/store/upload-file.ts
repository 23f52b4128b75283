import type { PendingRetry } from "../network/call-with-retry.js";
import type { Network } from "../network/network.js";
import type { PutSlots } from "../network/put-slots.js";
import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadFailure, UploadItem, UploadRetry } from "../upload-item.js";
import type { UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";
import { runUpload } from "../upload/run-upload.js";
import type { HeldMultipart, UploadEvent } from "../upload/upload-job.js";
import type { Cancellations } from "./cancellations.js";
import { discardUnfinishedUploads } from "./discard-uploads.js";
import type { FileCollection } from "./file-collection.js";
import type { FileEvent, FileState } from "./file-state.js";
import { createSpeedMeter } from "./speed-meter.js";

interface UploadFileDeps {
  runtime: Runtime;
  network: Network;
  putSlots: PutSlots;
  transport(): UploadTransport;
  settings(): UploadSettings;
  limits(): UploadLimits;
  files: FileCollection;
  failureOf(cause: unknown, item: UploadItem): UploadFailure;
  /** The open upload of another page that a file continues. */
  findOpen(file: { original: File; prepared: File }): Promise<HeldMultipart | null>;
  /** Called when unfinished uploads of the user were ended. */
  onDiscarded(): void;
  /** A text that no other store has. Always the same. */
  storeKey(): string;
  cancellations: Pick<Cancellations, "add" | "isRunning" | "settled">;
  /** Called with the bytes that have been sent since the last call. */
  onBytes(bytes: number): void;
  /** Called when a file begins to wait for the backend, and leaves the connection free for another one. */
  onWaiting(): void;
}

/**
 * Uploads one file of the list, and dispatches each step to its state.
 *
 * @returns how the upload ended, as an event that the caller dispatches. Never rejects
 */
export async function uploadFile(
  deps: UploadFileDeps,
  { item, resume, cancelCount, discardsFirst, usageBefore }: FileState,
  signal: AbortSignal,
): Promise<FileEvent> {
  const { runtime, network, transport, settings, limits, files, failureOf, cancellations } = deps;
  const { id } = item;
  const toFailure = (cause: unknown) => failureOf(cause, files.get(id)?.item ?? item);
  const toRetry = (retry: PendingRetry | null): UploadRetry | null =>
    retry && { attempt: retry.attempt, delayMs: retry.delayMs, failure: toFailure(retry.error) };
  /** Spares the upload when another page discards the user's unfinished uploads. */
  let unmark = () => {};
  const measure = createPutMeter(runtime, deps.onBytes);

  function toFileEvent(event: UploadEvent): FileEvent {
    switch (event.type) {
      case "requesting":
      case "confirming":
        return { type: event.type, retry: toRetry(event.retry) };
      case "bytes-sent":
        return { ...event, bytesPerSecond: measure.sent(event.sentBytes) };
      case "bytes-found":
        measure.skip(event.sentBytes);
        return event;
      default:
        return event;
    }
  }

  function startPut(path: string) {
    measure.restart();
    unmark();
    unmark = runtime.markPath(path);
  }

  function onEvent(event: UploadEvent) {
    // An aborted upload may continue for a moment. The file may already be uploaded again.
    if (signal.aborted) return;
    if (event.type === "put-started") startPut(event.ticket.ticket.file_path);
    if (event.type === "parts-started") startPut(event.multipart.ticket.file_path);
    files.dispatch(id, toFileEvent(event));
    if (event.type === "requesting" || event.type === "confirming") deps.onWaiting();
  }

  try {
    // They may return the quota that this upload needs.
    if (cancellations.isRunning()) await cancellations.settled(signal);
    if (discardsFirst) {
      onEvent({ type: "preparing" });
      await discardUnfinishedUploads(deps, signal);
      deps.onDiscarded();
    }
    const { result: data, ...result } = await runUpload({
      id,
      file: item.file,
      resume,
      // Not the same after a cancel: the service may get the cancel of the last upload after this upload's request.
      idempotencyKey: `${deps.storeKey()}-${id}-${cancelCount}`,
      runtime,
      network,
      putSlots: deps.putSlots,
      transport: transport(),
      signal,
      current: {
        settings,
        limits,
        usage: () => (settings().transform ? files.preparedUsage(id) : usageBefore),
      },
      findOpen: (prepared) => deps.findOpen({ original: item.file, prepared }),
      onEvent,
      onUnusedTicket: (path) => cancellations.add(path),
    });
    return { type: "completed", result, data };
  } catch (cause) {
    return { type: "failed", failure: toFailure(cause) };
  } finally {
    unmark();
  }
}

/** Measures the speed of one file. Each PUT reports its bytes from 0, so the meter starts again with each PUT. */
function createPutMeter(runtime: Pick<Runtime, "uptimeMs">, onBytes: (bytes: number) => void) {
  let speedOf = createSpeedMeter(runtime);
  let lastSentBytes = 0;
  return {
    restart() {
      speedOf = createSpeedMeter(runtime);
      lastSentBytes = 0;
    },
    /** Storage had these bytes already. */
    skip(sentBytes: number) {
      lastSentBytes = Math.max(lastSentBytes, sentBytes);
    },
    /** @returns the speed in bytes per second; null until it is known */
    sent(sentBytes: number): number | null {
      const bytes = Math.max(0, sentBytes - lastSentBytes);
      lastSentBytes = sentBytes;
      onBytes(bytes);
      return speedOf(bytes);
    },
  };
}
