import type { BrowserDeleteResponse } from "@stowage/schemas";
import { transportOf } from "../network/transport-of.js";
import { browserRuntime, type Cancel, type Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import type { UploadFailure } from "../upload-item.js";
import { required } from "./file-links.js";
import { announceFilesChange, backendOf, onFilesChange } from "./files-changes.js";
import type { FilesSettings, ListedFile } from "./files-settings.js";
import { createFilesStore, failureOf } from "./files-store.js";
import { runFolderJob } from "./folder-jobs.js";
import { englishFolderErrors } from "./folder-messages.js";
import { applyChanges, type FileChanges } from "./folder-pages.js";
import type {
  FolderCommands,
  FolderJob,
  FolderSettings,
  FolderSnapshot,
  ListedFolder,
} from "./folder-settings.js";
import { throttle } from "./throttle.js";

/** One folder of the user's stored files. It does not depend on React. */
export interface FolderStore extends FolderCommands {
  subscribe(listener: () => void): Cancel;
  getSnapshot(): FolderSnapshot;
  /** Replaces the settings. Loads again if they name another folder. */
  configure(settings: FolderSettings): void;
  /** Loads the folder and follows the uploads of the page. The returned function ends both. */
  start(): Cancel;
}

type StoreCall<Answer> = (transport: UploadTransport, signal: AbortSignal) => Promise<Answer>;

/** The list of files reloads at most this often too. */
const MIN_RELOAD_INTERVAL_MS = 1_000;
/** The most that the helper answers. */
const FOLDERS_PER_PAGE = 100;

/**
 * Lists a folder of the stored files of the user: the folders in it, then its files, and renames, moves, deletes and restores files.
 * `useFolder` of `@stowage/react/browser` is built on it.
 *
 * @param initial where the helper is, and which folder to show
 * @param runtime the browser; tests pass another one
 */
export function createFolderStore(initial: FolderSettings, runtime: Runtime = browserRuntime): FolderStore {
  let settings = initial;
  const files = createFilesStore(filesSettings(initial), runtime);
  let folders: readonly ListedFolder[] = [];
  let foldersStatus: "loading" | "ready" | "failed" = "loading";
  let changes: FileChanges = new Map();
  let restored: readonly ListedFile[] = [];
  let lastDeleted: FolderSnapshot["lastDeleted"] = null;
  let error: UploadFailure | null = null;
  let job: FolderJob | null = null;
  /** Deleted folders, with the files of them that the trash still counts. */
  let deletedFolders: ReadonlyMap<string, number | undefined> = new Map();
  /** Aborts the calls about a job, which goes on while other folders are shown. */
  let jobs = new AbortController();
  /** Paths of files that are being deleted or restored. A second call would find that it is done, and fail. */
  const pending = new Set<string>();
  /** Aborts the calls of this folder; null while the store is not started. */
  let running: { controller: AbortController; stop: Cancel } | null = null;
  const listeners = new Set<() => void>();
  let snapshot = createSnapshot();
  files.subscribe(publish);

  function createSnapshot(): FolderSnapshot {
    const base = files.getSnapshot();
    const isReady = foldersStatus === "ready";
    return {
      ...base,
      folder: settings.folder ?? "",
      status: isReady ? base.status : foldersStatus,
      folders: folders.filter(({ folder, file_count }) => deletedFolders.get(folder) !== file_count),
      files: isReady ? applyChanges(base.files, changes, restored) : [],
      hasMore: isReady && base.hasMore,
      lastDeleted,
      job,
      error: error ?? base.error,
    };
  }

  function publish() {
    snapshot = createSnapshot();
    for (const listener of listeners) listener();
  }

  /**
   * Makes one call.
   *
   * @returns null if the store was stopped, or shows another folder meanwhile
   */
  async function run<Answer>(
    call: StoreCall<Answer>,
  ): Promise<{ answer: Answer } | { failure: UploadFailure } | null> {
    if (running === null) return null;
    const { signal } = running.controller;
    try {
      const answer = await call(transportOf(settings, runtime), signal);
      return signal.aborted ? null : { answer };
    } catch (cause) {
      return signal.aborted ? null : { failure: failureOf(filesSettings(settings), cause) };
    }
  }

  /** Loads all folders, page after page. The old ones stay until the new ones are there, and if they cannot be read. */
  async function loadFolders(): Promise<void> {
    let list: ListedFolder[] = [];
    let cursor: string | undefined;
    do {
      const query = { parent: settings.folder ?? "", limit: FOLDERS_PER_PAGE, cursor };
      const page = await run((transport, signal) =>
        required(transport.folders, "folder_refused").call(transport, query, signal),
      );
      if (page === null) return;
      if ("failure" in page) {
        if (foldersStatus !== "ready") fail(page.failure);
        return;
      }
      list = [...list, ...page.answer.folders];
      cursor = page.answer.next_cursor ?? undefined;
    } while (cursor !== undefined);
    folders = list;
    foldersStatus = "ready";
    publish();
  }

  function fail(failure: UploadFailure) {
    foldersStatus = "failed";
    error = failure;
    publish();
  }

  /** Takes the message away at once, so that screen readers read the same one again. */
  function clearError() {
    if (error === null) return;
    error = null;
    publish();
  }

  /** Makes the call of a command. @returns null if it failed; then `error` says why */
  async function command<Answer>(call: StoreCall<Answer>): Promise<{ answer: Answer } | null> {
    clearError();
    const done = await run(call);
    if (done === null || "answer" in done) return done;
    error = done.failure;
    publish();
    return null;
  }

  async function runJob(folder: string, to: string | null): Promise<FolderJob | null> {
    if (running === null || job?.state === "running") return null;
    const { signal } = jobs;
    const setJob = (next: FolderJob | null) => {
      job = next;
      publish();
    };
    let now: FolderJob = { folder, to, state: "running", total: 0, done: 0, kept: 0 };
    clearError();
    setJob(now);
    try {
      const deps = { transport: transportOf(settings, runtime), runtime, signal };
      await runFolderJob(deps, { folder, to }, ({ total, done, kept }) => {
        now = { ...now, total, done, kept };
        setJob(now);
      });
    } catch (cause) {
      if (signal.aborted) return null;
      error = failureOf(filesSettings(settings), cause);
      setJob(null);
      return null;
    }
    announceFilesChange(settings);
    await refresh();
    if (signal.aborted) return null;
    if (to === null && now.kept === 0) {
      const inTrash = folders.find((listed) => listed.folder === folder)?.file_count;
      deletedFolders = new Map(deletedFolders).set(folder, inTrash);
    }
    now = { ...now, state: "done" };
    setJob(now);
    return now;
  }

  function stopJob() {
    jobs.abort();
    jobs = new AbortController();
    job = null;
    deletedFolders = new Map();
  }

  function listen() {
    // Their counts change with the files.
    const reloads = throttle(runtime, MIN_RELOAD_INTERVAL_MS, loadFolders);
    const stopListening = onFilesChange(settings, () => reloads.request());
    const stopWatchingConnection = runtime.onConnectionChange(() => {
      if (runtime.isOnline() && foldersStatus === "failed" && error?.code === "network_error") void refresh();
    });
    const controller = new AbortController();
    running = {
      controller,
      stop() {
        controller.abort();
        stopListening();
        stopWatchingConnection();
        reloads.cancel();
      },
    };
    void loadFolders();
  }

  /** Begins with nothing, as for another folder. */
  function reset() {
    folders = [];
    foldersStatus = "loading";
    changes = new Map();
    restored = [];
    lastDeleted = null;
    error = null;
  }

  async function refresh(): Promise<void> {
    error = null;
    if (foldersStatus === "failed") foldersStatus = "loading";
    await Promise.all([loadFolders(), files.refresh()]);
  }

  /** @param now null if the file is no longer in this folder */
  function setChange(path: string, now: ListedFile | null) {
    const before = files.getSnapshot().files.find(({ file_path }) => file_path === path);
    if (before) changes = new Map(changes).set(path, { before, now });
    restored = restored.flatMap((file) => (file.file_path === path ? (now ?? []) : [file]));
  }

  function setDeleted(file: ListedFile, isRestorable: boolean) {
    restored = restored.filter(({ file_path }) => file_path !== file.file_path);
    lastDeleted = { file, isRestorable };
    error = null;
    publish();
    // The list of files takes it out.
    announceFilesChange(settings, file.file_path);
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,

    start() {
      const stopFiles = files.start();
      listen();
      return () => {
        stopFiles();
        stopJob();
        running?.stop();
        running = null;
      };
    },

    configure(next) {
      const last = settings;
      settings = next;
      const isOtherBackend = backendOf(last) !== backendOf(next);
      const isOther = (last.folder ?? "") !== (next.folder ?? "") || isOtherBackend;
      if (isOtherBackend) stopJob();
      if (isOther) reset();
      files.configure(filesSettings(next));
      if (!isOther) return;
      publish();
      if (running === null) return;
      running.stop();
      listen();
    },

    refresh,
    loadMore: () => (foldersStatus === "failed" ? refresh() : files.loadMore()),
    hrefOf: files.hrefOf,
    urlOf: files.urlOf,
    urlsOf: files.urlsOf,
    share: files.share,
    linksOf: files.linksOf,
    revokeLink: files.revokeLink,
    versionsOf: files.versionsOf,
    restoreVersion: files.restoreVersion,

    async remove(file) {
      const { file_path } = file;
      if (pending.has(file_path)) return;
      pending.add(file_path);
      const done = await command((transport, signal) =>
        required(transport.delete, "delete_refused").call(transport, { file_path }, signal),
      );
      pending.delete(file_path);
      if (done) setDeleted(file, (done.answer as BrowserDeleteResponse).restorable === true);
      else if (isFileGone(error)) setDeleted(file, false);
    },

    async restore(file) {
      const { file_path } = file;
      if (pending.has(file_path)) return false;
      pending.add(file_path);
      const done = await command((transport, signal) =>
        required(transport.restore, "restore_refused").call(transport, { file_path }, signal),
      );
      pending.delete(file_path);
      if (!done) return false;
      restored = [...restored, file];
      // Another file may have been deleted since then.
      if (lastDeleted?.file.file_path === file_path) lastDeleted = null;
      publish();
      announceFilesChange(settings);
      return true;
    },

    async update({ file_path }, { filename, folder }) {
      const done = await command((transport, signal) =>
        required(transport.update, "update_refused").call(transport, { file_path, filename, folder }, signal),
      );
      if (!done) return false;
      setChange(file_path, isHere(folder) ? done.answer : null);
      publish();
      announceFilesChange(settings);
      return true;
    },

    moveFolder: (folder, to) => runJob(folder, to),
    removeFolder: (folder) => runJob(folder, null),
  };

  function isHere(folder: string | undefined): boolean {
    return folder === undefined || folder === (settings.folder ?? "");
  }
}

/** Such a file counts as deleted. */
const isFileGone = (error: UploadFailure | null) => error?.code === "file_not_found";

/** The list of files has the texts of its own errors, so those of folders are added. */
const filesSettings = (settings: FolderSettings): FilesSettings => ({
  ...settings,
  folder: settings.folder ?? "",
  errorMessages: { ...englishFolderErrors, ...settings.errorMessages },
});
