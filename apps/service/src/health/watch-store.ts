import type { ObjectStore } from "#object-store/object-store.js";

/** Returns the same store, which also calls `onFailure` for each request that storage did not answer or refused. */
export function watchStore(store: ObjectStore, onFailure: () => void): ObjectStore {
  const watched =
    <Args extends unknown[], Answer>(send: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      try {
        return await send(...args);
      } catch (error) {
        onFailure();
        throw error;
      }
    };
  return {
    ...store,
    head: watched(store.head),
    read: watched(store.read),
    remove: watched(store.remove),
    list: watched(store.list),
    createMultipart: watched(store.createMultipart),
    listParts: watched(store.listParts),
    completeMultipart: watched(store.completeMultipart),
    abortMultipart: watched(store.abortMultipart),
    listMultiparts: watched(store.listMultiparts),
    check: watched(store.check),
  };
}
