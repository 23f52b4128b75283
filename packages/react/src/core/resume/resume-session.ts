import type { BrowserOpenUpload } from "@stowage/schemas";
import { announceFilesChange } from "../files/files-changes.js";
import type { Network } from "../network/network.js";
import { isTransient } from "../network/retry-policy.js";
import type { Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { HeldMultipart } from "../upload/upload-job.js";
import { UploadError } from "../upload-error.js";
import type { UploadFailure, UploadItem } from "../upload-item.js";
import type { UploadSettings } from "../upload-settings.js";
import { createLaterRetries } from "./later-retries.js";
import { continues, isFileOf, isNameOf } from "./match-file.js";
import { belongsTo, heldOf, readOpenUploads, storedBytes } from "./open-uploads.js";
import type { ResumableUpload } from "./resumable-upload.js";
import { createResumeStore, type ResumeStore } from "./resume-store.js";

export interface ResumeDeps {
  runtime: Pick<Runtime, "now" | "after" | "markedPaths" | "isOnline" | "onConnectionChange">;
  network: Pick<Network, "callWithRetry">;
  transport(): UploadTransport;
  settings(): UploadSettings;
  /** The files of the list that are not done. */
  listedFiles(): Iterable<File>;
  failureOf(cause: unknown, item: Pick<UploadItem, "name" | "size">): UploadFailure;
  onChange(): void;
}

/** A file of the list, as the person chose it and as it is sent. */
export interface FileToSend {
  original: File;
  prepared: File;
}

interface Entry {
  upload: BrowserOpenUpload;
  handle: FileSystemFileHandle | null;
  status: ResumableUpload["status"];
  error: UploadFailure | null;
}

/** Uploads that one list shows. The newest are shown. */
const MAX_ENTRIES = 100;
/** Of these, the progress is read again: the backend only knows what it found when it last looked. */
const MAX_COUNTED = 10;
/** The backend is asked again for a file that is added later than this. */
const FRESH_MS = 30_000;

/**
 * The uploads that a list can continue. The backend says which there are, because it knows the user. This browser only adds
 * the handles of their files.
 */
export function createResumeSession(deps: ResumeDeps, store: ResumeStore = createResumeStore(deps.runtime)) {
  const { runtime, network, transport, settings, listedFiles, failureOf, onChange } = deps;
  const { signal } = new AbortController();
  const closing = new AbortController();
  const entries = new Map<string, Entry>();
  /** The uploads that files of the list continue. */
  const paths = new WeakMap<File, string>();
  /** Open uploads that this page has seen. */
  const known = new Set<string>();
  /** Those that have ended since. An answer that was on its way may still contain them. */
  const ended = new Set<string>();
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let listing: Promise<void> | null = null;
  let shown: readonly ResumableUpload[] = [];
  const laterRetries = createLaterRetries(runtime, () => void refresh());

  const isContinued = (path: string) => [...listedFiles()].some((file) => paths.get(file) === path);

  function change(path: string, next: Partial<Entry>) {
    const entry = entries.get(path);
    if (entry) entries.set(path, { ...entry, ...next });
    onChange();
  }

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

  async function readUploads(): Promise<Map<string, Entry>> {
    const [uploads, saved, marked] = await Promise.all([
      readOpenUploads(transport(), signal),
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
        .map((upload): [string, Entry] => {
          const { status = "waiting", error = null } = entries.get(upload.file_path) ?? {};
          const handle = handles.get(upload.file_path) ?? null;
          return [upload.file_path, { upload, handle, status, error }];
        }),
    );
  }

  function forget(path: string) {
    if (!known.delete(path)) return;
    ended.add(path);
    entries.delete(path);
    void store.remove(path);
    onChange();
  }

  /** The file of an upload, without choosing it again. @returns null if the person does not allow it */
  async function readHandle(path: string, { handle }: Entry): Promise<File | null> {
    try {
      // Not in the types: only some browsers have it.
      const { requestPermission } = handle as unknown as { requestPermission?(): Promise<PermissionState> };
      if ((await requestPermission?.call(handle)) === "granted") return (await handle?.getFile()) ?? null;
    } catch (cause) {
      change(path, { handle: null });
      throw new UploadError("file_unreadable", { cause });
    }
    change(path, { handle: null });
    return null;
  }

  async function matches(upload: BrowserOpenUpload, file: File): Promise<boolean> {
    // What `transform` makes of the file is compared when the file is sent.
    return settings().transform ? isNameOf(upload, file) : isFileOf(upload, file);
  }

  return {
    refresh,

    /** The uploads that no file of the list continues. The same array as before while nothing has changed. */
    current(): readonly ResumableUpload[] {
      const next = [...entries].filter(([path]) => !isContinued(path)).map(([, entry]) => toResumable(entry));
      if (JSON.stringify(next) !== JSON.stringify(shown)) shown = next;
      return shown;
    },

    /** Whether this browser remembers uploads of the list. */
    isRemembered: async () => (await store.list(scopeOf(settings()))).length > 0,

    /**
     * Returns the file with which an upload goes on, or null if the person has to choose it. From now on `find` returns the
     * upload for this file.
     *
     * @param chosen the file that the person chose; without it, the file is read by its handle
     */
    async fileFor(path: string, chosen: File | undefined): Promise<File | null> {
      const entry = entries.get(path);
      if (!entry || entry.status !== "waiting") return null;
      const { upload } = entry;
      const fail = (cause: unknown) =>
        change(path, { error: failureOf(cause, { name: upload.filename, size: upload.declared_size }) });
      change(path, { status: "checking", error: null });
      try {
        const file = chosen ?? (await readHandle(path, entry));
        if (!file) return null;
        if (await matches(upload, file)) {
          paths.set(file, path);
          return file;
        }
        fail(new UploadError("different_file"));
      } catch (cause) {
        fail(cause instanceof UploadError ? cause : new UploadError("file_unreadable", { cause }));
      } finally {
        change(path, { status: "waiting" });
      }
      return null;
    },

    /** Whether a person chose the file for an upload. */
    isChosen: (original: File): boolean => paths.has(original),

    /**
     * Finds the open upload that a file continues: the one that a person chose it for, else one with the same name, content and
     * input.
     *
     * @throws {UploadError} different_file if the person chose another file for the upload
     */
    async find({ original, prepared }: FileToSend, input: unknown): Promise<HeldMultipart | null> {
      const path = paths.get(original);
      const wanted = path === undefined ? undefined : entries.get(path);
      if (wanted) {
        if (wanted.upload.declared_size !== prepared.size) throw new UploadError("different_file");
        return heldOf(wanted.upload, prepared, runtime.now());
      }
      if (runtime.now() - listedAtMs > FRESH_MS) await refresh();
      for (const [candidate, { upload, status }] of entries) {
        const isFree = () => status === "waiting" && !isContinued(candidate);
        // Checked again after the file was read: another file of the list may have been faster.
        const isSame = () => continues(upload, prepared, input).catch(() => false);
        if (!isFree() || !(await isSame()) || !isFree()) continue;
        paths.set(original, candidate);
        onChange();
        return heldOf(upload, prepared, runtime.now());
      }
      return null;
    },

    /** Remembers an upload that a file of the list has opened. */
    async opened({ ticket }: HeldMultipart, original: File): Promise<void> {
      known.add(ticket.file_path);
      paths.set(original, ticket.file_path);
      // file-selector sets it for dropped files, in browsers that have it.
      const { handle } = original as File & { handle?: FileSystemFileHandle };
      await store.save({
        path: ticket.file_path,
        scope: scopeOf(settings()),
        expiresAtMs: runtime.now() + ticket.expires_in * 1000,
        ...(handle && canStoreHandles() && { handle }),
      });
    },

    /** An upload is complete or cancelled. Other paths are ignored. */
    forget,

    /** Asks no more for the open uploads. An upload that is being discarded is still discarded. */
    close() {
      closing.abort();
      laterRetries.stop();
    },

    async discard(path: string): Promise<void> {
      const entry = entries.get(path);
      if (!entry || entry.status !== "waiting") return;
      const { filename: name, declared_size: size } = entry.upload;
      change(path, { status: "discarding", error: null });
      const call = async () => transport().cancel?.({ file_path: path }, signal);
      try {
        await network.callWithRetry(call, { signal, isBackground: true });
        forget(path);
      } catch (cause) {
        const { status, code } = cause as UploadError;
        if (code === "upload_already_stored") announceFilesChange(settings());
        if (status === 404 || code === "upload_already_stored") forget(path);
        else change(path, { status: "waiting", error: failureOf(cause, { name, size }) });
      }
    },
  };
}

export type ResumeSession = ReturnType<typeof createResumeSession>;

/** Chromium's headless shell, which browser tests use, crashes when it stores a handle. */
const canStoreHandles = () => !globalThis.navigator?.userAgent?.includes("HeadlessChrome");

/** Lists of other backends and routes on the same page have uploads of their own. */
function scopeOf({ endpoint = "", route = "" }: UploadSettings): string {
  return JSON.stringify([endpoint, route]);
}

function toResumable({ upload, handle, status, error }: Entry): ResumableUpload {
  const { file_path: path, filename: name, declared_size: size, bytes_stored: storedBytes } = upload;
  return {
    path,
    name,
    size,
    storedBytes,
    progress: size > 0 ? storedBytes / size : 0,
    expiresAt: upload.expires_at,
    canContinueWithoutChoosing: handle !== null,
    status,
    error,
  };
}
