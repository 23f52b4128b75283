import type { FileSort } from "@stowage/operator-schemas";
import { listParams, type Orders } from "../list-search.js";
import { type SearchOf, searchParams, text } from "../search-params.js";

export const fileOrders: Orders<FileSort> = { filename: "asc", created_at: "desc", size: "desc" };

export const fileListParams = listParams(fileOrders);

/** Sort order and page of the files of a tenant, and the folder; without it, the files of all folders. */
export const validateTenantFilesSearch = searchParams({ folder: text, ...fileListParams });
export type TenantFilesSearch = SearchOf<typeof validateTenantFilesSearch>;
/** Sort order and page of any list of files. */
export type FileListSearch = Omit<TenantFilesSearch, "folder">;
