"use client";

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { UploadCommands, UploadSettings, UploadSnapshot } from "./core/upload-settings.js";
import { createUploadStore } from "./core/store/upload-store.js";

export type UseUploadOptions<Data = unknown> = UploadSettings<Data>;

/** What the list shows, and what can be done with it. */
export interface UseUploadResult<Data = unknown> extends UploadSnapshot<Data>, UploadCommands {}

/**
 * Uploads files straight to storage, through the helper of `@stowage/server` mounted at `endpoint`. Draws nothing.
 * Uploads under way are cancelled when the component goes.
 *
 * @example
 * const { items, add } = useUpload({ endpoint: "/api/upload", onUploaded: (file) => save(file.file_path) });
 */
export function useUpload<Data = unknown>(options: UseUploadOptions<Data>): UseUploadResult<Data> {
  const [store] = useState(() => createUploadStore(options));
  useEffect(() => store.configure(options));
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(leaving.current);
    return () => {
      // StrictMode and fast refresh unmount and mount again in one go: only who stays away has gone.
      leaving.current = setTimeout(store.cancelAll);
    };
  }, [store]);
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return useMemo(() => ({ ...store, ...snapshot }), [store, snapshot]);
}
