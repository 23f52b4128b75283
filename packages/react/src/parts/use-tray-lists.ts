import { useState, useSyncExternalStore } from "react";
import type { DetachedList } from "../core/store/store-cache.js";
import { addTotals } from "../core/store/totals.js";
import { useUploadScope } from "./provider.js";

/** The lists without a component that upload, or have uploaded since the tray appeared. */
export function useTrayLists() {
  const { cache } = useUploadScope();
  const detached = useSyncExternalStore(cache.subscribe, cache.getDetached, cache.getDetached);
  const [shown, setShown] = useState<readonly number[]>([]);
  const lists = detached.filter(({ id, store }) => store.isRunning() || shown.includes(id));
  const ids = lists.map(({ id }) => id);
  if (String(ids) !== String(shown)) {
    setShown(ids);
  }
  const [close] = useState(() => () => setShown([]));
  return { lists, isBusy: lists.some(({ store }) => store.isRunning()), close };
}

/** The state and the commands of several lists together. */
export function mergeLists(lists: readonly DetachedList[]) {
  const forAll = (act: (list: DetachedList) => void) => () => {
    for (const list of lists) {
      act(list);
    }
  };
  return {
    items: lists.flatMap(({ snapshot }) => snapshot.items),
    totals: addTotals(lists.map(({ snapshot }) => snapshot.totals)),
    connection:
      lists.find(({ snapshot }) => snapshot.connection !== "online")?.snapshot.connection ?? "online",
    start: forAll(({ store }) => store.start()),
    cancelAll: forAll(({ store }) => store.cancelAll()),
    retryAll: forAll(({ store }) => store.retryAll()),
    clear: forAll(({ store }) => store.clear()),
  };
}
