import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | null = null;

/** Gives back at once what nothing refers to any more. V8 would wait, and the limit of memory does not. */
export async function freeMemory(): Promise<void> {
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  // What a running function refers to is kept.
  await nextTurn();
  collect();
}

/** The memory is not touched, so this costs no memory where it succeeds. */
export function canAllocate(bytes: number): boolean {
  try {
    return Buffer.allocUnsafeSlow(bytes).length === bytes;
  } catch {
    return false;
  }
}
