"use client";

import { createUploadStore, type UploadSettings, type UploadStore } from "@stowage/client";
import { defaultListKey, listKeyOf, type StoreCache } from "@stowage/client/internals";
import { useEffect, useRef, useState } from "react";
import { useUploadScope } from "./parts/provider.js";
import { useIsomorphicLayoutEffect } from "./parts/use-isomorphic-layout-effect.js";

export interface ListOptions {
  /**
   * Identifies the list. A component that is mounted later with the same key shows the same list. Two components that are
   * mounted at the same time have a list each.
   *
   * @default the endpoint (or the transport object), the route, and the `input` at the time of the mount
   */
  listKey?: string | undefined;
}

interface Held {
  cache: StoreCache;
  key: string;
  store: UploadStore;
  /** Another number for each other store that the component gets. */
  version: number;
}

/**
 * The store of a component. It stays in the cache when the component unmounts. Rendering changes nothing outside of the
 * component, so a render that React throws away leaves nothing behind.
 */
export function useUploadStore(options: UploadSettings & ListOptions): Pick<Held, "store" | "version"> {
  const { cache, user } = useUploadScope();
  const [defaultKey] = useState(() => defaultListKey(options));
  const key = listKeyOf(user, options.listKey ?? defaultKey);
  const find = (version: number): Held => {
    return { cache, key, store: cache.findFree(key) ?? createUploadStore(options), version };
  };
  const [state, setHeld] = useState(() => find(0));
  let held = state;
  if (held.key !== key || held.cache !== cache) {
    held = find(held.version + 1);
    setHeld(held);
  }

  const { store, version } = held;
  const claimed = useRef<UploadStore>(undefined);
  const latestOptions = useRef(options);
  useIsomorphicLayoutEffect(() => {
    latestOptions.current = options;
  });
  useIsomorphicLayoutEffect(() => {
    const own = cache.claim(key, store, () => createUploadStore(latestOptions.current), user);
    claimed.current = own;
    if (own !== store) setHeld({ cache, key, store: own, version: version + 1 });
    return () => cache.release(own);
  }, [cache, key, user, store, version]);
  // Not `store`: another component may have been faster.
  useEffect(() => claimed.current?.configure(options));
  return { store, version };
}
