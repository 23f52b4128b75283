"use client";

import { defaultUploadClient, type UploadClient } from "@stowage/client";
import { createStoreCache, storeCacheOf, type StoreCache, type UploadUser } from "@stowage/client/internals";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

/** Props of `Upload.Provider`. */
export interface UploadProviderProps {
  /** @default a client that ends with this component */
  client?: UploadClient | undefined;
  /**
   * Identifies the signed-in user. When it changes, all uploads of the previous user are cancelled, and their lists are gone
   * before the next user sees the page.
   */
  user?: string | number | null | undefined;
  children?: ReactNode;
}

/**
 * Decides how long the lists of the uploads inside live. Without it, they live as long as the page, or until no upload has run
 * for five minutes after their component was unmounted.
 *
 * @example <Upload.Provider user={session.userId}><App /></Upload.Provider>
 */
export function UploadProvider({ client, user = null, children }: UploadProviderProps) {
  const [own] = useState(() => createStoreCache());
  const cache = client ? storeCacheOf(client) : own;
  const scope = useMemo(() => ({ cache, user }), [cache, user]);

  const lastUser = useRef(user);
  useIsomorphicLayoutEffect(() => {
    if (lastUser.current !== user) cache.clear();
    // The client may be older than this component, and another user may have left lists in it.
    else if (user !== null) cache.dropOtherUsers(user);
    lastUser.current = user;
  }, [cache, user]);

  const unmountTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(unmountTimer.current);
    return () => {
      // StrictMode and fast refresh unmount and mount again in the same task, which must not cancel anything.
      unmountTimer.current = setTimeout(own.clear);
    };
  }, [own]);
  return <ScopeContext.Provider value={scope}>{children}</ScopeContext.Provider>;
}

interface Scope {
  cache: StoreCache;
  user: UploadUser;
}

const ScopeContext = /* @__PURE__ */ createContext<Scope>({
  cache: /* @__PURE__ */ storeCacheOf(defaultUploadClient),
  user: null,
});

/** The cache of the nearest `Upload.Provider`, or else of the page, and the user that its keys contain. */
export const useUploadScope = (): Scope => useContext(ScopeContext);
