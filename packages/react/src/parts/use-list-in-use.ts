import { createListUse } from "@stowage/client/internals/list";
import { useEffect, useReducer, useState } from "react";
import { useReadValue } from "./use-read-value.js";

/** Tells whether a person reads or uses the list, so that no row may move. Renders the list again when this ends. */
export function useListInUse(list: HTMLElement | null): boolean {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [use] = useState(createListUse);
  useEffect(() => (list === null ? undefined : use.watch(list, render)), [list, use]);
  return useReadValue(() => list !== null && use.isInUse(list), false);
}
