import type { UploadItem } from "../upload-item.js";

/** The names of the files of a list, each of them once. Files that were removed keep theirs. */
export interface UniqueNames {
  readonly byKey: ReadonlyMap<string, string>;
  readonly taken: ReadonlySet<string>;
  /** Files so far of each name: a folder may have thousands of the same name. */
  readonly counts: ReadonlyMap<string, number>;
}

export const NO_NAMES: UniqueNames = {
  byKey: /* @__PURE__ */ new Map(),
  taken: /* @__PURE__ */ new Set(),
  counts: /* @__PURE__ */ new Map(),
};

/**
 * Numbers files of the same name: the second `photo.jpg` becomes `photo.jpg (2)`, because a screen reader user could
 * not tell two buttons of the same name apart. A file keeps its name when another one is removed.
 *
 * @returns `last` if it has the names of all files
 */
export function nameFiles(last: UniqueNames, items: readonly UploadItem[]): UniqueNames {
  const added = items.filter((item) => !last.byKey.has(keyOf(item)));
  if (added.length === 0) {
    return last;
  }
  const byKey = new Map(last.byKey);
  const taken = new Set(last.taken);
  const counts = new Map(last.counts);
  for (const item of added) {
    const base = item.path || item.name;
    let count = (counts.get(base) ?? 0) + 1;
    let unique = count === 1 ? base : `${base} (${count})`;
    while (taken.has(unique)) {
      count++;
      unique = `${base} (${count})`;
    }
    counts.set(base, count);
    taken.add(unique);
    byKey.set(keyOf(item), unique);
  }
  return { byKey, taken, counts };
}

/** The name of a file that was passed to {@link nameFiles}. */
export const uniqueNameOf = (names: UniqueNames, item: UploadItem): string =>
  names.byKey.get(keyOf(item)) ?? item.name;

/** With its name: the page may switch to another list, whose files have the same ids. */
const keyOf = ({ id, name, path }: UploadItem): string => `${id} ${path || name}`;
