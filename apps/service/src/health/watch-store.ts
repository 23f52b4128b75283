import type { Bucket } from "#object-store/object-store.js";
import { type CallEnd, timeCall } from "#lib/time-call.js";

/** The calls that are watched. The setup of CORS rules is not: only the command line uses it. */
export const watchedOperations = [
  "head",
  "read",
  "write",
  "copyFrom",
  "remove",
  "list",
  "createMultipart",
  "listParts",
  "completeMultipart",
  "abortMultipart",
  "listMultiparts",
  "check",
] as const;
export type StoreOperation = (typeof watchedOperations)[number];

/** Returns the same bucket, which also reports the end of each request: `error` if storage did not answer it or refused it. */
export function watchStore(store: Bucket, onEnd: (operation: StoreOperation, end: CallEnd) => void): Bucket {
  const watched = watchedOperations.map((operation) => {
    const send = store[operation] as (...args: unknown[]) => Promise<unknown>;
    const watch = (...args: unknown[]) =>
      timeCall(
        () => send(...args),
        (end) => onEnd(operation, end),
      );
    return [operation, watch];
  });
  return { ...store, ...(Object.fromEntries(watched) as Pick<Bucket, StoreOperation>) };
}
