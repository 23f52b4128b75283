import type { ListedFile } from "./files-settings.js";

/**
 * What the page has changed in a list whose pages are loaded: the file as it is now, or null for one that is no longer in this list.
 * A change ends when the list has loaded the file again.
 */
export type FileChanges = ReadonlyMap<string, { before: ListedFile; now: ListedFile | null }>;

/**
 * Applies the changes of the page to a list, and adds the restored files that it does not have, each at its place.
 *
 * @param files newest first
 */
export function applyChanges(
  files: readonly ListedFile[],
  changes: FileChanges,
  restored: readonly ListedFile[],
): readonly ListedFile[] {
  const result = files.flatMap((file) => {
    const change = changes.get(file.file_path);
    if (change?.before !== file) return [file];
    return change.now ? [change.now] : [];
  });
  for (const file of restored) {
    if (result.some(({ file_path }) => file_path === file.file_path)) continue;
    const index = result.findIndex(({ created_at }) => created_at < file.created_at);
    result.splice(index === -1 ? result.length : index, 0, file);
  }
  return result;
}
