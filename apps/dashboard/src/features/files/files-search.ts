import type { FileStatus } from "@stowage/schemas";
import type { FileKind } from "@stowage/schemas/dashboard";
import { type FileOrder, readFileOrder } from "../../components/files/file-order.js";
import { asText, type Change, withoutEmpty } from "../../components/list-search.js";

/*
 * What of the list of files lives in its address: the filters, the order and the page, by the names that the service has for
 * them.
 */

export interface FilesSearch extends FileOrder {
  q?: string;
  tenantId?: string;
  statuses?: FileStatus[];
  kind?: FileKind;
  from?: string;
  to?: string;
}

export type FileFilters = Omit<FilesSearch, keyof FileOrder>;
export type FilterChange = Change<FileFilters>;

/** A file that is being deleted is in no list. */
export const listedStatuses = ["stored", "pending", "expired"] as const satisfies FileStatus[];
export const kinds = ["image", "video", "audio", "pdf", "text", "other"] as const satisfies FileKind[];

/** Whatever else an address says is left out, so that a mistyped one is still a list. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const { q, tenantId, statuses, kind, from, to } = search;
  const days = { from: asDay(from), to: asDay(to) };
  const isBackwards = days.from !== undefined && days.to !== undefined && days.from > days.to;
  return withoutEmpty<FilesSearch>({
    q: asText(q),
    tenantId: asText(tenantId),
    statuses: listedStatuses.filter((status) => asList(statuses).includes(status)),
    kind: kinds.find((name) => name === kind),
    ...(isBackwards ? {} : days),
    ...readFileOrder(search),
  });
}

/** As much of a search as leaves files out. */
export function filtersOf({ sort: _, order: __, cursor: ___, ...filters }: FilesSearch): FileFilters {
  return filters;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value];
}

function asDay(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value ? undefined : value;
}
