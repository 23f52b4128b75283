import { createListUse } from "@stowage/client/internals";
import { useEffect, useReducer, useState } from "react";

/** Tells whether a person reads or uses the list, so that no row may move. Renders the list again when this ends. */
export function useListInUse(list: HTMLElement | null): boolean {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [use] = useState(() => createListUse(render));
  useEffect(() => (list === null ? undefined : use.watch(list)), [list, use]);
  return list !== null && use.isInUse(list);
}
