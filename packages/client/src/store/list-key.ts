import type { UploadTransport } from "../transport.js";
import type { UploadSettings } from "../upload-settings.js";
import type { UploadUser } from "./store-cache.js";

/** The key of a list in the cache of stores. It contains the user, so that no user gets a list of another one. */
export const listKeyOf = (user: UploadUser, listKey: string): string => JSON.stringify([user, listKey]);

/**
 * The key of a list whose page names none. A component computes it when it is mounted: an `input` that changes while a person types
 * must not change the list.
 */
export function defaultListKey({ endpoint, transport, route, input }: UploadSettings): string {
  return JSON.stringify([transport ? idOf(transport) : endpoint, route, textOf(input)]);
}

const transportIds = new WeakMap<UploadTransport, number>();
let lastTransportId = 0;

function idOf(transport: UploadTransport): number {
  const id = transportIds.get(transport) ?? ++lastTransportId;
  transportIds.set(transport, id);
  return id;
}

/** Empty for an input that has no text, such as a function. */
function textOf(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}
