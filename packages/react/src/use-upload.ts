"use client";

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { createUploadStore, type UploadSettings, type UploadSnapshot } from "./core/upload-store.js";

export type UseUploadOptions = UploadSettings;

export interface UseUploadResult extends UploadSnapshot {
  /** Takes files in and uploads them; one that breaks a limit is listed as failed. */
  add(files: Iterable<File>): void;
  cancel(id: string): void;
  cancelAll(): void;
  /** Starts a failed or cancelled file again. */
  retry(id: string): void;
  /** Takes a file off the list, cancelling it first if need be. What is stored stays stored. */
  remove(id: string): void;
  /** Takes every file off the list that is done, failed or cancelled. */
  clear(): void;
}

/**
 * Uploads files straight to storage, through the helper of `@stowage/server` mounted at `endpoint`. Draws nothing.
 * Uploads under way are cancelled when the component goes.
 *
 * @example
 * const { items, add } = useUpload({ endpoint: "/api/upload", onUploaded: (file) => save(file.file_path) });
 */
export function useUpload(options: UseUploadOptions): UseUploadResult {
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
  return useMemo(() => {
    const { add, cancel, cancelAll, retry, remove, clear } = store;
    return { ...snapshot, add, cancel, cancelAll, retry, remove, clear };
  }, [store, snapshot]);
}
