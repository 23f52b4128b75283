import { expect, vi } from "vitest";
import type { Runtime } from "../src/core/runtime.js";
import type { UploadSettings } from "../src/core/upload-settings.js";
import { createUploadStore, type UploadStore } from "../src/core/store/upload-store.js";
import type { Backend } from "./backend.js";
import { aHurriedRuntime } from "./runtime.js";

export function aStoreAt(
  backend: Backend,
  settings: Partial<UploadSettings> = {},
  runtime: Runtime = aHurriedRuntime(),
) {
  return createUploadStore({ endpoint: backend.endpoint, ...settings }, runtime);
}

export const statuses = (store: UploadStore) => store.getSnapshot().items.map((item) => item.status);

export const settled = (store: UploadStore) =>
  vi.waitFor(() => expect(store.getSnapshot().totals.active).toBe(0), { timeout: 5000, interval: 5 });

export async function ended(store: UploadStore, ...expected: string[]) {
  await settled(store);
  expect(statuses(store)).toEqual(expected);
}

export function failureOf(store: UploadStore, index = 0) {
  const item = store.getSnapshot().items[index];
  return item?.status === "failed" ? item.error : undefined;
}

/** Long enough for anything that still goes on to show itself. */
export const aMoment = () => new Promise((resolve) => setTimeout(resolve, 30));
