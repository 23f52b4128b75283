import type { UploadSnapshot } from "@stowage/client";
import { addTotals, type DetachedList } from "@stowage/client/internals";
import type { listView } from "@stowage/client/internals/list";
import { useCallback, useState, useSyncExternalStore } from "react";
import { useUploadScope } from "./provider.js";

/**
 * The user's lists without a component that upload, that have uploaded since the tray appeared, or that have uploads to
 * continue.
 */
export function useTrayLists() {
  const { cache, user } = useUploadScope();
  const detached = useSyncExternalStore(cache.subscribe, cache.getDetached, getNone);
  const own = detached.filter((list) => list.user === user);
  const [shown, setShown] = useState<readonly number[]>([]);
  const [closed, setClosed] = useState<readonly number[]>([]);
  const canContinue = ({ id, snapshot }: DetachedList) =>
    snapshot.resumable.length > 0 && !closed.includes(id);
  const lists = own.filter((list) => list.isRunning || shown.includes(list.id) || canContinue(list));
  const ids = lists.map(({ id }) => id);
  if (String(ids) !== String(shown)) {
    setShown(ids);
  }
  const close = useCallback(() => {
    setShown([]);
    setClosed(cache.getDetached().map(({ id }) => id));
  }, [cache]);
  return { lists, isBusy: lists.some(({ isRunning }) => isRunning), close };
}

const NONE: readonly DetachedList[] = [];
/** A server has no lists, and React compares its page with the first render in the browser. */
const getNone = () => NONE;

type MergedLists = Parameters<typeof listView>[0] & Pick<UploadSnapshot, "connection">;

/** The state and the commands of several lists together. */
export function mergeLists(lists: readonly DetachedList[]): MergedLists {
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
    pauseAll: forAll(({ store }) => store.pauseAll()),
    resumeAll: forAll(({ store }) => store.resumeAll()),
    cancelAll: forAll(({ store }) => store.cancelAll()),
    retryAll: forAll(({ store }) => store.retryAll()),
    clear: forAll(({ store }) => store.clear()),
  };
}
