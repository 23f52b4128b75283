"use client";

import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import type { UploadItem, UploadStatus as Status } from "../core/upload-item.js";
import { UploadCancel, UploadRemove, UploadRetry } from "./action-button.js";
import { failureOf, fileView, pendingRetryOf } from "./item-view.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import {
  ItemViewContext,
  type PartProps,
  type SharedView,
  useFileView,
  useRootView,
} from "./upload-context.js";

/** Rows rendered at first, and added by each press of "Show more". */
const PAGE_ROWS = 100;
/** Rows rendered beyond those, for files that are in progress or failed. */
const MAX_ATTENTION_ROWS = 100;

export interface UploadListProps extends Omit<PartProps, "children"> {
  /**
   * Which files are listed.
   *
   * @default every file
   */
  filter?: ((item: UploadItem) => boolean) | undefined;
  /** Class of the "Show more" button. */
  moreClassName?: string | undefined;
  /** Renders one file, as an `Upload.Item`. Pass the same function each time, so only changed rows are rendered again. */
  children: (item: UploadItem) => ReactNode;
}

/**
 * The list of files. It renders 100 rows at first; files that are in progress or failed are always among them, up to
 * 100 more.
 */
export function UploadList({ filter, moreClassName, children, ...props }: UploadListProps) {
  const { shared, upload } = useRootView();
  const { labels } = shared;
  const [uniqueName] = useState(createUniqueNames);
  const [limit, setLimit] = useState(PAGE_ROWS);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (limit > PAGE_ROWS) {
      list.current?.querySelectorAll<HTMLElement>("[data-id]")[limit - PAGE_ROWS]?.focus();
    }
  }, [limit]);

  const items = filter ? upload.items.filter(filter) : upload.items;
  const rows = visibleRows(items, limit);
  const hiddenCount = items.length - rows.length;
  return items.length > 0 ? (
    <>
      {/* Safari removes the list role from a list without markers, so it is set explicitly. */}
      <ul ref={list} role="list" aria-label={labels.list} {...props}>
        {rows.map(({ item, index }) => (
          <Row
            key={item.id}
            item={item}
            name={uniqueName(item)}
            index={index}
            setSize={hiddenCount > 0 ? items.length : null}
            shared={shared}
            render={children}
          />
        ))}
      </ul>
      {hiddenCount > 0 && (
        <button type="button" className={moreClassName} onClick={() => setLimit(limit + PAGE_ROWS)}>
          {labels.showMore(hiddenCount, labels.locale)}
        </button>
      )}
    </>
  ) : null;
}

export interface UploadPlainListProps extends Omit<UploadListProps, "children"> {
  /** Renders one file, as an `Upload.Item`. Pass the same function each time, so only changed rows are rendered again. */
  children?: ((item: UploadItem) => ReactNode) | undefined;
}

/**
 * The list of files. It renders 100 rows at first; files that are in progress or failed are always among them, up to
 * 100 more. Without children, each row has the name, status, progress and buttons of its file.
 */
export function UploadPlainList({ children = plainRow, ...props }: UploadPlainListProps) {
  return <UploadList {...props}>{children}</UploadList>;
}

function plainRow(item: UploadItem) {
  return (
    <UploadRowItem>
      <bdi>{item.name}</bdi> <UploadStatus />
      <UploadProgress />
      <UploadRetry />
      <UploadCancel />
      <UploadRemove />
    </UploadRowItem>
  );
}

/** The `li` element of one file. */
export function UploadRowItem(props: PartProps) {
  const { item, position } = useFileView();
  return (
    <li
      data-id={item.id}
      data-status={item.status}
      data-error={failureOf(item) ? "" : undefined}
      data-retrying={pendingRetryOf(item) ? "" : undefined}
      tabIndex={-1}
      {...position}
      {...props}
    />
  );
}

const QUIET: ReadonlySet<Status> = new Set(["queued", "done", "cancelled"]);

/** The first `limit` files, and after those the ones that are in progress or failed. */
function visibleRows(items: readonly UploadItem[], limit: number) {
  const rows = items.map((item, index) => ({ item, index }));
  const beyond = rows.slice(limit).filter(({ item }) => !QUIET.has(item.status));
  return [...rows.slice(0, limit), ...beyond.slice(0, MAX_ATTENTION_ROWS)];
}

interface RowProps {
  item: UploadItem;
  name: string;
  index: number;
  /** Number of all files, if only some of them are rendered. */
  setSize: number | null;
  shared: SharedView;
  render: (item: UploadItem) => ReactNode;
}

/** Rendered again only when its file, its position or the shared view changes. */
const Row = memo(function Row({ item, name, index, setSize, shared, render }: RowProps) {
  const position = setSize === null ? undefined : { "aria-posinset": index + 1, "aria-setsize": setSize };
  return (
    <ItemViewContext.Provider value={{ ...fileView(item, name, shared), position }}>
      {render(item)}
    </ItemViewContext.Provider>
  );
});

/**
 * Numbers files of the same name: the second `photo.jpg` becomes `photo.jpg (2)`, because a screen reader user could
 * not tell two buttons of the same name apart. A file keeps its name when another one is removed.
 */
export function createUniqueNames(): (item: UploadItem) => string {
  const owners = new Map<string, string>();
  return ({ id, name, path }) => {
    const base = path || name;
    let unique = base;
    for (let count = 2; (owners.get(unique) ?? id) !== id; count++) {
      unique = `${base} (${count})`;
    }
    owners.set(unique, id);
    return unique;
  };
}
