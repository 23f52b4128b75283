import { accepts } from "@stowage/schemas/rules";
import { notSavedError } from "../labels/files-labels.js";
import { uploadErrors } from "../upload-messages.js";
import type { FailureOf } from "../messages.js";
import type { PendingRetry } from "../network/call-with-retry.js";
import type { Network } from "../network/network.js";
import { createLineSpeed, type LineSpeed } from "../network/line-speed.js";
import { createPutSlots, type PutSlots } from "../network/put-slots.js";
import type { Runtime } from "../runtime.js";
import { MAX_PUTS, type UploadTransport } from "../transport.js";
import type { UploadError } from "../upload-error.js";
import type { UploadRetry } from "../upload-item.js";
import type { UploadLimits } from "../upload-limits.js";
import type { UploadSettings } from "../upload-settings.js";
import { mayReadLater } from "../upload/read-check.js";
import { createLostFiles } from "../resume/lost-files.js";
import { scopeOf } from "../resume/scope.js";
import { runUpload } from "../upload/run-upload.js";
import { toFile } from "../upload/source-file.js";
import type { ResumePoint, UploadEvent } from "../upload/upload-job.js";
import { type Cancellations, createCancellations } from "./cancellations.js";
import { type ContinuedUploads, createContinuedUploads } from "./continued-uploads.js";
import { createDeletions } from "./deletions.js";
import { discardUnfinishedUploads } from "./discard-uploads.js";
import type { FileCollection } from "./file-collection.js";
import type { FileEvent, FileState } from "./file-state.js";
import type { Resumables } from "./resumables.js";
import { createReservations, type Reservations } from "./reservations.js";
import { createSpeedMeter } from "./speed-meter.js";
import { isSystemPath } from "./system-files.js";

export interface UploadsDeps {
  runtime: Runtime;
  network: Network;
  transport(): UploadTransport;
  settings(): UploadSettings;
  limits(): UploadLimits;
  files: FileCollection;
  failureOf: FailureOf;
  resumables: Pick<Resumables, "isPossible" | "load" | "session" | "ended" | "refresh">;
  /** Called when a stored file has been deleted. */
  onDeleted(path: string): void;
  /** Resolves after the delay. Rejects when the signal aborts. */
  wait(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Called when a cancellation was added or has ended. */
  onCancellationChange(): void;
  /** Called when a file begins to wait for the backend, or to send its bytes, so that another one may be able to start. */
  onRoom(): void;
}

/** Uploads the files of one store, and deletes them. */
export function createUploads(deps: UploadsDeps) {
  // Begins with the first upload: the time before it would lower the speed.
  let totalSpeed: ReturnType<typeof createSpeedMeter> | undefined;
  const measureTotalSpeed = (bytes: number) => (totalSpeed ??= createSpeedMeter(deps.runtime))(bytes);
  const reservations = createReservations(deps.files);
  const failureOf: FailureOf = (cause, item) =>
    deps.failureOf(cause, item, { ...uploadErrors, ...notSavedError }, reservations.bytesOf(item.id ?? ""));
  const cancellations = createCancellations({
    ...deps,
    onAdded: deps.resumables.ended,
    onChange: deps.onCancellationChange,
  });
  const storeKey = createStoreKey(deps.runtime);
  const lost = createLostFiles(deps.runtime, {
    list: storeKey,
    files: deps.files,
    scope: () => scopeOf(deps.settings()),
    canContinue: deps.resumables.isPossible,
  });
  const own: OwnDeps = {
    ...deps,
    cancellations,
    continued: createContinuedUploads(deps),
    failureOf,
    reservations,
    putSlots: createPutSlots(() => Math.max(MAX_PUTS, deps.settings().concurrency ?? 0)),
    lineSpeed: createLineSpeed(),
    storeKey,
    onBytes: measureTotalSpeed,
  };
  return {
    /**
     * Uploads one file of the list, and dispatches each step to its state.
     *
     * @returns how the upload ended, as an event that the caller dispatches. Never rejects
     */
    upload: (file: FileState, signal: AbortSignal): Promise<FileEvent> => uploadFile(own, file, signal),
    /** The speed of all files together; null until it is known. */
    bytesPerSecond: () => totalSpeed?.(0) ?? null,
    deletions: createDeletions({ ...deps, failureOf }),
    cancellations,
    /** Call this when files may have started or ended: their names are remembered for the next page. */
    saveNames: lost.saveSoon,
    /**
     * Cancels unfinished uploads on the server because the page is left, so that they do not hold quota until their URLs expire. An upload
     * by parts stays, because the next page can continue it.
     */
    leave(unfinishedPath: (file: FileState) => string | undefined) {
      lost.save();
      const ended = [...deps.files.all()].filter(
        ({ resume }) => !(resume.multipart && deps.resumables.isPossible()),
      );
      cancellations.sendAll(ended.flatMap((file) => unfinishedPath(file) ?? []));
    },
    accepts,
    isSystemPath,
  };
}

export type Uploads = ReturnType<typeof createUploads>;

export const codeName = "uploads";

/** When a row says that storage still receives a file. Storage answers a healthy PUT sooner. */
export const RECEIVING_MS = 4_000;

interface OwnDeps extends UploadsDeps {
  cancellations: Cancellations;
  continued: ContinuedUploads;
  putSlots: PutSlots;
  lineSpeed: LineSpeed;
  reservations: Reservations;
  /** A text that no other store has. */
  storeKey: string;
  /** Called with the bytes that have been sent since the last call. */
  onBytes(bytes: number): void;
}

/** Unique among the pages of one user, which is where the service compares keys. */
function createStoreKey({ now, random }: Pick<Runtime, "now" | "random">): string {
  return [now(), random(), random()].map((part) => part.toString(36).replace("0.", "")).join("-");
}

async function uploadFile(
  deps: OwnDeps,
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
  let stopWaiting = () => {};

  function toFileEvent(event: UploadEvent): FileEvent {
    switch (event.type) {
      case "requesting":
      case "confirming":
        return { type: event.type, retry: toRetry(event.retry) };
      case "bytes-sent":
        return bytesSent(event.sentBytes, measure.sent(event.sentBytes));
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
    if (event.type === "requesting") deps.reservations.requesting(id, item.size);
    stopWaiting();
    if (event.type === "bytes-sent" && event.isOut) {
      const say = () => signal.aborted || files.dispatch(id, bytesSent(event.sentBytes, null, true));
      stopWaiting = runtime.after(RECEIVING_MS, say);
    }
    if (event.type === "put-started") startPut(event.ticket.ticket.file_path);
    if (event.type === "parts-started") {
      startPut(event.multipart.ticket.file_path);
      void deps.continued.opened(event.multipart, item.file);
    }
    files.dispatch(id, toFileEvent(event));
    const isPutStart = event.type === "bytes-sent" && event.sentBytes === 0;
    if (event.type === "requesting" || event.type === "confirming" || isPutStart) deps.onRoom();
  }

  try {
    // They may return the quota that this upload needs.
    if (cancellations.isRunning()) await cancellations.settled(signal);
    if (discardsFirst) {
      onEvent({ type: "preparing" });
      await discardUnfinishedUploads(deps, signal);
      deps.resumables.refresh();
    }
    const { result: data, ...result } = await runUpload({
      id,
      file: toFile(item.file),
      resume,
      // Not the same after a cancel: the service may get the cancel of the last upload after this upload's request.
      idempotencyKey: `${deps.storeKey}-${id}-${cancelCount}`,
      runtime,
      network,
      putSlots: deps.putSlots,
      lineSpeed: deps.lineSpeed,
      transport: transport(),
      signal,
      current: {
        settings,
        limits,
        usage: () => (settings().transform ? files.preparedUsage(id) : usageBefore),
      },
      findOpen: (prepared) => deps.continued.find({ original: item.file, prepared }),
      onEvent,
      onUnusedTicket: (path) => cancellations.add(path),
    });
    return { type: "completed", result, data };
  } catch (cause) {
    const failure = toFailure(cause);
    const { triedPath, ...resume } = files.get(id)?.resume ?? {};
    const isOver = !failure.canRetry && !mayGoOn(resume, cause as UploadError);
    if (!signal.aborted && triedPath !== undefined && isOver) cancellations.add(triedPath);
    return { type: "failed", failure };
  } finally {
    unmark();
    deps.reservations.ended(id);
    stopWaiting();
  }
}

/**
 * Whether the upload may still become a file, although this run cannot go on. Storage may have all bytes. Parts stay if the file is gone,
 * because a disk may have been unplugged. A file that was changed is another one.
 */
function mayGoOn({ multipart, sentPath }: ResumePoint, { cause }: UploadError): boolean {
  return sentPath !== undefined || (multipart !== undefined && !mayReadLater(cause));
}

const bytesSent = (sentBytes: number, bytesPerSecond: number | null, isStorageReceiving = false) =>
  ({ type: "bytes-sent", sentBytes, bytesPerSecond, isStorageReceiving }) as const;

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
