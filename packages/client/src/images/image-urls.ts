import type { BrowserDownloadsResponse } from "@stowage/schemas";
import { isTransient } from "../network/retry-policy.js";
import type { Cancel, Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";

/**
 * The URL of one image. `loading`: it is asked for, or the variant is being made. `missing`: the file is gone. `failed`: there is no
 * image to show, because the file cannot be decoded, the variant could not be made, or the attempts are used up.
 */
export type ImageUrl =
  | { readonly status: "loading" | "missing" | "failed" }
  /** `version` is another number for each answer, also if the URL is the same. */
  | { readonly status: "ready"; readonly url: string; readonly version: number };

/**
 * The URLs of the variants of many files. It does not depend on React. Every series of attempts has an end. It starts again when the file
 * comes back into view, and when the browser is online again.
 */
export interface ImageUrls {
  /** Sets the way to the backend. Called before the first file is watched, and again when the page has another transport. */
  connect(transport: () => UploadTransport): void;
  /** Asks for the URL of a file, and follows it until the returned function is called. */
  watch(path: string, listener: () => void): Cancel;
  get(path: string): ImageUrl;
  /** The browser could not load the URL: it may have expired, or the file is gone. Asks again, a few times. */
  reportBroken(path: string): void;
  reportLoaded(path: string): void;
  /** Aborts the call that is on its way. Watched files are asked for again when they are watched again. */
  stop(): void;
}

export interface ImageUrlsDeps {
  runtime: Pick<Runtime, "after" | "soon" | "uptimeMs" | "isOnline" | "onConnectionChange">;
  /** Name of the preset. Undefined: the files themselves. */
  variant: string | undefined;
}

interface Entry {
  current: ImageUrl;
  listeners: Set<() => void>;
  /** No later attempt can change `current`: the file is gone, or it is no image. */
  isFinal: boolean;
  /** When the URL was answered, by `uptimeMs`. */
  answeredAtMs: number;
  /** Attempts since the last URL: polls of a variant that is being made, and calls that failed. */
  polls: number;
  /** Loads that failed in a row. */
  broken: number;
  cancelTimer: Cancel | null;
}

/** The limit of the helper. */
const FILES_PER_CALL = 100;
/** Tiles that come into view together go into one call. */
const COLLECT_MS = 20;
/** Pauses between the polls of a variant that is being made: about a minute in all. `Retry-After` makes a pause longer. */
const POLL_DELAYS_MS = [500, 1_000, 1_000, 2_000, 2_000, 4_000, 8_000, 10_000, 15_000, 15_000];
const MAX_POLL_DELAY_MS = 30_000;
/** Pauses before the same file is asked for again after its image did not load. */
const BROKEN_DELAYS_MS = [0, 2_000, 8_000];
/**
 * A URL with `reuse` works for at least 7.5 minutes. Counted from the answer, because the clock of the page may be wrong. An image that
 * comes into view later gets a new URL.
 */
const FRESH_MS = 6 * 60_000;
/** Files whose URLs are kept although they are not in view. */
const MAX_KEPT = 2_000;

const LOADING: ImageUrl = { status: "loading" };

export function createImageUrls({ runtime, variant }: ImageUrlsDeps): ImageUrls {
  const entries = new Map<string, Entry>();
  const queue = new Set<string>();
  let running: AbortController | null = null;
  let cancelFlush: Cancel | null = null;
  let stopListening: Cancel | null = null;
  let lastVersion = 0;
  let transport: (() => UploadTransport) | undefined;

  function publish(entry: Entry, next: ImageUrl) {
    entry.current = next;
    for (const listener of entry.listeners) listener();
  }

  function enqueue(path: string) {
    queue.add(path);
    cancelFlush ??= runtime.soon(() => {
      cancelFlush = null;
      void flush();
    }, COLLECT_MS);
  }

  async function flush(): Promise<void> {
    if (running || queue.size === 0) return;
    const paths = [...queue].slice(0, FILES_PER_CALL);
    for (const path of paths) queue.delete(path);
    const controller = (running = new AbortController());
    try {
      const backend = transport?.();
      if (!backend?.downloads) throw new UploadError("download_refused");
      const body = { file_paths: paths, disposition: "inline" as const, reuse: true, variant };
      const answer = await backend.downloads(body, controller.signal);
      if (!controller.signal.aborted) receive(paths, answer);
    } catch (cause) {
      if (!controller.signal.aborted) for (const path of paths) onFailure(path, cause);
    }
    if (running === controller) running = null;
    void flush();
  }

  function receive(paths: string[], { downloads, not_found, refused }: BrowserDownloadsResponse) {
    const urls = new Map(downloads.map(({ file_path, presigned_url }) => [file_path, presigned_url]));
    const missing = new Set(not_found);
    const refusals = new Map(refused?.map((refusal) => [refusal.file_path, refusal]));
    for (const path of paths) {
      const entry = entries.get(path);
      if (!entry) continue;
      const url = urls.get(path);
      if (url !== undefined) {
        entry.polls = 0;
        entry.answeredAtMs = runtime.uptimeMs();
        publish(entry, { status: "ready", url, version: ++lastVersion });
        continue;
      }
      const { code = "", retry_after: retryAfterSeconds = 0 } = refusals.get(path) ?? {};
      if (WAITING.has(code)) {
        // One second only says "soon".
        poll(path, entry, retryAfterSeconds > 1 ? retryAfterSeconds * 1000 : 0);
        continue;
      }
      entry.isFinal = missing.has(path) || code === "variant_impossible";
      publish(entry, { status: missing.has(path) ? "missing" : "failed" });
    }
  }

  function onFailure(path: string, cause: unknown) {
    const entry = entries.get(path);
    if (!entry) return;
    const error = cause instanceof UploadError ? cause : undefined;
    const isWaiting = error && (WAITING.has(error.code) || isTransient(error));
    if (isWaiting) poll(path, entry, error.retryAfterMs ?? 0);
    else publish(entry, { status: "failed" });
  }

  function poll(path: string, entry: Entry, retryAfterMs: number) {
    const delayMs = POLL_DELAYS_MS[entry.polls++];
    if (delayMs === undefined) return publish(entry, { status: "failed" });
    later(path, entry, Math.min(Math.max(delayMs, retryAfterMs), MAX_POLL_DELAY_MS));
  }

  function later(path: string, entry: Entry, delayMs: number) {
    entry.cancelTimer?.();
    entry.cancelTimer = runtime.after(delayMs, () => {
      entry.cancelTimer = null;
      if (entry.listeners.size > 0) enqueue(path);
    });
  }

  /** Starts a new series of attempts. */
  function restart(path: string, entry: Entry) {
    entry.cancelTimer?.();
    entry.cancelTimer = null;
    entry.polls = 0;
    entry.broken = 0;
    // A URL that is too old, or that did not work, must not be shown while the next one is on its way.
    if (entry.current.status !== "loading") publish(entry, LOADING);
    enqueue(path);
  }

  /** Without the network, the attempts of a minute are soon used up. */
  function onConnectionChange() {
    if (!runtime.isOnline()) return;
    for (const [path, entry] of entries) {
      const isWaiting = entry.cancelTimer !== null || entry.current.status === "failed";
      if (isWaiting && !entry.isFinal && entry.listeners.size > 0) restart(path, entry);
    }
  }

  /** Forgets the oldest files that are not in view. */
  function prune() {
    for (const [path, { listeners }] of entries) {
      if (entries.size <= MAX_KEPT) return;
      if (listeners.size === 0) entries.delete(path);
    }
  }

  const isFresh = ({ current, isFinal, answeredAtMs }: Entry) =>
    isFinal || (current.status === "ready" && runtime.uptimeMs() - answeredAtMs < FRESH_MS);

  return {
    connect(next) {
      transport = next;
    },
    get(path) {
      const entry = entries.get(path);
      // A file that is not watched may have a URL that is too old. `watch` decides that, because this is called while React renders,
      // which may read no clock.
      return entry && (entry.listeners.size > 0 || entry.isFinal) ? entry.current : LOADING;
    },
    watch(path, listener) {
      const entry = entries.get(path) ?? createEntry();
      entries.set(path, entry);
      stopListening ??= runtime.onConnectionChange(onConnectionChange);
      // An image that had failed may work now: the person scrolls back to it.
      if (entry.listeners.size === 0 && !isFresh(entry)) restart(path, entry);
      entry.listeners.add(listener);
      prune();
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size > 0) return;
        entry.cancelTimer?.();
        entry.cancelTimer = null;
        queue.delete(path);
      };
    },
    reportBroken(path) {
      const entry = entries.get(path);
      if (entry?.current.status !== "ready") return;
      const delayMs = BROKEN_DELAYS_MS[entry.broken++];
      if (delayMs === undefined) return publish(entry, { status: "failed" });
      later(path, entry, delayMs);
    },
    reportLoaded(path) {
      const entry = entries.get(path);
      if (entry) entry.broken = 0;
    },
    stop() {
      running?.abort();
      running = null;
      cancelFlush?.();
      cancelFlush = null;
      queue.clear();
      stopListening?.();
      stopListening = null;
    },
  };
}

/** Refusals that end by themselves. */
const WAITING: ReadonlySet<string> = new Set(["variant_pending", "file_not_scanned"]);

const createEntry = (): Entry => ({
  current: LOADING,
  listeners: new Set(),
  isFinal: false,
  answeredAtMs: 0,
  polls: 0,
  broken: 0,
  cancelTimer: null,
});
