import type { UploadItem } from "../core/upload-item.js";

/**
 * A second `photo.jpg` is spoken of as `photo.jpg (2)`: two buttons of one name cannot be told apart by ear. A file
 * keeps its name when another goes.
 */
export function createUniqueNames(): (item: UploadItem) => string {
  const owners = new Map<string, string>();
  return ({ id, name, path }) => {
    let unique = path || name;
    for (let count = 2; (owners.get(unique) ?? id) !== id; count++) unique = `${path || name} (${count})`;
    owners.set(unique, id);
    return unique;
  };
}
