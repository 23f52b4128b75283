import type { FileSort } from "@stowage/operator-schemas";
import { listParams, type Orders } from "../list-search.js";
import { type SearchOf, searchParams } from "../search-params.js";

export const fileOrders: Orders<FileSort> = { filename: "asc", created_at: "desc", size: "desc" };

export const fileListParams = listParams(fileOrders);

/** Sort order and page of any list of files. */
export const validateFileListSearch = searchParams(fileListParams);
export type FileListSearch = SearchOf<typeof validateFileListSearch>;
