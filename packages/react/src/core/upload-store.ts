import type { File as StoredFile } from "@stowage/schemas";
import { errorMessage, type ErrorMessages } from "./messages.js";
import { type PendingRetry, runUpload } from "./run-upload.js";
import { browserRuntime, type Cancel, type Runtime } from "./runtime.js";
import { totalsOf, type UploadTotals } from "./totals.js";
import { createHttpTransport } from "./transport.js";
import { canRetryByHand, UploadError } from "./upload-error.js";
import {
  createItem,
  isActive,
  type UploadFailure,
  type UploadItem,
  type UploadRetry,
  type UploadState,
  withState,
} from "./upload-item.js";
import { isRefusal, type UploadLimits, validateFile } from "./validate-file.js";

export interface UploadSettings extends UploadLimits {
  /** Where the helper of `@stowage/server` is mounted, e.g. `/api/upload`. */
  endpoint: string;
  /** Files on their way at once; 3 unless told. */
  concurrency?: number | undefined;
  /** Sentences by error code, in place of the English ones. */
  errorMessages?: Partial<ErrorMessages> | undefined;
  /** Of the numbers in messages; `en` unless told. */
  locale?: string | undefined;
  /** The service has seen the file. */
  onUploaded?: ((file: StoredFile, item: UploadItem) => void) | undefined;
  /** A file was refused, or given up on. */
  onFailed?: ((failure: UploadFailure, item: UploadItem) => void) | undefined;
}

/** What the store shows. Immutable; rows that did not change are the same objects as before. */
export interface UploadSnapshot {
  readonly items: readonly UploadItem[];
  readonly totals: UploadTotals;
}

/** The list of files and their ways. Knows nothing of React: `subscribe` and `getSnapshot` fit any view. */
export interface UploadStore {
  subscribe(listener: () => void): Cancel;
  getSnapshot(): UploadSnapshot;
  /** Settings for what happens from now on. */
  configure(settings: UploadSettings): void;
  add(files: Iterable<File>): void;
  cancel(id: string): void;
  cancelAll(): void;
  retry(id: string): void;
  remove(id: string): void;
  /** Takes away every file that has come to an end. */
  clear(): void;
}

interface Entry {
  item: UploadItem;
  peakBytes: number;
  sentPath: string | null;
  /** Of the run under way; a report of any other run is stale. */
  run: AbortController | null;
}

export function createUploadStore(initial: UploadSettings, runtime: Runtime = browserRuntime): UploadStore {
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let waiting: string[] = [];
  let settings = initial;
  let running = 0;
  let lastId = 0;
  let frame: Cancel | null = null;
  let floor = 0;
  let snapshot: UploadSnapshot = { items: [], totals: totalsOf([], () => 0, 0) };

  function publish() {
    frame?.();
    frame = null;
    const items = Array.from(entries.values(), (entry) => entry.item);
    const totals = totalsOf(items, (item) => entries.get(item.id)?.peakBytes ?? 0, floor);
    floor = totals.active > 0 ? totals.progress : 0;
    snapshot = { items, totals };
    for (const listener of listeners) listener();
  }

  /** What the network does is shown once a frame; what a person does, at once. */
  function publishSoon() {
    frame ??= runtime.onNextFrame(publish);
  }

  function update(entry: Entry, state: UploadState, sentBytes: number) {
    entry.item = withState(entry.item, state, sentBytes);
    entry.peakBytes = Math.max(entry.peakBytes, sentBytes);
  }

  function failureOf(error: UploadError, { name, size }: UploadItem): UploadFailure {
    const { code, status, detail } = error;
    const context = { name, size, limits: settings, status, detail, locale: settings.locale ?? "en" };
    return {
      code,
      message: errorMessage(code, context, settings.errorMessages),
      status,
      canRetry: canRetryByHand(code),
    };
  }

  function retryOf(pending: PendingRetry | null, item: UploadItem): UploadRetry | null {
    if (!pending) return null;
    const { attempt, delayMs, error } = pending;
    return { attempt, delayMs, failure: failureOf(error, item) };
  }

  function startNext() {
    while (running < Math.max(1, settings.concurrency ?? 3) && waiting.length > 0) {
      const entry = entries.get(waiting.shift() ?? "");
      if (entry?.item.status === "queued" && !entry.run) void start(entry);
    }
  }

  async function start(entry: Entry) {
    const run = new AbortController();
    entry.run = run;
    running++;
    const report = (state: UploadState, sentBytes: number) => {
      if (entry.run !== run) return;
      update(entry, state, sentBytes);
      publishSoon();
    };
    const deps = {
      runtime,
      transport: createHttpTransport(settings.endpoint, runtime),
    };
    try {
      const result = await runUpload(deps, {
        file: entry.item.file,
        signal: run.signal,
        sentPath: entry.sentPath,
        onRequesting: (retry) => report({ status: "requesting", retry: retryOf(retry, entry.item) }, 0),
        onUploading: (sentBytes) => report({ status: "uploading" }, sentBytes),
        onConfirming: (path, retry) => {
          entry.sentPath = path;
          report({ status: "confirming", retry: retryOf(retry, entry.item) }, entry.item.size);
        },
      });
      finish(entry, run, { status: "done", result });
    } catch (cause) {
      const error = cause instanceof UploadError ? cause : new UploadError("unexpected_answer", { cause });
      if (!run.signal.aborted) finish(entry, run, { status: "failed", error: failureOf(error, entry.item) });
    } finally {
      running--;
      startNext();
    }
  }

  function finish(entry: Entry, run: AbortController, state: UploadState) {
    if (entry.run !== run) return;
    entry.run = null;
    update(entry, state, entry.item.sentBytes);
    publishSoon();
    tell(entry.item);
  }

  function tell(item: UploadItem) {
    try {
      if (item.status === "done") settings.onUploaded?.(item.result, item);
      if (item.status === "failed") settings.onFailed?.(item.error, item);
    } catch (error) {
      // The page's own mistake is reported as one; the other files go on.
      runtime.after(0, () => {
        throw error;
      });
    }
  }

  function stop(entry: Entry) {
    const run = entry.run;
    entry.run = null;
    run?.abort();
  }

  function cancelEntry(entry: Entry) {
    if (!isActive(entry.item)) return;
    stop(entry);
    update(entry, { status: "cancelled" }, 0);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    configure(next) {
      settings = next;
      startNext();
    },
    add(files) {
      const refused: UploadItem[] = [];
      let counted = 0;
      for (const { item } of entries.values()) {
        if (item.status !== "failed" || !isRefusal(item.error.code, item.error.status)) counted++;
      }
      for (const file of files) {
        const id = String(++lastId);
        const code = validateFile(file, settings, counted);
        let item = createItem(id, file, { status: "queued" });
        if (code) {
          item = createItem(id, file, { status: "failed", error: failureOf(new UploadError(code), item) });
          refused.push(item);
        } else {
          counted++;
          waiting.push(id);
        }
        entries.set(id, { item, peakBytes: 0, sentPath: null, run: null });
      }
      floor = 0;
      startNext();
      publish();
      refused.forEach(tell);
    },
    cancel(id) {
      const entry = entries.get(id);
      if (!entry) return;
      cancelEntry(entry);
      publish();
    },
    cancelAll() {
      waiting = [];
      for (const entry of entries.values()) cancelEntry(entry);
      publish();
    },
    retry(id) {
      const entry = entries.get(id);
      if (!entry || entry.run) return;
      const { item } = entry;
      if (item.status !== "cancelled" && !(item.status === "failed" && item.error.canRetry)) return;
      update(entry, { status: "queued" }, 0);
      waiting.push(id);
      startNext();
      publish();
    },
    remove(id) {
      const entry = entries.get(id);
      if (!entry) return;
      stop(entry);
      entries.delete(id);
      publish();
    },
    clear() {
      for (const [id, entry] of entries) if (!isActive(entry.item)) entries.delete(id);
      publish();
    },
  };
}
