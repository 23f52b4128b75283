"use client";

import {
  type FilesCommands,
  type FilesSettings,
  type FilesSnapshot,
  createFilesStore,
} from "@stowage/client";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";

/** Where `useFiles` gets the list from, and what it shows. */
export type UseFilesOptions = FilesSettings;

/** The stored files of the user, and the commands for them. */
export interface UseFilesResult extends FilesSnapshot, FilesCommands {}

/**
 * Lists the stored files of the signed-in user, page by page, and keeps the list up to date with the uploads of the same `endpoint`
 * or `transport`. The helper must allow it with `allowList`. Calls end when the component unmounts. Renders nothing.
 *
 * @param options may change with every render; other `route`, `pageSize` or `endpoint` load again
 * @returns the same object until the state changes; the commands never change
 * @example
 * const { files, hrefOf, hasMore, loadMore } = useFiles({ endpoint: "/api/upload" });
 */
export function useFiles(options: UseFilesOptions): UseFilesResult {
  const [store] = useState(() => createFilesStore(options));
  useEffect(() => store.configure(options));
  useEffect(() => store.start(), [store]);
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return useMemo(() => ({ ...store, ...snapshot }), [store, snapshot]);
}
