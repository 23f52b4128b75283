import type { IndexEntry, KeyIndex } from "./key-index.js";
import { compareKeys } from "./key-index.js";

/** The last listed item: a key, or a common prefix that stands for all keys under it. */
export interface ListPosition {
  readonly kind: "key" | "prefix";
  readonly name: string;
}

export type ListedItem =
  | { readonly kind: "key"; readonly name: string; readonly entry: IndexEntry }
  | { readonly kind: "prefix"; readonly name: string };

export interface ListRequest {
  readonly prefix: string;
  readonly delimiter: string | undefined;
  readonly limit: number;
  readonly after: ListPosition | undefined;
}

/**
 * One page of a listing in UTF-8 order: keys under `prefix`, those with `delimiter` past it rolled into common
 * prefixes. `next` is the start of the following page, if there is one. The cost depends on the page, not on the size of the bucket.
 */
export function listPage(
  index: KeyIndex,
  request: ListRequest,
): { items: ListedItem[]; next?: ListPosition } {
  const { prefix, delimiter, limit, after } = request;
  const items: ListedItem[] = [];
  if (limit === 0) return { items };
  let position = index.findFirst(
    (key) => compareKeys(key, prefix) < 0 || (after !== undefined && !isAfter(key, after)),
  );
  for (;;) {
    const entry = index.at(position);
    if (!entry?.key.startsWith(prefix)) return { items };
    const last = items.at(-1);
    if (items.length === limit && last) return { items, next: { kind: last.kind, name: last.name } };
    const cut = delimiter === undefined ? -1 : entry.key.indexOf(delimiter, prefix.length);
    if (delimiter === undefined || cut < 0) {
      items.push({ kind: "key", name: entry.key, entry });
      position += 1;
    } else {
      const name = entry.key.slice(0, cut + delimiter.length);
      items.push({ kind: "prefix", name });
      position = index.findFirst((key) => !isAfter(key, { kind: "prefix", name }));
    }
  }
}

function isAfter(key: string, { kind, name }: ListPosition): boolean {
  return compareKeys(key, name) > 0 && !(kind === "prefix" && key.startsWith(name));
}
