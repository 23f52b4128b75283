import type { FileSort } from "@stowage/schemas/dashboard";
import { type ListSearch, type Orders, readListSearch } from "../list-search.js";

/** The schema itself stays out of what every page loads first. */
export const fileOrders: Orders<FileSort> = { filename: "asc", created_at: "desc", size: "desc" };

/** What the address of each list of files says: how it is sorted, and which page. */
export type FileOrder = Omit<ListSearch<FileSort>, "q">;

/** Whatever else an address says is left out. */
export function readFileOrder(search: Record<string, unknown>): FileOrder {
  const { q: _, ...order } = readListSearch(search, fileOrders);
  return order;
}
