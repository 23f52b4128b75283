import type { UploadItem } from "@stowage/client";
import { nameFiles, NO_NAMES, uniqueNameOf } from "@stowage/client/internals/list";
import { useState } from "react";

/** Gives each file of a list a name that no other one has. A file keeps its name when another one is removed. */
export function useUniqueNames(items: readonly UploadItem[]): (item: UploadItem) => string {
  const [last, setLast] = useState(NO_NAMES);
  const names = nameFiles(last, items);
  if (names !== last) {
    setLast(names);
  }
  return (item) => uniqueNameOf(names, item);
}
