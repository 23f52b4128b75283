"use client";

import { memo, type ReactNode, useEffect, useRef, useState } from "react";
import type { UploadItem } from "../core/upload-item.js";
import { standingOfFile } from "./standing.js";
import { createUniqueNames } from "./unique-names.js";
import { type PartProps, StandingContext, type UploadParts, useView } from "./upload-context.js";

/** Rows drawn at first and with each press of "Show more", and at most of those that need a person's eye beyond. */
const ROWS = 100;

export interface UploadListProps extends Omit<PartProps, "children"> {
  /** Which files are listed: all unless told. */
  filter?: ((item: UploadItem) => boolean) | undefined;
  /** Class of the button that shows more. */
  moreClassName?: string | undefined;
  /** Draws one file, with an `Upload.Item` around it. Keep it the same function, and only rows that changed are drawn. */
  children: (item: UploadItem) => ReactNode;
}

/** The files, as many of them as a page bears; those on their way and those that failed are always among them. */
export function UploadList({ filter, moreClassName, children, ...props }: UploadListProps) {
  const { parts, upload } = useView();
  const { labels } = parts;
  const [nameOf] = useState(createUniqueNames);
  const [limit, setLimit] = useState(ROWS);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (limit > ROWS) list.current?.querySelectorAll<HTMLElement>("[data-id]")[limit - ROWS]?.focus();
  }, [limit]);

  const items = filter ? upload.items.filter(filter) : upload.items;
  const count = items.length;
  const shown = rowsOf(items, limit);
  const hidden = count - shown.length;
  return count > 0 ? (
    <>
      {/* The role is said again because Safari takes it from a list without markers. */}
      <ul ref={list} role="list" aria-label={labels.list} {...props}>
        {shown.map(({ item, index }) => (
          <Row
            key={item.id}
            item={item}
            name={nameOf(item)}
            index={index}
            count={hidden && count}
            parts={parts}
            draw={children}
          />
        ))}
      </ul>
      {hidden > 0 && (
        <button type="button" className={moreClassName} onClick={() => setLimit(limit + ROWS)}>
          {labels.showMore(hidden, labels.locale)}
        </button>
      )}
    </>
  ) : null;
}

/** The first of them, and those beyond that move or need a person's eye. */
function rowsOf(items: readonly UploadItem[], limit: number) {
  let more = ROWS;
  return items
    .map((item, index) => ({ item, index }))
    .filter(
      ({ item: { status }, index }) =>
        index < limit || (!["queued", "done", "cancelled"].includes(status) && more-- > 0),
    );
}

interface RowProps {
  item: UploadItem;
  name: string;
  index: number;
  /** Of all files, when not all are drawn; else 0. */
  count: number;
  parts: UploadParts;
  draw: (item: UploadItem) => ReactNode;
}

/** One file of the list. Drawn again only when the file changed. */
const Row = memo(function Row({ item, name, index, count, parts, draw }: RowProps) {
  const standing = standingOfFile(item, name, parts);
  if (count > 0) standing.position = { "aria-posinset": index + 1, "aria-setsize": count };
  return <StandingContext.Provider value={standing}>{draw(item)}</StandingContext.Provider>;
});
