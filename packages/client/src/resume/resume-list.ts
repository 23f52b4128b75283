import type { BrowserOpenResponse, BrowserOpenUpload } from "@stowage/schemas";
import type { Network } from "../network/network.js";
import { isTransient } from "../network/retry-policy.js";
import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadFailure } from "../upload-item.js";
import type { UploadSettings } from "../upload-settings.js";
import { createLaterRetries } from "./later-retries.js";
import { belongsTo, readOpenUploads, storedBytes } from "./open-uploads.js";
import type { ResumableUpload } from "./resumable-upload.js";
import type { ResumeStore } from "./resume-store.js";
import { scopeOf } from "./scope.js";

export interface ResumeListDeps {
  runtime: Pick<Runtime, "now" | "after" | "markedPaths" | "isOnline" | "onConnectionChange">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  settings(): UploadSettings;
  /** The first page of open uploads, if it was asked for while this code was loaded. */
  firstPage?: Promise<BrowserOpenResponse> | undefined;
  onChange(): void;
}

/** An open upload of the backend, as this list shows it. */
export interface ResumeEntry {
  upload: BrowserOpenUpload;
  /** Null if this browser cannot read the file again. */
  handle: FileSystemFileHandle | null;
  status: ResumableUpload["status"];
  error: UploadFailure | null;
}

/** Largest number of uploads that one list shows: the newest. */
const MAX_ENTRIES = 100;
/** The list reads the progress of this many again, because the backend knows only what it found when it last looked. */
const MAX_COUNTED = 10;
/** The backend is asked again for a file that is added later than this. */
const FRESH_MS = 30_000;

/** The open uploads of the user, by their path. The backend says which there are; the browser adds the handles of their files. */
export function createResumeList(deps: ResumeListDeps, store: ResumeStore) {
  const { runtime, network, transport, settings, onChange } = deps;
  const { signal } = new AbortController();
  const closing = new AbortController();
  const entries = new Map<string, ResumeEntry>();
  /** Open uploads that this page has seen. */
  const known = new Set<string>();
  /** Uploads that have ended since. An earlier answer may still contain them. */
  const ended = new Set<string>();
  let { firstPage } = deps;
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let listing: Promise<void> | null = null;
  const laterRetries = createLaterRetries(runtime, () => void refresh());

  /**
   * Asks the backend for the open uploads, with retries. Several callers share one call. A failure changes nothing. If the
   * backend did not answer, it is asked again later.
   */
  function refresh(): Promise<void> {
    listing ??= network
      .callWithRetry(readUploads, { signal: closing.signal, isBackground: true })
      .then((uploads) => {
        laterRetries.stop();
        listedAtMs = runtime.now();
        entries.clear();
        for (const [path, entry] of uploads) {
          entries.set(path, entry);
          known.add(path);
        }
        onChange();
        void countParts();
      })
      .catch((cause) => {
        if (isTransient(cause)) laterRetries.plan();
        else laterRetries.stop();
      })
      .finally(() => (listing = null));
    return listing;
  }

  /** Reads what storage has of the newest uploads, one after the other. */
  async function countParts() {
    for (const path of [...entries.keys()].slice(0, MAX_COUNTED)) {
      const bytes_stored = await storedBytes(transport(), path, signal).catch(() => null);
      const entry = entries.get(path);
      if (entry && bytes_stored !== null) change(path, { upload: { ...entry.upload, bytes_stored } });
    }
  }

  async function readUploads(): Promise<Map<string, ResumeEntry>> {
    const asked = firstPage;
    firstPage = undefined;
    const [uploads, saved, marked] = await Promise.all([
      readOpenUploads(transport(), signal, asked),
      store.list(scopeOf(settings())),
      runtime.markedPaths(),
    ]);
    const handles = new Map(saved.map(({ path, handle }) => [path, handle]));
    // Other pages of this browser send the marked ones now.
    const running = new Set(marked);
    return new Map(
      uploads
        .filter((upload) => belongsTo(upload, settings()) && Date.parse(upload.expires_at) > runtime.now())
        .filter(({ file_path }) => !ended.has(file_path) && !running.has(file_path))
        .slice(0, MAX_ENTRIES)
        .map((upload): [string, ResumeEntry] => {
          const { status = "waiting", error = null } = entries.get(upload.file_path) ?? {};
          const handle = handles.get(upload.file_path) ?? null;
          return [upload.file_path, { upload, handle, status, error }];
        }),
    );
  }

  function change(path: string, next: Partial<ResumeEntry>) {
    const entry = entries.get(path);
    if (entry) entries.set(path, { ...entry, ...next });
    onChange();
  }

  function forget(path: string) {
    if (!known.delete(path)) return;
    ended.add(path);
    entries.delete(path);
    void store.remove(path);
    onChange();
  }

  return {
    entries: entries as ReadonlyMap<string, ResumeEntry>,
    refresh,

    /** Asks the backend again unless its last answer is fresh. */
    async refreshIfOld(): Promise<void> {
      if (runtime.now() - listedAtMs > FRESH_MS) await refresh();
    },

    change,

    /** Remembers an upload that this page has opened, so that `forget` accepts it. */
    add: (path: string) => void known.add(path),

    /** An upload is complete or cancelled. Other paths are ignored. */
    forget,

    /** Stops asking for the open uploads. */
    close() {
      closing.abort();
      laterRetries.stop();
    },
  };
}
