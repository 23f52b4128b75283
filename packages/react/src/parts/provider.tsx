"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import {
  createStoreCache,
  type StoreCache,
  type StoreCacheOptions,
  type UploadUser,
} from "../core/store/store-cache.js";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

/** Holds the lists of a page. Create it outside of components to end the lists from code that is not a component. */
export interface UploadClient {
  /**
   * Cancels all uploads and empties all lists. Deletes no stored file on the server. Call it before the user signs out: the
   * backend can cancel the uploads only with the session of their user.
   */
  clear(): void;
}

export type UploadClientOptions = StoreCacheOptions;

/** @example const uploads = createUploadClient(); // <Upload.Provider client={uploads}> … uploads.clear() */
export function createUploadClient(options: UploadClientOptions = {}): UploadClient {
  return createStoreCache(options);
}

export interface UploadProviderProps {
  /** @default a client that ends with this component */
  client?: UploadClient | undefined;
  /**
   * Identifies the signed-in user. When it changes, all uploads of the former user are cancelled, and their lists are gone
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
  // The only way to a client is createUploadClient.
  const cache = (client as StoreCache | undefined) ?? own;
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

/** On a server it stays empty: only effects put stores into a cache, and effects run in browsers only. */
const pageCache = /* @__PURE__ */ createStoreCache();

/** Holds the lists of all components that are in no `Upload.Provider`. */
export const defaultUploadClient: UploadClient = pageCache;

const ScopeContext = /* @__PURE__ */ createContext<Scope>({ cache: pageCache, user: null });

/** The cache of the nearest `Upload.Provider`, or else of the page, and the user that its keys contain. */
export const useUploadScope = (): Scope => useContext(ScopeContext);
