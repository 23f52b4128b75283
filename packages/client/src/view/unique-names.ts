import type { UploadItem } from "../upload-item.js";

/**
 * Numbers files of the same name: the second `photo.jpg` becomes `photo.jpg (2)`, because a screen reader user could
 * not tell two buttons of the same name apart. A file keeps its name when another one is removed.
 */
export function createUniqueNames(): (item: UploadItem) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  /** Files so far of each name: a folder may have thousands of the same name. */
  const counts = new Map<string, number>();
  return ({ id, name, path }) => {
    const base = path || name;
    // With its name: the page may switch to another list, whose files have the same ids.
    const key = `${id} ${base}`;
    const known = names.get(key);
    if (known !== undefined) {
      return known;
    }
    let count = (counts.get(base) ?? 0) + 1;
    let unique = count === 1 ? base : `${base} (${count})`;
    while (taken.has(unique)) {
      count++;
      unique = `${base} (${count})`;
    }
    counts.set(base, count);
    taken.add(unique);
    names.set(key, unique);
    return unique;
  };
}
