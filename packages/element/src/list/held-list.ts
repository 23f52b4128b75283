import { createUploadStore, type UploadSettings, type UploadStore } from "@stowage/client";
import { defaultListKey, listKeyOf, type StoreCache } from "@stowage/client/internals";

/**
 * The list that an element shows. It outlives the element: uploads continue when the element is removed or moved, and the next
 * element with the same key shows the list.
 */
export class HeldList {
  #held: { cache: StoreCache; key: string; store: UploadStore; unsubscribe: () => void } | undefined;
  /** Fixed at the first settings: an `input` that changes while a person types must not change the list. */
  #defaultKey: string | undefined;
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get store(): UploadStore | undefined {
    return this.#held?.store;
  }

  /** Takes the list of these settings, or keeps it, and passes it the settings. Does nothing while they name no backend. */
  hold(cache: StoreCache, listKey: string | undefined, settings: UploadSettings): void {
    if (settings.endpoint === undefined && settings.transport === undefined) {
      return;
    }
    this.#defaultKey ??= defaultListKey(settings);
    const key = listKeyOf(null, listKey ?? this.#defaultKey);
    if (this.#held?.key !== key || this.#held.cache !== cache) {
      this.release();
      const create = () => createUploadStore(settings);
      const store = cache.claim(key, cache.findFree(key) ?? create(), create);
      this.#held = { cache, key, store, unsubscribe: store.subscribe(this.#onChange) };
    }
    this.#held.store.configure(settings);
  }

  /** Leaves the list to the cache, which ends it when it is no longer needed. */
  release(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.unsubscribe();
    held?.cache.release(held.store);
  }
}
