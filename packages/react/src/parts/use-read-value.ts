import { useSyncExternalStore } from "react";

/**
 * Reads a value of the page with each render, such as a style of an element. React and its compiler know then that the value may be
 * another one each time.
 *
 * @param read returns a text, a number or a boolean
 * @param serverValue what a server renders
 */
export function useReadValue<Value extends string | number | boolean>(
  read: () => Value,
  serverValue: Value,
): Value {
  return useSyncExternalStore(neverTold, read, () => serverValue);
}

/** The component is rendered again by other means. */
const neverTold = () => () => {};
