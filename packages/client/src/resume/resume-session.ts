import type { BrowserOpenUpload } from "@stowage/schemas";
import type { FileSource } from "../file-source.js";
import { uploadErrors } from "../upload-messages.js";
import type { FailureOf } from "../messages.js";
import { UploadError } from "../upload-error.js";
import type { UploadSnapshot } from "../upload-settings.js";
import { toFile } from "../upload/source-file.js";
import type { HeldMultipart } from "../upload/upload-job.js";
import { contentHash } from "./fingerprint.js";
import { continues, isFileOf, isNameOf } from "./match-file.js";
import { takeLostFiles } from "./lost-files.js";
import { heldOf } from "./open-uploads.js";
import type { ResumableUpload } from "./resumable-upload.js";
import { createResumeList, type ResumeEntry, type ResumeListDeps } from "./resume-list.js";
import { createResumeStore, type ResumeStore } from "./resume-store.js";
import { scopeOf } from "./scope.js";

export interface ResumeDeps extends ResumeListDeps {
  /** The files of the list that are not done. */
  listedFiles(): Iterable<File>;
  failureOf: FailureOf;
  /** Called when an upload turns out to be a stored file. */
  onStored(): void;
}

/** A file of the list, as the person chose it and as it is sent. */
export interface FileToSend {
  original: File;
  prepared: File;
}

/**
 * The uploads that a list can continue. The backend says which there are, because it knows the user. This browser only adds
 * the handles of their files.
 */
export function createResumeSession(deps: ResumeDeps, store: ResumeStore = createResumeStore(deps.runtime)) {
  const { runtime, network, transport, settings, listedFiles, onStored, onChange } = deps;
  const failureOf: FailureOf = (cause, file) => deps.failureOf(cause, file, uploadErrors);
  const { signal } = new AbortController();
  const list = createResumeList(deps, store);
  const { entries, change, forget } = list;
  /** The uploads that files of the list continue. */
  const paths = new WeakMap<File, string>();
  let shown: readonly ResumableUpload[] = [];
  let lost: readonly string[] = [];

  const isContinued = (path: string) => [...listedFiles()].some((file) => paths.get(file) === path);

  /** The file of an upload, without choosing it again. @returns null if the person does not allow it */
  async function readHandle(path: string, { handle }: ResumeEntry): Promise<File | null> {
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

  async function endLost(path: string) {
    try {
      const { cancel } = transport();
      if (!cancel) return "unknown";
      await network.callWithRetry(() => cancel({ file_path: path }, signal), { signal, isBackground: true });
      return "ended";
    } catch (cause) {
      return (cause as UploadError).code === "upload_already_stored" ? "stored" : "unknown";
    }
  }

  return {
    refresh: list.refresh,

    /** Finds the files that the last page of this tab has lost, and returns the quota that they hold. */
    async findLost(): Promise<void> {
      lost = await takeLostFiles(runtime, scopeOf(settings()), endLost);
      onChange();
    },

    /** The uploads that no file of the list continues. The same array as before while nothing has changed. */
    current(): readonly ResumableUpload[] {
      const next = [...entries].filter(([path]) => !isContinued(path)).map(([, entry]) => toResumable(entry));
      if (JSON.stringify(next) !== JSON.stringify(shown)) shown = next;
      return shown;
    },

    /** The same, and the names of the lost files that the person has not added again. */
    unfinished(): Unfinished {
      const added = lost.length > 0 && new Set(Array.from(listedFiles(), ({ name }) => name));
      if (added && lost.some((name) => added.has(name))) lost = lost.filter((name) => !added.has(name));
      return { resumable: this.current(), lost };
    },

    /** Whether this browser remembers uploads of the list. */
    isRemembered: async () => (await store.list(scopeOf(settings()))).length > 0,

    /**
     * Returns the file that continues an upload, or null if the person has to choose it. From now on `find` returns the
     * upload for this file.
     *
     * @param chosen the file that the person chose; without it, the file is read by its handle
     */
    async fileFor(path: string, chosen: File | FileSource | undefined): Promise<File | null> {
      const entry = entries.get(path);
      if (!entry || entry.status !== "waiting") return null;
      const { upload } = entry;
      const fail = (cause: unknown) =>
        change(path, { error: failureOf(cause, { name: upload.filename, size: upload.declared_size }) });
      change(path, { status: "checking", error: null });
      try {
        const file = chosen ? toFile(chosen) : await readHandle(path, entry);
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
      // Read while the backend answers. It is needed to compare, or for the request of a new upload.
      contentHash(prepared).catch(() => {});
      await list.refreshIfOld();
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
      list.add(ticket.file_path);
      paths.set(original, ticket.file_path);
      // Dropped files have it, in browsers that give it (`read-files.ts`).
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

    /** Stops asking for the open uploads. An upload that is being discarded is still discarded. */
    close: list.close,

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
        if (code === "upload_already_stored") onStored();
        if (status === 404 || code === "upload_already_stored") forget(path);
        else change(path, { status: "waiting", error: failureOf(cause, { name, size }) });
      }
    },
  };
}

/** What the last page has left, as snapshots show it. */
export type Unfinished = Pick<UploadSnapshot, "resumable" | "lost">;

export type ResumeSession = ReturnType<typeof createResumeSession>;

/** Chromium's headless shell, which browser tests use, crashes when it stores a handle. */
const canStoreHandles = () => !globalThis.navigator?.userAgent?.includes("HeadlessChrome");

function toResumable({ upload, handle, status, error }: ResumeEntry): ResumableUpload {
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
