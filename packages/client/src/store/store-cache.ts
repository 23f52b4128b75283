import { browserRuntime, type Cancel, type Runtime } from "../runtime.js";
import type { UploadSnapshot } from "../upload-settings.js";
import type { UploadStore } from "./upload-store.js";

/** The signed-in user, as the page names it; null if the page names none. */
export type UploadUser = string | number | null;

/** A list that no component shows at the moment. */
export interface DetachedList {
  readonly id: number;
  /** Whose list it is. */
  readonly user: UploadUser;
  readonly store: UploadStore;
  readonly snapshot: UploadSnapshot;
  /** Whether a file is uploaded, waits for its turn or is paused. */
  readonly isRunning: boolean;
}

export interface StoreCacheOptions {
  /**
   * How long a list without running uploads is kept after its component was unmounted, in milliseconds.
   *
   * @default 300_000
   */
  keepMs?: number | undefined;
}

/** Detached lists that are kept without running uploads. The list that was left first is released first. */
const MAX_KEPT = 20;

/**
 * Holds the stores of a page, so that they outlive the components that show them. One store belongs to at most one component
 * at a time. A store without a component is released when it is empty, or when no upload has run for `keepMs`.
 */
export function createStoreCache(
  { keepMs = 300_000 }: StoreCacheOptions = {},
  runtime: Pick<Runtime, "after"> = browserRuntime,
) {
  const entries = new Map<UploadStore, Entry>();
  const listeners = new Set<() => void>();
  let detached: readonly DetachedList[] = [];
  let lastId = 0;

  const findFree = (key: string): UploadStore | undefined =>
    [...entries.values()].find((entry) => entry.key === key && !entry.isClaimed)?.store;

  function claim(
    key: string,
    wanted: UploadStore,
    create: () => UploadStore,
    user: UploadUser = null,
  ): UploadStore {
    const isTaken = entries.get(wanted)?.isClaimed ?? false;
    const store = isTaken ? (findFree(key) ?? create()) : wanted;
    const entry = entries.get(store) ?? { id: ++lastId, user, key, store, stop: () => {}, isClaimed: true };
    entry.stop();
    entry.isClaimed = true;
    entries.set(store, entry);
    publish();
    return store;
  }

  function release(store: UploadStore) {
    const entry = entries.get(store);
    if (!entry) return;
    entry.isClaimed = false;
    // The store that was left last is the last one.
    entries.delete(store);
    entries.set(store, entry);
    watch(entry);
    publish();
  }

  /** Drops a store without a component when it is no longer needed. */
  function watch(entry: Entry) {
    const { store } = entry;
    let cancelTimer: Cancel | null = null;
    const check = () => {
      const isRunning = store.isRunning();
      const { items, resumable } = store.getSnapshot();
      if (!isRunning && items.length + resumable.length === 0) return drop(entry);
      if (isRunning) cancelTimer?.();
      cancelTimer = isRunning ? null : (cancelTimer ?? runtime.after(keepMs, () => drop(entry)));
      dropOldest();
      publish();
    };
    const unsubscribe = store.subscribe(check);
    entry.stop = () => {
      unsubscribe();
      cancelTimer?.();
    };
    check();
  }

  function dropOldest() {
    const kept = [...entries.values()].filter(({ isClaimed, store }) => !isClaimed && !store.isRunning());
    for (const entry of kept.slice(0, Math.max(0, kept.length - MAX_KEPT))) drop(entry);
  }

  function drop(entry: Entry) {
    entry.stop();
    if (entries.delete(entry.store)) entry.store.reset();
    publish();
  }

  function publish() {
    detached = [...entries.values()]
      .filter(({ isClaimed }) => !isClaimed)
      .map(({ id, user, store }) => ({
        id,
        user,
        store,
        snapshot: store.getSnapshot(),
        isRunning: store.isRunning(),
      }));
    for (const listener of listeners) listener();
  }

  return {
    /** The store of a key that no component has at the moment. */
    findFree,
    /**
     * Gives a store to a component. Returns another one if a second component of the same key took `wanted` first.
     *
     * @param key contains the user, so that no user gets a store of another one
     * @param create makes a store if there is none
     */
    claim,
    /** The component no longer shows the store. */
    release,
    subscribe(listener: () => void): Cancel {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    getDetached: () => detached,
    /** Ends the lists that other users have left. Lists without a user stay. */
    dropOtherUsers(user: UploadUser) {
      for (const entry of entries.values()) {
        if (!entry.isClaimed && entry.user !== null && entry.user !== user) drop(entry);
      }
    },
    /** Cancels all uploads and empties all lists. Deletes no stored file on the server. */
    clear() {
      for (const entry of entries.values()) {
        if (entry.isClaimed) entry.store.reset();
        else drop(entry);
      }
    },
  };
}

export type StoreCache = ReturnType<typeof createStoreCache>;

interface Entry {
  readonly id: number;
  readonly user: UploadUser;
  readonly key: string;
  readonly store: UploadStore;
  /** Whether a component shows the store. */
  isClaimed: boolean;
  /** Ends the watch of a store without a component. */
  stop: Cancel;
}
