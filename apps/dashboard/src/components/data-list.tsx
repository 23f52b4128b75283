import { Box } from "@mantine/core";
import type { SortOrder } from "@stowage/operator-schemas";
import { DataTable, type DataTableColumn, type DataTableProps } from "mantine-datatable";
import { common } from "./common-texts.js";
import { CursorPages, type Pages } from "./cursor-pages.js";
import type { Orders } from "./list-search.js";

interface Sort<By extends string> {
  by: By;
  order: SortOrder;
}

interface DataListProps<Row, By extends string> {
  /** Accessible name of the table. */
  label: string;
  columns: DataTableColumn<Row>[];
  rows: Row[];
  rowKey: keyof Row & string;
  isFetching?: boolean;
  /** The sortable columns, by accessor. */
  orders?: Orders<By>;
  sort?: Sort<By>;
  onSort?: (sort: Sort<By>) => void;
  pages?: Pages;
  /** The number of entries of the whole list, as text. */
  total?: string | undefined;
  selected?: Row[];
  onSelect?: (rows: Row[]) => void;
  /** Name of a row, for the label of its checkbox. */
  nameOf?: (row: Row) => string;
}

/** Spread into a column to hide it on phones. Another column must then show its content. */
export const hiddenOnPhones = { visibleMediaQuery: "(min-width: 48em)" };

/**
 * Spread this into the column of names. The other columns are as wide as their content, and this one gets the remaining width. Its
 * content must be {@link Truncated}.
 */
export const flexible = {
  titleStyle: { width: "100%", minWidth: "11rem" },
  cellsStyle: () => ({ width: "100%", maxWidth: 0 }),
};

/** One page of a list. The service sorts and pages it. A wide table scrolls sideways. */
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
        // Makes the scroll area reachable by keyboard even if no cell contains a control.
        scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        columns={props.columns.map((column) => ({
          ...column,
          sortable: props.orders !== undefined && column.accessor in props.orders,
        }))}
        records={props.rows}
        idAccessor={props.rowKey}
        fetching={props.isFetching ?? false}
        noRecordsText={common.noResults}
        {...sortAndSelectionProps(props)}
      />
      {props.pages && <CursorPages {...props.pages} total={props.total} />}
    </Box>
  );
}

/** The cast is needed because the props of DataTable are unions, which conditional spreads cannot match. */
function sortAndSelectionProps<Row, By extends string>(props: DataListProps<Row, By>) {
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
