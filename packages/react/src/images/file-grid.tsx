"use client";

import type { ListedFile } from "@stowage/client";
import { type FileGridLabels, englishGridLabels, transportOf } from "@stowage/client/internals";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFiles, type UseFilesOptions, type UseFilesResult } from "../use-files.js";
import { FileTile } from "./file-tile.js";
import { createNearness, type Nearness, useIsNear } from "./nearness.js";
import { useImageUrls } from "./use-image-urls.js";

/** Props of `FileGrid`: which files it shows, and as which image preset. */
export interface FileGridProps extends Omit<UseFilesOptions, "usage"> {
  /** Name of the image preset of the thumbnails. Without it, the grid loads the files themselves. */
  variant?: string | undefined;
  /**
   * `squares` cuts the images to squares of the same size. `rows` shows them whole, in rows of the same height.
   *
   * @default "squares"
   */
  layout?: "squares" | "rows" | undefined;
  /** Called when a person opens a file. Without it, each file is a link that shows it in the browser. */
  onOpen?: ((file: ListedFile) => void) | undefined;
  /** Renders buttons on each tile, such as one that deletes the file. Pass the same function with each render. */
  actions?: ((file: ListedFile) => ReactNode) | undefined;
  labels?: Partial<FileGridLabels> | undefined;
  className?: string | undefined;
  /**
   * `auto` follows the system.
   *
   * @default "auto"
   */
  theme?: "auto" | "light" | "dark" | undefined;
}

/**
 * Shows the stored files of the signed-in user in a grid, newest first. Each image has its placeholder at once, then its variant. Other
 * files have an icon. The grid loads further pages when its end comes into view. The helper must allow it with `allowList` and
 * `allowDownload`. Needs `@stowage/react/styles.css` and `@stowage/react/images.css`.
 *
 * @example <FileGrid endpoint="/api/upload" route="photos" variant="thumb" />
 */
export function FileGrid(props: FileGridProps) {
  const { variant, layout = "squares", onOpen, actions, className = "", theme, ...options } = props;
  const labels = { ...englishGridLabels, ...props.labels };
  const list = useFiles(options);
  const urls = useImageUrls(options, variant);
  const [nearness] = useState(createNearness);
  const open = useStableCallback(onOpen);
  const hasAddresses = !onOpen && transportOf(options).downloadHref !== undefined;
  const { files, status, error } = list;
  return (
    <div className={`stowage stowage-files ${className}`} data-theme={theme} aria-busy={status === "loading"}>
      {files.length > 0 && (
        // Safari's screen reader does not announce a list without bullets unless it has the role.
        <ul role="list" aria-label={labels.list} className="stowage-grid" data-layout={layout}>
          {files.map((file) => (
            <FileTile
              key={file.file_path}
              file={file}
              urls={urls}
              hasVariants={variant !== undefined}
              nearness={nearness}
              href={hasAddresses ? list.hrefOf(file, { disposition: "inline" }) : undefined}
              onOpen={open}
              actions={actions}
            />
          ))}
          {list.hasMore && status !== "failed" && (
            // Another key observes the element again, because it is no longer in view.
            <ComingTiles key={files.length} list={list} nearness={nearness} count={options.pageSize} />
          )}
        </ul>
      )}
      {error && (
        <p role="alert" className="stowage-files-error">
          <span>{`${error.message} `}</span>
          {status === "failed" && (
            <button
              type="button"
              className="stowage-link"
              onClick={() => void (files.length > 0 ? list.loadMore() : list.refresh())}
            >
              {labels.tryAgain}
            </button>
          )}
        </p>
      )}
      <p role="status" className="stowage-files-status">
        {statusText(list, labels)}
      </p>
      {list.hasMore && <More list={list} label={labels.more} />}
    </div>
  );
}

function statusText({ status, files }: UseFilesResult, labels: FileGridLabels): string {
  if (status === "loading" || status === "loading-more") return labels.loading;
  return status === "ready" && files.length === 0 ? labels.empty : "";
}

/** The default of {@link FileGridProps.pageSize}. */
const PAGE_SIZE = 50;

/**
 * Empty tiles in the place of the next page, which is loaded when they come into view. So the end of the grid does not move when the
 * page arrives, and a person who scrolls fast sees that there is more.
 */
function ComingTiles({
  list: { status, loadMore },
  nearness,
  count = PAGE_SIZE,
}: {
  list: UseFilesResult;
  nearness: Nearness;
  count: number | undefined;
}) {
  const first = useRef<HTMLLIElement>(null);
  const isNear = useIsNear(first, nearness);
  useEffect(() => {
    if (isNear && status === "ready") void loadMore();
  }, [isNear, status, loadMore]);
  return Array.from({ length: count }, (_, index) => (
    <li key={index} ref={index === 0 ? first : undefined} className="stowage-tile" aria-hidden="true">
      <span className="stowage-tile-open">
        <span className="stowage-frame" />
      </span>
    </li>
  ));
}

/** For the keyboard, and after a failure, when the person decides. */
function More({ list: { status, loadMore }, label }: { list: UseFilesResult; label: string }) {
  return (
    <button
      type="button"
      className="stowage-link"
      // Not the attribute `disabled`, which would take the focus away.
      aria-disabled={status === "loading-more"}
      onClick={() => void loadMore()}
    >
      {label}
    </button>
  );
}

/** The same function with each render, so that the tiles are not rendered again. It calls the latest one. */
function useStableCallback<Input>(
  callback: ((input: Input) => void) | undefined,
): ((input: Input) => void) | undefined {
  const latest = useRef(callback);
  useEffect(() => {
    latest.current = callback;
  });
  const [stable] = useState(() => (input: Input) => latest.current?.(input));
  return callback && stable;
}
