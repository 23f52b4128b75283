"use client";

import type { UploadCommands, UploadSettings, UploadSnapshot, UploadStore } from "@stowage/client";
import { useMemo, useSyncExternalStore } from "react";
import { type ListOptions, useUploadStore } from "./use-upload-store.js";

/** The settings of an upload, and of its list. */
export type UseUploadOptions<Data = unknown> = UploadSettings<Data> & ListOptions;

/** The state of the list, and the commands that change it. */
export interface UseUploadResult<Data = unknown> extends UploadSnapshot<Data>, UploadCommands {}

/**
 * Uploads files straight to storage, through the helper of `@stowage/server` that is mounted at `endpoint`. Renders
 * nothing.
 *
 * The list outlives the component: uploads continue after the unmount, with the options of the last render, and its callbacks are
 * still called. A component that is mounted later with the same `listKey` shows the list again. `Upload.Provider` ends it.
 *
 * @param options may change with every render; each file uses the options at the time it starts
 * @returns the same object until the state changes; the commands never change
 * @example
 * const { items, add } = useUpload({ endpoint: "/api/upload", onUploaded: (file) => save(file.file_path) });
 */
export function useUpload<Data = unknown>(options: UseUploadOptions<Data>): UseUploadResult<Data> {
  // The cache holds lists of all routes. This component passes the same type to the list that it gets back.
  const { store } = useUploadStore(options as UseUploadOptions);
  return useUploadOf(store) as UseUploadResult<Data>;
}

/** The state of a store, and its commands. */
export function useUploadOf(store: UploadStore): UseUploadResult {
  const snapshot = useSyncExternalStore(store.subscribe, store.getSnapshot, store.getServerSnapshot);
  return useMemo(() => ({ ...commandsOf(store), ...snapshot }), [store, snapshot]);
}

function commandsOf({
  subscribe,
  getSnapshot,
  getServerSnapshot,
  configure,
  isRunning,
  ...commands
}: UploadStore): UploadCommands {
  return commands;
}
