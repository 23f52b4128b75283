import { expect } from "vitest";
import type { Runtime } from "../src/runtime.js";
import { createUploadStore, type UploadStore } from "../src/store/upload-store.js";
import type { UploadSettings } from "../src/upload-settings.js";
import type { Backend } from "./backend.js";
import { aRuntimeWithoutPauses } from "./runtime.js";

export function aStoreAt(
  backend: Backend,
  settings: Partial<UploadSettings> = {},
  runtime: Runtime = aRuntimeWithoutPauses(),
) {
  return createUploadStore({ endpoint: backend.endpoint, ...settings }, runtime);
}

/** The status of each file of the list. */
export const statuses = (store: UploadStore) => store.getSnapshot().items.map((item) => item.status);

/** Waits until no file is active. */
export const settled = (store: UploadStore) =>
  expect.poll(() => store.getSnapshot().totals.active, { interval: 5 }).toBe(0);

/** Waits until no file is active, and expects these statuses. */
export async function ended(store: UploadStore, ...expected: string[]) {
  await settled(store);
  expect(statuses(store)).toEqual(expected);
}

/** The failure of a failed file. */
export function failureOf(store: UploadStore, index = 0) {
  const item = store.getSnapshot().items[index];
  return item?.status === "failed" ? item.error : undefined;
}

/** Lets the event loop turn so often. A time alone may pass without a single turn when the machine is busy. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Waits long enough for a call that should not happen to reach the backend, which runs in the same process. */
export const aMoment = () => turns(30);
