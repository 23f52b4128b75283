import type { FilesSearch } from "./files-search.js";

/** Where the whole list that is shown is read as CSV: all pages of it. */
export function csvUrl(projectRef: string, { cursor: _, statuses, ...search }: FilesSearch): string {
  const query = new URLSearchParams({
    projectRef,
    ...search,
    ...(statuses ? { statuses: statuses.join(",") } : {}),
  });
  return `/dashboard/export/files.csv?${query}`;
}
