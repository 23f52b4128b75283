"use client";

import {
  createFolderStore,
  type FolderCommands,
  type FolderSettings,
  type FolderSnapshot,
} from "@stowage/client";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";

/** Which folder `useFolder` shows, and where it comes from. */
export type UseFolderOptions = FolderSettings;

/** A folder of the user's stored files, and the commands for it. */
export interface UseFolderResult extends FolderSnapshot, FolderCommands {}

/**
 * Lists one folder of the signed-in user: the folders in it, then its files, newest first. It follows uploads as `useFiles` does. The helper
 * must allow it with `allowList` and `allowFolders`. Renders nothing.
 *
 * @param options may change with every render; another `folder` or `endpoint` loads again
 * @returns the same object until the state changes; the commands never change
 * @example
 * const { folders, files, update } = useFolder({ endpoint: "/api/upload", folder: "reports" });
 */
export function useFolder(options: UseFolderOptions): UseFolderResult {
  const [store] = useState(() => createFolderStore(options));
  useEffect(() => store.configure(options));
  useEffect(() => store.start(), [store]);
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getSnapshot);
  return useMemo(() => ({ ...store, ...snapshot }), [store, snapshot]);
}
