import type { BrowserRoutesResponse } from "@stowage/schemas";
import { identityOf, limitsOf, refusalOf, type Taken } from "./admission.js";
import { createHttpTransport } from "./http-transport.js";
import { createLine } from "./line.js";
import { errorMessage } from "./messages.js";
import { prepareFile } from "./prepare-file.js";
import { runUpload, type UploadJob, type Whereabouts } from "./run-upload.js";
import { browserRuntime, type Cancel, type Runtime } from "./runtime.js";
import { createSpeedMeter } from "./speed-meter.js";
import { countItem, noCounts, totalsOf } from "./totals.js";
import type { UploadTransport } from "./transport.js";
import { canRetryByHand, UploadError } from "./upload-error.js";
import {
  createSubject,
  type FileSubject,
  isActive,
  itemOf,
  kindOf,
  type UploadFailure,
  type UploadItem,
  type UploadState,
} from "./upload-item.js";
import type { RemoveOptions, UploadCommands, UploadSettings, UploadSnapshot } from "./upload-settings.js";

/** The list of files and their ways. Knows nothing of React: `subscribe` and `getSnapshot` fit any view. */
export interface UploadStore<Data = unknown> extends UploadCommands {
  subscribe(listener: () => void): Cancel;
  getSnapshot(): UploadSnapshot<Data>;
  /** Settings for what happens from now on. */
  configure(settings: UploadSettings<Data>): void;
}

/** One file of the list, with what is not shown of it. */
interface Entry extends Whereabouts {
  subject: FileSubject;
  item: UploadItem;
  /** What the session had taken when this one came: what its limits are held against. */
  taken: Taken;
  /** Of what is sent, once it is known and judged. */
  madeBytes?: number;
  /** Of what is under way for it. Whatever goes on after it was aborted is stale, and writes nothing. */
  run?: AbortController;
}

/**
 * The headless core: a list of files, and all that brings them to storage.
 *
 * @throws {TypeError} for settings without an endpoint or a transport, or with a limit that is no size
 */
export function createUploadStore<Data = unknown>(
  // The answers of the backend are of the type that the page gave; nothing here looks into them.
  settings: UploadSettings<Data>,
  runtime?: Runtime,
): UploadStore<Data>;
export function createUploadStore(initial: UploadSettings, runtime: Runtime = browserRuntime): UploadStore {
  const entries = new Map<string, Entry>();
  // Kept up to date as files change: no change costs a walk over all of them.
  const counts = noCounts();
  const listeners = new Set<() => void>();
  const waiting = new Set<Entry>();
  const running = new Set<Entry>();
  const line = createLine(runtime, transport, startNext);
  const speedOfAll = createSpeedMeter(runtime);
  let settings = initial;
  let routes: BrowserRoutesResponse["routes"] | null = null;
  /** Files of the session that are no longer shown, but stand. */
  let cleared = noCounts();
  /** What came to an end since the page was last told. */
  let news: UploadItem[] = [];
  let deletions = Promise.resolve();
  let lastId = 0;
  let showing: Cancel | null = null;
  let floor = 0;
  let snapshot: UploadSnapshot = {
    items: [],
    totals: totalsOf(counts, 0, null),
    isOffline: false,
    limits: limitsOf(initial),
  };
  transport();

  function transport(): UploadTransport {
    const { endpoint } = settings;
    if (settings.transport) return settings.transport;
    if (endpoint === undefined) throw new TypeError("No endpoint");
    return createHttpTransport({ ...settings, endpoint }, runtime);
  }

  function publish() {
    showing?.();
    showing = null;
    const wasActive = snapshot.totals.active > 0;
    const totals = totalsOf(counts, floor, counts.active > 0 ? speedOfAll(0) : null);
    floor = totals.active > 0 ? totals.progress : 0;
    const items = Array.from(entries.values(), ({ item }) => item);
    snapshot = { ...snapshot, items, totals, isOffline: line.isOffline() };
    for (const listener of listeners) listener();
    const ended = news;
    news = [];
    for (const item of ended) {
      safely(() => {
        if (item.status === "done") settings.onUploaded?.(item.result, item);
        if (item.status === "failed") settings.onFailed?.(item.error, item);
      });
    }
    // A callback may have gone on with the list: what it began or ended has been told, or will be.
    if (wasActive && totals.active + snapshot.totals.active === 0)
      safely(() => settings.onSettled?.(snapshot));
  }

  /** What the network does is shown some times a second; what a person does, at once. */
  function publishSoon() {
    showing ??= runtime.soon(publish);
  }

  /** The page's own mistake is reported as one; the files go on. */
  function safely(run: () => void) {
    try {
      run();
    } catch (error) {
      runtime.after(0, () => {
        throw error;
      });
    }
  }

  function show(entry: Entry, item: UploadItem) {
    countItem(counts, entry.item, -1);
    countItem(counts, item, 1);
    entry.item = item;
    publishSoon();
  }

  function update(
    entry: Entry,
    state: UploadState,
    sentBytes = entry.item.sentBytes,
    speed: number | null = null,
  ) {
    show(entry, itemOf(entry.subject, state, sentBytes, speed));
    if (state.status === "done" || state.status === "failed") news.push(entry.item);
  }

  function drop({ item }: Entry) {
    if (entries.delete(item.id)) countItem(counts, item, -1);
  }

  function failureOf(cause: unknown, { item: { name, size } }: Entry): UploadFailure {
    const error = cause instanceof UploadError ? cause : new UploadError("unexpected_answer", { cause });
    const { code, status, detail } = error;
    const { locale = "en", errorMessages } = settings;
    const { limits } = snapshot;
    const context = { name, size, limits, status, detail, locale };
    return {
      code,
      message: errorMessage(code, context, errorMessages),
      status,
      canRetry: canRetryByHand(code),
    };
  }

  const taken = (): Taken => ({
    files: counts.active + counts.done + cleared.done,
    bytes: counts.totalBytes + cleared.totalBytes,
  });
  /** What `transform` makes may be smaller: the size is judged then, and until then breaks no limit. */
  const judge = ({ name, type, size }: File, before: Taken) =>
    refusalOf({ name, type, size: settings.transform ? NaN : size }, snapshot.limits, before);

  /** Judges a file that has no place yet. */
  function admit(entry: Entry, isDouble?: boolean) {
    const { file } = entry.subject;
    entry.taken = taken();
    const code = isDouble ? "duplicate_file" : judge(file, entry.taken);
    update(
      entry,
      code ? { status: "failed", error: failureOf(new UploadError(code), entry) } : { status: "queued" },
      0,
    );
  }

  function queue(entry: Entry) {
    if (entry.item.status === "queued") waiting.add(entry);
  }

  function startNext() {
    learnRoutes();
    if (line.isOffline() !== snapshot.isOffline) publishSoon();
    line.watch(counts.active > 0);
    for (const entry of waiting) {
      let places = Math.min(settings.concurrency || 6, line.room());
      // Whose bytes are sent already leaves half its place to the next one: confirming is the backend's work, not the line's.
      for (const { item } of running) places -= item.status === "confirming" ? 0.5 : 1;
      if (places <= 0) return;
      waiting.delete(entry);
      void start(entry);
    }
  }

  async function start(entry: Entry) {
    const { signal } = (entry.run = new AbortController());
    let speed = speedOfAll;
    let lastBytes = 0;
    let end: UploadState;
    running.add(entry);

    const report: UploadJob["report"] = (status, sentBytes = 0, retry, error) => {
      if (signal.aborted) return;
      const { item } = entry;
      if (sentBytes === 0) speed = createSpeedMeter(runtime);
      const added = Math.max(0, sentBytes - lastBytes);
      lastBytes = sentBytes;
      speedOfAll(added);
      update(
        entry,
        { status, retry: retry && { ...retry, failure: failureOf(error, entry) } } as UploadState,
        status === "confirming" ? item.size : Math.max(item.sentBytes, sentBytes),
        speed(added),
      );
      if (status === "confirming") startNext();
    };

    /** What the backend is told of a file, judged once more: the route's limits may have come since it was added. */
    function describe(made: File) {
      const { name, type, size } = made;
      const { route, input } = settings;
      const { taken, subject } = entry;
      if (settings.transform) {
        // Sizes come to be known one by one: those before this one are what it is held against.
        taken.bytes = cleared.totalBytes;
        for (const { item, madeBytes = 0 } of entries.values())
          if (item !== entry.item && /^[ad]/.test(kindOf(item))) taken.bytes += madeBytes;
      }
      entry.madeBytes = subject.size = size;
      const code = refusalOf(made, snapshot.limits, taken);
      if (code) throw new UploadError(code);
      return {
        filename: name,
        size,
        content_type: type || undefined,
        route,
        files_before: taken.files,
        input: typeof input === "function" ? (input as (file: File) => unknown)(subject.file) : input,
      };
    }

    try {
      const { result: data, ...result } = await runUpload({
        runtime,
        line,
        transport: transport(),
        signal,
        entry,
        prepare: () => prepareFile(entry.subject.file, settings, signal),
        describe,
        report,
      });
      end = { status: "done", result, data, error: null };
    } catch (cause) {
      end = { status: "failed", error: failureOf(cause, entry) };
    }
    if (!signal.aborted) {
      stop(entry);
      update(entry, end);
    }
    line.wake();
  }

  function stop(entry: Entry) {
    waiting.delete(entry);
    running.delete(entry);
    entry.run?.abort();
  }

  function cancel(entry: Entry) {
    if (!isActive(entry.item)) return;
    stop(entry);
    update(entry, { status: "cancelled" }, 0);
  }

  function retry(entry: Entry) {
    const { item } = entry;
    if (item.status !== "cancelled" && !(item.status === "failed" && item.error.canRetry)) return;
    admit(entry);
    queue(entry);
  }

  const remove =
    (options: RemoveOptions = {}) =>
    (entry: Entry) => {
      if (entry.item.status === "deleting") return;
      cancel(entry);
      if (entry.sentPath && (options.delete ?? settings.deleteOnRemove)) erase(entry, entry.sentPath);
      else drop(entry);
    };

  function erase(entry: Entry, file_path: string) {
    const before = entry.item;
    const { signal } = (entry.run = new AbortController());
    update(entry, { status: "deleting" });
    // One after the other: a thousand at once would be refused.
    deletions = deletions.then(async () => {
      const error = await line
        .persist(
          signal,
          async () =>
            transport().delete?.({ file_path }, signal) ?? Promise.reject(new UploadError("delete_refused")),
        )
        .then(
          () => null,
          (cause: unknown) => failureOf(cause, entry),
        );
      if (signal.aborted) return;
      if (!error || error.code === "file_not_found") drop(entry);
      else show(entry, before.status === "done" ? { ...before, error } : before);
      publishSoon();
    });
  }

  /** Asks once what the route takes. Nothing waits for the answer. */
  function learnRoutes() {
    if (routes || !settings.route) return;
    routes = {};
    const { signal } = new AbortController();
    line
      .persist(signal, async () => transport().routes?.(signal))
      .then(
        (answer) => {
          routes = answer?.routes ?? {};
          limit();
        },
        () => {},
      );
  }

  function limit() {
    const limits = limitsOf(settings, routes?.[`${settings.route}`]);
    if (JSON.stringify(limits) === JSON.stringify(snapshot.limits)) return;
    snapshot = { ...snapshot, limits };
    publish();
  }

  /** Does what a person asked for, with one file or with all. */
  function each(act: (entry: Entry) => unknown, id?: string) {
    for (const entry of entries.values()) if (id === undefined || entry.item.id === id) act(entry);
    settle();
  }
  function settle() {
    line.wake();
    publish();
  }

  return {
    subscribe(listener) {
      learnRoutes();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getSnapshot: () => snapshot,
    configure(next) {
      settings = next;
      limit();
      startNext();
    },
    add(files) {
      const chosen = [...files];
      const { duplicates, autoStart } = settings;
      const seen = new Set<string>();
      // Of a single file, the next choice takes the place of what came to its end; a stored one only yields to a good one.
      if (snapshot.limits.maxFiles === 1 && chosen[0]) {
        const isGood = chosen.some((file) => !judge(file, { files: 0, bytes: 0 }));
        if (isGood) cleared = noCounts();
        for (const entry of entries.values()) {
          const { status } = entry.item;
          if (kindOf(entry.item) === status && (isGood || status !== "done")) drop(entry);
        }
      }
      const isWary = duplicates && duplicates !== "allow";
      const see = ({ item }: Entry) => isWary && /^[ad]/.test(kindOf(item)) && seen.add(identityOf(item));
      entries.forEach(see);
      for (const file of chosen) {
        const subject = createSubject(String(++lastId), file);
        const isDouble = seen.has(identityOf(subject));
        if (isDouble && duplicates === "skip") continue;
        const item = itemOf(subject, { status: "cancelled" }, 0);
        const entry: Entry = { subject, item, taken: taken() };
        entries.set(item.id, entry);
        countItem(counts, item, 1);
        admit(entry, isDouble);
        see(entry);
        if (autoStart !== false) queue(entry);
      }
      floor = 0;
      settle();
    },
    start: () => each(queue),
    cancel: (id) => each(cancel, id),
    cancelAll: () => each(cancel),
    retry: (id) => each(retry, id),
    retryAll: () => each((entry) => entry.item.status === "failed" && retry(entry)),
    remove: (id, options) => each(remove(options), id),
    removeAll: (options) => each(remove(options)),
    clear: () =>
      each((entry) => {
        if (kindOf(entry.item) !== entry.item.status) return;
        // A file that is stored keeps its place in the session, shown or not.
        countItem(cleared, entry.item, 1);
        drop(entry);
      }),
    reset() {
      cleared = noCounts();
      each((entry) => {
        stop(entry);
        drop(entry);
      });
    },
  };
}
