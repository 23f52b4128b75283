import { failureOf, isActive, type UploadItem } from "../upload-item.js";

/** A list of this length fits into its box, so its files keep the order in which they were added. */
const MAX_UNSORTED_ROWS = 5;

export interface RowOrder {
  rows: readonly UploadItem[];
  /** The last array while the order is the same. */
  ids: readonly string[];
}

/**
 * Orders the files of a list: on their way, failed, waiting, ended; in each group in the order in which they were added.
 *
 * @param lastIds the `ids` of the last order; empty for the first
 * @param isHeld a person uses the list, so no row moves: a file that ends keeps its row, and files that are added go to the end
 */
export function orderRows(
  items: readonly UploadItem[],
  lastIds: readonly string[],
  isHeld: boolean,
): RowOrder {
  const rows = isHeld ? inLastOrder(items, lastIds) : sorted(items);
  const isSame = rows.length === lastIds.length && rows.every(({ id }, row) => id === lastIds[row]);
  return { rows, ids: isSame ? lastIds : rows.map(({ id }) => id) };
}

/** Returns the row of the first file that was added since `before`; null for the first files of a list, or if none was. */
export function firstAddedRow(ids: readonly string[], before: readonly string[]): number | null {
  if (before.length === 0) {
    return null;
  }
  const known = new Set(before);
  const row = ids.findIndex((id) => !known.has(id));
  return row === -1 ? null : row;
}

function sorted(items: readonly UploadItem[]): readonly UploadItem[] {
  if (items.length <= MAX_UNSORTED_ROWS) {
    return items;
  }
  const groups: [UploadItem[], UploadItem[], UploadItem[], UploadItem[]] = [[], [], [], []];
  for (const item of items) {
    groups[groupOf(item)].push(item);
  }
  return groups.flat();
}

function groupOf(item: UploadItem): 0 | 1 | 2 | 3 {
  if (item.status === "queued") {
    return 2;
  }
  if (isActive(item)) {
    return 0;
  }
  return failureOf(item) ? 1 : 3;
}

function inLastOrder(items: readonly UploadItem[], lastIds: readonly string[]): readonly UploadItem[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const rows: UploadItem[] = [];
  for (const id of lastIds) {
    const item = byId.get(id);
    if (item) {
      rows.push(item);
      byId.delete(id);
    }
  }
  return [...rows, ...byId.values()];
}
