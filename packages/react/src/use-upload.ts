"use client";

import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { UploadCommands, UploadSettings, UploadSnapshot } from "./core/upload-settings.js";
import { createUploadStore } from "./core/store/upload-store.js";

export type UseUploadOptions<Data = unknown> = UploadSettings<Data>;

/** The state of the list, and the commands that change it. */
export interface UseUploadResult<Data = unknown> extends UploadSnapshot<Data>, UploadCommands {}

/**
 * Uploads files straight to storage, through the helper of `@stowage/server` that is mounted at `endpoint`. Renders
 * nothing. Active uploads are cancelled when the component unmounts.
 *
 * @param options may change with every render; each file uses the options at the time it starts
 * @returns the same object until the state changes; the commands never change
 * @example
 * const { items, add } = useUpload({ endpoint: "/api/upload", onUploaded: (file) => save(file.file_path) });
 */
export function useUpload<Data = unknown>(options: UseUploadOptions<Data>): UseUploadResult<Data> {
  const [store] = useState(() => createUploadStore(options));
  useEffect(() => store.configure(options));
  const unmountTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    clearTimeout(unmountTimer.current);
    return () => {
      // StrictMode and fast refresh unmount and mount again in the same task, which must not cancel anything.
      unmountTimer.current = setTimeout(store.cancelAll);
    };
  }, [store]);
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return useMemo(() => ({ ...store, ...snapshot }), [store, snapshot]);
}
