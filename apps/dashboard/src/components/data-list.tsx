import { Box } from "@mantine/core";
import type { SortOrder } from "@stowage/schemas/dashboard";
import { DataTable, type DataTableColumn, type DataTableProps } from "mantine-datatable";
import { common } from "../texts/common.js";
import { CursorPages } from "./cursor-pages.js";
import type { Orders } from "./list-search.js";

interface Sort<By extends string> {
  by: By;
  order: SortOrder;
}

interface DataListProps<Row, By extends string> {
  /** Names the table for those who do not see the heading above it. */
  label: string;
  columns: DataTableColumn<Row>[];
  rows: Row[];
  rowKey: keyof Row & string;
  isFetching?: boolean;
  /** The columns with these accessors are what it can be sorted by. */
  orders?: Orders<By>;
  sort?: Sort<By>;
  onSort?: (sort: Sort<By>) => void;
  cursor?: string | undefined;
  nextCursor?: string | null;
  onGo?: (cursor: string | undefined) => void;
  selected?: Row[];
  onSelect?: (rows: Row[]) => void;
  /** What a row's checkbox is called. */
  nameOf?: (row: Row) => string;
}

/** A page of a list: a table that scrolls sideways where it is too narrow, sorted by the service, with the way on below it. */
export function DataList<Row, By extends string = never>(props: DataListProps<Row, By>) {
  return (
    <Box>
      <DataTable<Row>
        aria-label={props.label}
        withTableBorder
        borderRadius="md"
        verticalSpacing="xs"
        minHeight={props.rows.length === 0 ? 160 : 0}
        highlightOnHover
        // Where it scrolls and has nothing to press in it, the keyboard must get there all the same.
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        columns={props.columns.map((column) => ({
          ...column,
          sortable: props.orders !== undefined && column.accessor in props.orders,
        }))}
        records={props.rows}
        idAccessor={props.rowKey}
        fetching={props.isFetching ?? false}
        noRecordsText={common.nothingFound}
        {...choices(props)}
      />
      {props.onGo && (
        <Box mt="md">
          <CursorPages cursor={props.cursor} nextCursor={props.nextCursor ?? null} onGo={props.onGo} />
        </Box>
      )}
    </Box>
  );
}

/** Sorting and selecting, where the list has them. A cast, since the table's props are unions that no condition can be matched with. */
function choices<Row, By extends string>(props: DataListProps<Row, By>) {
  const { orders, sort, onSort, selected, onSelect, nameOf } = props;
  return {
    ...(orders &&
      sort && {
        sortStatus: { columnAccessor: sort.by, direction: sort.order },
        onSortStatusChange: ({ columnAccessor, direction }) => {
          const by = columnAccessor as By;
          onSort?.({ by, order: by === sort.by ? direction : orders[by] });
        },
      }),
    ...(selected && {
      selectedRecords: selected,
      onSelectedRecordsChange: onSelect,
      allRecordsSelectionCheckboxProps: { "aria-label": common.selectAll },
      getRecordSelectionCheckboxProps: (row) => ({ "aria-label": common.select(nameOf?.(row) ?? "") }),
    }),
  } as Partial<DataTableProps<Row>> as object;
}
