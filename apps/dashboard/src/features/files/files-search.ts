import type { FileStatus } from "@stowage/schemas";
import type { FileKind, FileSort, SortOrder } from "@stowage/schemas/dashboard";

/*
 * What of the list of files lives in its address: the filters, the order and the page, by the names that the service has for
 * them.
 */

export interface FilesSearch {
  q?: string;
  tenantId?: string;
  statuses?: FileStatus[];
  kind?: FileKind;
  from?: string;
  to?: string;
  sort?: FileSort;
  order?: SortOrder;
  cursor?: string;
}

export type FileFilters = Omit<FilesSearch, "sort" | "order" | "cursor">;
/** Undefined takes a filter away. */
export type FilterChange = { [Name in keyof FileFilters]?: FileFilters[Name] | undefined };

/** A file that is being deleted is in no list. */
export const listedStatuses = ["stored", "pending", "expired"] as const satisfies FileStatus[];
export const kinds = ["image", "video", "audio", "pdf", "text", "other"] as const satisfies FileKind[];
const sorts = ["created_at", "filename", "size"] as const satisfies FileSort[];

/** Whatever else an address says is left out, so that a mistyped one is still a list. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const { q, tenantId, statuses, kind, from, to, sort, order, cursor } = search;
  const days = { from: asDay(from), to: asDay(to) };
  const isBackwards = days.from !== undefined && days.to !== undefined && days.from > days.to;
  return withoutEmpty({
    q: asText(q),
    tenantId: asText(tenantId),
    statuses: listedStatuses.filter((status) => asList(statuses).includes(status)),
    kind: kinds.find((name) => name === kind),
    ...(isBackwards ? {} : days),
    sort: sorts.find((name) => name === sort),
    order: order === "asc" || order === "desc" ? order : undefined,
    cursor: asText(cursor),
  });
}

type Loose<Search> = { [Name in keyof Search]?: Search[Name] | undefined };

/** An address says nothing that it would also mean without. */
export function withoutEmpty(search: Loose<FilesSearch>): FilesSearch {
  const said = Object.entries(search).filter(
    ([, value]) => value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said) as FilesSearch;
}

/** As much of a search as leaves files out. */
export function filtersOf({ sort: _, order: __, cursor: ___, ...filters }: FilesSearch): FileFilters {
  return filters;
}

/** The router reads a text that is all digits as a number. */
function asText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function asDay(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value ? undefined : value;
}
