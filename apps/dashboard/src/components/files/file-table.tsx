import { Stack } from "@mantine/core";
import { limits } from "@stowage/schemas";
import type { DataTableColumn } from "mantine-datatable";
import { DataList } from "../data-list.js";
import { unhide } from "../given-text.js";
import type { ListedFile } from "./file-name.js";
import { type FileOrder, fileOrders } from "./file-order.js";
import { SearchGoesOn } from "./search-goes-on.js";

/** One page of a list of files, sorted and paged by the service as the address says. */
export function FileTable(props: {
  label: string;
  columns: DataTableColumn<ListedFile>[];
  files: ListedFile[];
  nextCursor: string | null;
  search: FileOrder;
  /** As many as a page has that is not the last. */
  pageSize?: number;
  isFetching: boolean;
  onSort: (order: Pick<FileOrder, "sort" | "order">) => void;
  onGo: (cursor: string | undefined) => void;
  selection?: { selected: ListedFile[]; onSelect: (files: ListedFile[]) => void } | undefined;
}) {
  const { files, nextCursor, search, isFetching, onGo, pageSize = limits.pageSize } = props;
  const isPart = nextCursor !== null && files.length < pageSize && !isFetching;
  return (
    <Stack gap="sm">
      {isPart && <SearchGoesOn found={files.length} onGo={() => onGo(nextCursor)} />}
      {!(isPart && files.length === 0) && (
        <DataList
          label={props.label}
          columns={props.columns}
          rows={files}
          rowKey="id"
          isFetching={isFetching}
          orders={fileOrders}
          sort={{ by: search.sort ?? "created_at", order: search.order ?? "desc" }}
          onSort={({ by, order }) => props.onSort({ sort: by, order })}
          cursor={search.cursor}
          nextCursor={nextCursor}
          onGo={onGo}
          nameOf={({ filename }) => unhide(filename)}
          {...props.selection}
        />
      )}
    </Stack>
  );
}
