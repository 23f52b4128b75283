import { type FileKind, fileStates } from "@stowage/operator-schemas";
import { fileListParams, type FileListSearch } from "../../components/files/file-list-search.js";
import type { Change } from "../../components/list-search.js";
import {
  day,
  oneOf,
  orderedDays,
  type SearchOf,
  searchParams,
  someOf,
  text,
} from "../../components/search-params.js";

export const kinds = ["image", "video", "audio", "pdf", "text", "other"] as const satisfies FileKind[];

const parseParams = searchParams({
  q: text,
  tenantId: text,
  folder: text,
  states: someOf(fileStates),
  kind: oneOf(kinds),
  from: day,
  to: day,
  ...fileListParams,
});

export type FilesSearch = SearchOf<typeof parseParams>;
export type FileFilters = Omit<FilesSearch, keyof FileListSearch>;
export type FilterChange = Change<FileFilters>;

/** Filters, sort order and page of the list of files. Drops `from` and `to` if `from` is after `to`. */
export function validateFilesSearch(search: Record<string, unknown>): FilesSearch {
  return orderedDays(parseParams(search));
}

/** Returns the filters that are set, without sort order and page. */
export function filtersOf(search: FilesSearch): FileFilters {
  const { sort: _sort, order: _order, cursor: _cursor, ...filters } = search;
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
