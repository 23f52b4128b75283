import type { BrowserListResponse } from "@stowage/schemas";
import type { ListedFile } from "./files-settings.js";

/** The pages that are loaded, as one list. */
export interface FilesPages {
  readonly files: readonly ListedFile[];
  /** Where the next page starts; null at the end. */
  readonly nextCursor: string | null;
}

export const NO_PAGES: FilesPages = { files: [], nextCursor: null };

/**
 * Puts a fresh first page in front of the pages that are loaded, so that a list which a person has paged through stays as long as it
 * is. If so much is new that the page does not reach the old files, the list starts again with this page.
 */
export function mergeFirstPage(pages: FilesPages, { files, next_cursor }: BrowserListResponse): FilesPages {
  const last = files.at(-1)?.file_path;
  const index = pages.files.findIndex(({ file_path }) => file_path === last);
  if (next_cursor === null || index === -1) return { files, nextCursor: next_cursor };
  return { ...pages, files: [...files, ...pages.files.slice(index + 1)] };
}

/** Adds the page that `cursor` asked for, unless the list has started again meanwhile. */
export function addPage(
  pages: FilesPages,
  cursor: string,
  { files, next_cursor }: BrowserListResponse,
): FilesPages {
  if (pages.nextCursor !== cursor) return pages;
  const known = new Set(pages.files.map(({ file_path }) => file_path));
  const added = files.filter(({ file_path }) => !known.has(file_path));
  return { files: [...pages.files, ...added], nextCursor: next_cursor };
}

export function withoutFile(pages: FilesPages, path: string): FilesPages {
  return { ...pages, files: pages.files.filter(({ file_path }) => file_path !== path) };
}
