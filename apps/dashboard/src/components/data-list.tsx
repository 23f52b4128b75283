import { Center, Checkbox, Loader, Text, UnstyledButton } from "@mantine/core";
import type { SortOrder } from "@stowage/operator-schemas";
import { IconArrowDown, IconArrowsVertical, IconArrowUp, IconDatabaseOff } from "@tabler/icons-react";
import { type ReactNode, useRef } from "react";
import { common } from "./common-texts.js";
import { CursorPages, type Pages } from "./cursor-pages.js";
import styles from "./data-list.module.css";
import type { Orders } from "./list-search.js";

interface Sort<By extends string> {
  by: By;
  order: SortOrder;
}

export interface Column<Row> {
  /** Names the column. In a sortable column it is the name of the sort order in the service's calls. */
  id: string;
  title: ReactNode;
  render: (row: Row) => ReactNode;
  /** @default "left" */
  textAlign?: "right";
  noWrap?: boolean;
  /** In pixels. @default the width of the content */
  width?: number;
  /** For the column of names: it gets the width that the other columns leave. Its content must be `Truncated`. */
  isFlexible?: boolean;
  /** Another column must then show its content on phones. */
  isHiddenOnPhones?: boolean;
}

interface DataListProps<Row, By extends string> {
  /** Accessible name of the table. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: keyof Row & string;
  isFetching?: boolean;
  /** The sortable columns, by ID. */
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

/** One page of a list. The service sorts and pages it. A wide table scrolls sideways. */
export function DataList<Row, By extends string = never>(props: DataListProps<Row, By>) {
  const { rows, rowKey, columns, isFetching = false } = props;
  const selection = useSelection(props);
  return (
    <div>
      <div className={styles["frame"]}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must scroll it even if no cell has a control */}
        <div className={styles["scroller"]} tabIndex={0}>
          <table className={styles["table"]} aria-label={props.label} aria-busy={isFetching}>
            <thead>
              <tr>
                {selection && (
                  <th className={styles["checkbox"]}>
                    <Checkbox {...selection.ofAll} />
                  </th>
                )}
                {columns.map((column) => (
                  <Title key={column.id} column={column} {...props} />
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={String(row[rowKey])} data-selected={selection?.has(row) || undefined}>
                  {selection && (
                    <td className={styles["checkbox"]}>
                      <Checkbox {...selection.ofRow(row, index)} />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.id} {...layoutOf(column)}>
                      {column.render(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length === 0 && <NoResults />}
        {isFetching && (
          <Center className={styles["loading"] ?? ""}>
            <Loader />
          </Center>
        )}
      </div>
      {props.pages && <CursorPages {...props.pages} total={props.total} />}
    </div>
  );
}

/** What the style sheet needs to know about a column's cells. */
function layoutOf<Row>({ textAlign, noWrap, width, isFlexible, isHiddenOnPhones }: Column<Row>) {
  return {
    "data-align": textAlign,
    "data-no-wrap": noWrap,
    "data-flexible": isFlexible,
    "data-hidden-on-phones": isHiddenOnPhones,
    style: { width, minWidth: width, maxWidth: width },
  };
}

/** The title of a column. In a sortable column it is a button that sorts by it, or reverses the order. */
function Title<Row, By extends string>(
  props: Pick<DataListProps<Row, By>, "orders" | "sort" | "onSort"> & { column: Column<Row> },
) {
  const { column, orders, sort, onSort } = props;
  if (!orders || !sort || !(column.id in orders)) return <th {...layoutOf(column)}>{column.title}</th>;
  const by = column.id as By;
  const isSorted = by === sort.by;
  const isDescending = sort.order === "desc";
  const SortedIcon = isDescending ? IconArrowDown : IconArrowUp;
  const reversed = isDescending ? "asc" : "desc";
  return (
    <th {...layoutOf(column)} aria-sort={isSorted ? (isDescending ? "descending" : "ascending") : "none"}>
      <UnstyledButton
        className={styles["sort"] ?? ""}
        onClick={() => onSort?.({ by, order: isSorted ? reversed : orders[by] })}
      >
        <span>{column.title}</span>
        {isSorted ? (
          <SortedIcon size={14} aria-hidden />
        ) : (
          <IconArrowsVertical size={14} aria-hidden className={styles["unsorted"]} />
        )}
      </UnstyledButton>
    </th>
  );
}

/** The checkboxes of a list whose rows can be selected. With the shift key, a checkbox changes all rows since the last one. */
function useSelection<Row>(
  props: Pick<DataListProps<Row, never>, "rows" | "rowKey" | "selected" | "onSelect" | "nameOf">,
) {
  const { rows, rowKey, selected, onSelect, nameOf } = props;
  const lastChanged = useRef<Row[typeof rowKey]>(undefined);
  if (!selected || !onSelect) return undefined;
  const keys = new Set(selected.map((row) => row[rowKey]));
  const has = (row: Row) => keys.has(row[rowKey]);
  const isAll = rows.length > 0 && rows.every(has);
  const change = (index: number, isRange: boolean) => {
    const row = rows[index]!;
    const last = isRange ? rows.findIndex((other) => other[rowKey] === lastChanged.current) : -1;
    const from = last === -1 ? index : last;
    const changed = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
    const others = selected.filter((other) => !changed.some((each) => each[rowKey] === other[rowKey]));
    lastChanged.current = row[rowKey];
    onSelect(has(row) ? others : [...others, ...changed]);
  };
  return {
    has,
    ofAll: {
      "aria-label": common.selectAll,
      checked: isAll,
      indeterminate: !isAll && rows.some(has),
      onChange: () => onSelect(isAll ? [] : rows),
    },
    ofRow: (row: Row, index: number) => ({
      "aria-label": common.select(nameOf?.(row) ?? ""),
      checked: has(row),
      onChange: ({ nativeEvent }: { nativeEvent: Event }) =>
        change(index, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey),
    }),
  };
}

function NoResults() {
  return (
    <Center className={styles["none"] ?? ""}>
      <span>
        <IconDatabaseOff />
      </span>
      <Text size="sm" c="dimmed">
        {common.noResults}
      </Text>
    </Center>
  );
}
