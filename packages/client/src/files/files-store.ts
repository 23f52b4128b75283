import type { BrowserListResponse } from "@stowage/schemas";
import { uploadErrors } from "../upload-messages.js";
import { toFailure } from "../messages.js";
import { transportOf } from "../network/transport-of.js";
import { browserRuntime, type Cancel, type Runtime } from "../runtime.js";
import type { UploadTransport } from "../transport.js";
import { UploadError } from "../upload-error.js";
import type { UploadFailure } from "../upload-item.js";
import { createLinkCommands, required } from "./file-links.js";
import { createVersionCommands } from "./file-versions.js";
import { announceFilesChange, backendOf, onFilesChange } from "./files-changes.js";
import { englishFilesErrors } from "./files-messages.js";
import { addPage, mergeFirstPage, NO_PAGES, withoutFile } from "./files-pages.js";
import type { FilesCommands, FilesSettings, FilesSnapshot, FilesUsage } from "./files-settings.js";
import { throttle } from "./throttle.js";

/** The user's stored files, page by page. It does not depend on React. */
export interface FilesStore extends FilesCommands {
  subscribe(listener: () => void): Cancel;
  getSnapshot(): FilesSnapshot;
  /** Replaces the settings. Loads again if they name other files. */
  configure(settings: FilesSettings): void;
  /** Loads the first page and follows the uploads of the page. The returned function ends both. */
  start(): Cancel;
}

/** A batch of uploads announces each file. The list then loads again at most this often. */
const MIN_RELOAD_INTERVAL_MS = 1_000;

/** The limit of the helper. */
const FILES_PER_CALL = 100;

/** After this many pages without a file, the person decides whether to load more. */
const MAX_EMPTY_PAGES = 10;

/**
 * Lists the stored files of the user, page by page, and downloads and deletes them. `useFiles` of `@stowage/react` is built on it.
 *
 * @param initial where the helper is, and what to list
 * @param runtime the browser; tests pass another one
 */
export function createFilesStore(initial: FilesSettings, runtime: Runtime = browserRuntime): FilesStore {
  let settings = initial;
  let pages = NO_PAGES;
  let snapshot: FilesSnapshot = { status: "loading", files: [], hasMore: false, usage: null, error: null };
  /** Aborts the calls of this store; null while it is not started. */
  let running: { controller: AbortController; stopListening: Cancel } | null = null;
  let reloads = createReloads();
  const listeners = new Set<() => void>();

  function publish(changes: Partial<FilesSnapshot>) {
    snapshot = { ...snapshot, ...changes, files: pages.files, hasMore: pages.nextCursor !== null };
    for (const listener of listeners) listener();
  }

  /** Makes one call. The answer of a call that was aborted, or of a store that was stopped, is dropped. */
  async function run<Answer>(
    call: (transport: UploadTransport, signal: AbortSignal) => Promise<Answer>,
    { onAnswer, onFailure }: { onAnswer(answer: Answer): void; onFailure(failure: UploadFailure): void },
  ): Promise<void> {
    if (running === null) return;
    const { signal } = running.controller;
    try {
      const answer = await call(transportOf(settings, runtime), signal);
      if (!signal.aborted) onAnswer(answer);
    } catch (cause) {
      if (!signal.aborted) onFailure(failureOf(settings, cause));
    }
  }

  const list = (cursor: string | undefined) => (transport: UploadTransport, signal: AbortSignal) =>
    listPage(transport, settings, cursor, signal);

  /** @param isSilent the page shows neither that it loads nor that it failed, because no person asked for it */
  async function loadFirstPage(isSilent: boolean): Promise<void> {
    await run(list(undefined), {
      onAnswer(page) {
        pages = mergeFirstPage(pages, page);
        const { status, error } = snapshot;
        const isLoadingMore = isSilent && status === "loading-more";
        // Commands clear the error when they start. Another call may have failed since then.
        const isRecovered = isSilent && status === "failed";
        publish({ status: isLoadingMore ? status : "ready", error: isRecovered ? null : error });
      },
      onFailure: (error) => isSilent || publish({ status: "failed", error }),
    });
  }

  async function loadUsage(isSilent: boolean): Promise<void> {
    if (!settings.usage) return;
    await run<FilesUsage>(
      (transport, signal) => required(transport.usage, "usage_refused").call(transport, signal),
      {
        onAnswer: (usage) => publish({ usage }),
        onFailure: (error) => isSilent || publish({ error }),
      },
    );
  }

  /** For changes of other parts of the page. */
  function createReloads() {
    return throttle(runtime, MIN_RELOAD_INTERVAL_MS, () => reload(true));
  }

  async function reload(isSilent: boolean): Promise<void> {
    await Promise.all([loadFirstPage(isSilent), loadUsage(isSilent)]);
  }

  function onChange(deletedPath: string | undefined) {
    if (deletedPath !== undefined) {
      pages = withoutFile(pages, deletedPath);
      publish({});
    }
    reloads.request();
  }

  /** When the network is back, a list that could not be loaded is loaded without a click. */
  function onConnectionChange() {
    if (!runtime.isOnline() || snapshot.error?.code !== "network_error" || snapshot.status !== "failed")
      return;
    void (pages.nextCursor === null ? refresh() : loadMore());
  }

  function start(): Cancel {
    const started = { controller: new AbortController(), stopListening: onFilesChange(settings, onChange) };
    const stopWatchingConnection = runtime.onConnectionChange(onConnectionChange);
    running = started;
    void reload(false);
    return () => {
      started.controller.abort();
      started.stopListening();
      stopWatchingConnection();
      reloads.cancel();
      reloads = createReloads();
      if (running === started) running = null;
    };
  }

  async function refresh(): Promise<void> {
    publish({ status: "loading", error: null });
    await reload(false);
  }

  async function loadMore(): Promise<void> {
    const { nextCursor } = pages;
    if (nextCursor === null || snapshot.status === "loading" || snapshot.status === "loading-more") return;
    publish({ status: "loading-more", error: null });
    await run(list(nextCursor), {
      onAnswer(page) {
        pages = addPage(pages, nextCursor, page);
        publish({ status: "ready" });
      },
      onFailure: (error) => publish({ status: "failed", error }),
    });
  }

  /** Makes calls whose answer the page waits for. @throws {UploadError} with a message for people */
  async function answerOf<Answer>(
    call: (transport: UploadTransport, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const signal = running?.controller.signal ?? new AbortController().signal;
    try {
      return await call(transportOf(settings, runtime), signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      const { code, status, message: detail } = failureOf(settings, cause);
      throw new UploadError(code, { status, detail, cause });
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    start,
    configure(next) {
      const last = settings;
      settings = next;
      if (running !== null && backendOf(last) !== backendOf(next)) {
        running.stopListening();
        running.stopListening = onFilesChange(next, onChange);
      }
      if (isSameList(last, next)) return;
      pages = NO_PAGES;
      publish({ status: "loading", usage: null, error: null });
      if (running === null) return;
      running.controller.abort();
      running.controller = new AbortController();
      void reload(false);
    },

    refresh,
    loadMore,

    async remove({ file_path: path }) {
      const onDeleted = () => {
        pages = withoutFile(pages, path);
        publish({ error: null });
        announceFilesChange(settings, path);
      };
      await run(
        (transport, signal) =>
          required(transport.delete, "delete_refused").call(transport, { file_path: path }, signal),
        {
          onAnswer: onDeleted,
          // A file that is already gone counts as deleted.
          onFailure: (error) => (error.code === "file_not_found" ? onDeleted() : publish({ error })),
        },
      );
    },

    hrefOf({ file_path }, { version, disposition, reuse, variant } = {}) {
      const transport = transportOf(settings, runtime);
      const query = { file_path, version, disposition, reuse, variant };
      if (transport.downloadHref) return transport.downloadHref(query);
      throw new TypeError("This transport has no addresses of files: use urlOf");
    },

    urlOf: ({ file_path }, { version, disposition, reuse, variant } = {}) =>
      answerOf(async (transport, signal) => {
        const download = required(transport.download, "download_refused");
        const body = { file_path, version, disposition, reuse, variant };
        return (await download.call(transport, body, signal)).presigned_url;
      }),

    urlsOf: (files, { disposition, reuse, variant } = {}) =>
      answerOf(async (transport, signal) => {
        const ask = required(transport.downloads, "download_refused");
        const paths = [...new Set(files.map(({ file_path }) => file_path))];
        const urls = new Map<string, string>();
        for (let start = 0; start < paths.length; start += FILES_PER_CALL) {
          const file_paths = paths.slice(start, start + FILES_PER_CALL);
          const { downloads } = await ask.call(
            transport,
            { file_paths, disposition, reuse, variant },
            signal,
          );
          for (const { file_path, presigned_url } of downloads) urls.set(file_path, presigned_url);
        }
        return urls;
      }),

    ...createLinkCommands(answerOf),
    ...createVersionCommands(answerOf, (path) => announceFilesChange(settings, path)),
  };
}

/** Asks for one page. Asks for further pages while the helper finds no file of this list. */
async function listPage(
  transport: UploadTransport,
  { route, folder, pageSize }: FilesSettings,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<BrowserListResponse> {
  const ask = required(transport.list, "list_refused");
  let page: BrowserListResponse = { files: [], next_cursor: cursor ?? null };
  for (let count = 0; count < MAX_EMPTY_PAGES && page.files.length === 0; count++) {
    const query = { route, folder, limit: pageSize, cursor: page.next_cursor ?? undefined };
    page = await ask.call(transport, query, signal);
    if (page.next_cursor === null) break;
  }
  return page;
}

/**
 * Whether two settings list the same files in the same pages. Two transport objects count as the same backend, because a page may
 * create one with each render.
 */
function isSameList(one: FilesSettings, other: FilesSettings): boolean {
  const names = ["endpoint", "route", "folder", "pageSize", "usage"] as const;
  return !one.transport === !other.transport && names.every((name) => one[name] === other[name]);
}

export function failureOf({ locale, errorMessages }: FilesSettings, cause: unknown): UploadFailure {
  const messages = { ...englishFilesErrors, ...errorMessages };
  return toFailure(cause, { name: "", size: 0 }, {}, { locale, errorMessages: messages }, uploadErrors);
}
