"use client";

import type { UploadItem } from "@stowage/client";
import {
  failureOf,
  fileView,
  firstAddedRow,
  hasFocus,
  orderRows,
  pendingRetryOf,
  type SharedView,
} from "@stowage/client/internals/list";
import { type CSSProperties, Fragment, memo, type ReactNode, useRef, useState } from "react";
import { UploadCancel, UploadPause, UploadRemove, UploadRetry } from "./action-button.js";
import { UploadDiscard } from "./discard.js";
import { UploadProgress, UploadStatus } from "./progress.js";
import { UploadResumable } from "./resumable.js";
import { useFileView } from "./item-view.js";
import { ItemViewContext, type PartProps, useRootView } from "./upload-context.js";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";
import { useListInUse } from "./use-list-in-use.js";
import { useRowWindow } from "./use-row-window.js";
import { useUniqueNames } from "./use-unique-names.js";

export interface UploadListProps extends Omit<PartProps, "children"> {
  /**
   * Which files are listed.
   *
   * @default every file
   */
  filter?: ((item: UploadItem) => boolean) | undefined;
  /** Renders one file, as an `Upload.Item`. Pass the same function each time, so only changed rows are rendered again. */
  children: (item: UploadItem) => ReactNode;
}

/**
 * The list of files. From six files on, active files come first, then failed ones. No row moves while a person uses the list: with the
 * keyboard, with a pointer that is over it or has just tapped it, or by scrolling. From 100 files on, the list
 * scrolls inside of its box, whose height is `--stowage-list-height`, and renders only the rows near the visible ones.
 */
export function UploadList({ filter, children, ...props }: UploadListProps) {
  const { upload } = useRootView();
  const items = filter ? upload.items.filter(filter) : upload.items;
  return items.length > 0 ? <FilledList {...props} items={items} render={children} /> : null;
}

interface FilledListProps extends Omit<PartProps, "children"> {
  items: readonly UploadItem[];
  render: (item: UploadItem) => ReactNode;
}

function FilledList({ items, render, style, ...props }: FilledListProps) {
  const { shared } = useRootView();
  const [list, setList] = useState<HTMLUListElement | null>(null);
  // In the order of the list, so that the first of two files of one name keeps its name.
  const nameOf = useUniqueNames(items);
  const [lastIds, setLastIds] = useState<readonly string[]>([]);
  const { rows, ids } = orderRows(items, lastIds, useListInUse(list));
  if (ids !== lastIds) {
    setLastIds(ids);
  }
  const { isWindowed, Provider, setCurrent, slots, endPx, measure, scrollTo } = useRowWindow(rows.length);
  useScrollToAdded(list, ids, scrollTo);

  return (
    <>
      {/* Safari removes the list role from a list without markers, so it is set explicitly. */}
      <ul
        ref={setList}
        role="list"
        aria-label={shared.labels.list}
        style={isWindowed ? { ...WINDOW_STYLE, ...style } : style}
        {...props}
      >
        {slots.map(({ index, spacePx }) => (
          <Fragment key={ids[index]}>
            {spacePx > 0 && <Space px={spacePx} />}
            <Row
              item={rows[index]!}
              name={nameOf(rows[index]!)}
              index={index}
              setSize={isWindowed ? rows.length : null}
              measure={measure}
              shared={shared}
              render={render}
            />
          </Fragment>
        ))}
        {endPx > 0 && <Space px={endPx} />}
      </ul>
      {Provider && <Provider list={list} ids={ids} onChange={setCurrent} />}
    </>
  );
}

/** Only the rows move the list: the browser's own scroll anchoring would move it a second time. */
const WINDOW_STYLE: CSSProperties = {
  maxBlockSize: "var(--stowage-list-height, min(24rem, 50vh))",
  overflowY: "auto",
  overflowAnchor: "none",
};

/** Stands for rows that are not rendered. */
function Space({ px }: { px: number }) {
  return <li aria-hidden="true" role="presentation" style={{ blockSize: px }} />;
}

/** Makes the first file of a further batch visible, unless the focus is in the list. */
function useScrollToAdded(
  list: HTMLElement | null,
  ids: readonly string[],
  scrollTo: ((index: number) => void) | undefined,
) {
  const shown = useRef<readonly string[]>([]);
  useIsomorphicLayoutEffect(() => {
    const row = firstAddedRow(ids, shown.current);
    shown.current = ids;
    if (row === null || list === null || hasFocus(list)) {
      return;
    }
    if (scrollTo) {
      scrollTo(row);
    } else {
      const top = list.querySelectorAll("[data-id]")[row]?.getBoundingClientRect().top;
      list.scrollBy({ top: top === undefined ? 0 : top - list.getBoundingClientRect().top });
    }
  }, [ids]);
}

/** Props of `Upload.List`: the attributes of the list, and how a file is rendered. */
export interface UploadPlainListProps extends Omit<UploadListProps, "children"> {
  /** Renders one file, as an `Upload.Item`. Pass the same function each time, so only changed rows are rendered again. */
  children?: ((item: UploadItem) => ReactNode) | undefined;
}

/**
 * The same as `UploadList`. Without children, each row has the name, status, progress and buttons of its file, and unfinished
 * uploads come first.
 */
export function UploadPlainList({ children, ...props }: UploadPlainListProps) {
  return (
    <>
      {!children && <UploadResumable />}
      <UploadList {...props}>{children ?? plainRow}</UploadList>
    </>
  );
}

function plainRow(item: UploadItem) {
  return (
    <UploadRowItem>
      <bdi translate="no">{item.path || item.name}</bdi> <UploadStatus />
      <UploadProgress />
      <UploadDiscard />
      <UploadRetry />
      <UploadPause />
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

interface RowProps {
  item: UploadItem;
  name: string;
  index: number;
  /** Number of all files, if only some of them are rendered. */
  setSize: number | null;
  measure: ((row: HTMLElement | null) => void) | undefined;
  shared: SharedView;
  render: (item: UploadItem) => ReactNode;
}

/** Rendered again only when its file, its position or the shared view changes. */
const Row = memo(function Row({ item, name, index, setSize, measure, shared, render }: RowProps) {
  const position =
    setSize === null
      ? undefined
      : { "aria-posinset": index + 1, "aria-setsize": setSize, "data-index": index, ref: measure };
  return (
    <ItemViewContext.Provider value={{ ...fileView(item, name, shared), position }}>
      {render(item)}
    </ItemViewContext.Provider>
  );
});
