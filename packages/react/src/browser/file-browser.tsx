"use client";

import { type ListedFile, UploadError } from "@stowage/client";
import { englishBrowserLabels, type FileBrowserLabels, transportOf } from "@stowage/client/internals";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useImageUrls } from "../images/use-image-urls.js";
import { BrowserBar } from "./browser-bar.js";
import { entriesOf, type Entry, folderKey, parentOf, trailOf } from "./entries.js";
import { EntryForm } from "./entry-form.js";
import { EntryRow } from "./entry-row.js";
import { commandOf, targetOf } from "./keys.js";
import { useCurrentEntry } from "./use-current-entry.js";
import { type FileAction, useFileActions } from "./use-file-actions.js";
import { useFolder, type UseFolderOptions } from "./use-folder.js";
import { useColumns, useLines } from "./use-lines.js";

/** Props of `FileBrowser`: which files it shows, and what people can do with them. */
export interface FileBrowserProps extends Omit<UseFolderOptions, "usage"> {
  /** Called when a person opens another folder. With `folder`, the page decides whether it is shown. */
  onFolderChange?: ((folder: string) => void) | undefined;
  /**
   * How the files are shown first.
   *
   * @default "list"
   */
  layout?: "list" | "grid" | undefined;
  /** Name of the image preset of the thumbnails in the grid. Without it, the grid loads the images themselves. */
  variant?: string | undefined;
  /** Called when a person opens a file. Without it, each file is a link that shows it in the browser. */
  onOpen?: ((file: ListedFile) => void) | undefined;
  /**
   * What the browser offers for each file. The helper must allow it.
   *
   * @default ["rename", "move", "delete"]
   */
  actions?: readonly FileAction[] | undefined;
  /**
   * What the browser offers for each folder, with everything below. The helper must allow it with `allowFolderJobs`.
   *
   * @default the same as `actions`
   */
  folderActions?: readonly FileAction[] | undefined;
  /**
   * Entries per page, 1 to 100.
   *
   * @default 100
   */
  pageSize?: number | undefined;
  /** Texts in place of the English ones, such as `de.browser` of `@stowage/react/locales/de`. */
  labels?: Partial<FileBrowserLabels> | undefined;
  className?: string | undefined;
  /**
   * `auto` follows the system.
   *
   * @default "auto"
   */
  theme?: "auto" | "light" | "dark" | undefined;
}

const ALL_ACTIONS = ["rename", "move", "delete"] as const;

/**
 * Shows the stored files of the signed-in user by folder. People open, rename, move and delete folders and files, and undo the deletion of
 * a file. It loads further pages when their place comes into view, and renders only what is near. The helper must allow it with `allowList`,
 * `allowFolders`, `allowFolderJobs`, `allowDownload`, `allowUpdate`, `allowDelete` and `allowRestore`. Needs `styles.css`, `images.css` and `browser.css` of
 * `@stowage/react`.
 *
 * @example <FileBrowser endpoint="/api/upload" />
 */
export function FileBrowser(props: FileBrowserProps) {
  const {
    onFolderChange,
    layout: firstLayout = "list",
    variant,
    onOpen,
    actions = ALL_ACTIONS,
    folderActions = actions,
    labels: ownLabels,
    className = "",
    theme,
    ...options
  } = props;
  const labels = { ...englishBrowserLabels, ...ownLabels };
  const [ownFolder, setOwnFolder] = useState("");
  const folder = props.folder ?? ownFolder;
  const [layout, setLayout] = useState(firstLayout);
  const settings = { ...options, pageSize: props.pageSize ?? 100, folder };
  const shown = useFolder(settings);
  const { folders, files, error, loadMore } = shown;
  // In the first render of another folder, the store still has the last one.
  const isShown = shown.folder === folder;
  const status = isShown ? shown.status : "loading";
  const hasMore = isShown && shown.hasMore;
  const entries = useMemo(() => (isShown ? entriesOf(folders, files) : []), [isShown, folders, files]);
  const urls = useImageUrls(settings, variant);
  const list = useRef<HTMLDivElement>(null);
  const current = useCurrentEntry(entries, list);
  const did = useFileActions(shown, {
    labels,
    locale: props.locale,
    actions,
    folderActions,
    onRestore: (path) => current.focusWhenThere((now) => now.findIndex(({ key }) => key === path)),
  });
  const { editing, running } = did;
  const isTiled = layout === "grid";
  const columns = useColumns(list, isTiled);
  const edited = editing ? entries.findIndex(({ key }) => key === editing.key) : -1;
  const kept = [current.index, edited] as const;
  const { lines, heightPx, measure, isNearEnd } = useLines(list, { entries, columns, isTiled, kept });
  const [lastFolder, setLastFolder] = useState(folder);
  if (folder !== lastFolder) {
    // Going up, the folder that was left is the current entry.
    const left = trailOf(lastFolder)[trailOf(folder).length];
    setLastFolder(folder);
    did.reset();
    current.startAt(left === undefined ? null : folderKey(left));
  }
  useEffect(() => {
    if (isNearEnd && hasMore && status === "ready") void loadMore();
  }, [isNearEnd, hasMore, status, loadMore]);

  const openFolder = (next: string) => {
    setOwnFolder(next);
    onFolderChange?.(next);
    current.focus();
  };
  const goUp = () => {
    if (folder !== "") openFolder(parentOf(folder));
  };
  const open = (entry: Entry) => {
    if (entry.folder) return openFolder(entry.folder.folder);
    if (onOpen) return onOpen(entry.file);
    void shown.urlOf(entry.file, { disposition: "inline" }).then(
      (url) => window.location.assign(url),
      // Another failure is that the folder was left.
      (failure: unknown) => {
        if (failure instanceof UploadError) did.say(failure.message);
      },
    );
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // The keys of the list must not act while a person types.
    if ((event.target as Element).closest("form")) {
      // The key may only end what an input method shows.
      if (event.key === "Escape" && !event.nativeEvent.isComposing) did.closeField();
      return;
    }
    const entry = entries[current.index];
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const next = targetOf(event, { index: current.index, columns, count: entries.length, isRtl });
    const command = commandOf(event);
    if (next !== undefined) current.moveTo(next);
    else if (command === "undo") void did.undo();
    else if (command === "goUp") goUp();
    else if (command && entry) did.act(command, entry);
    else return;
    event.preventDefault();
  };
  // The button goes with its message, so the focus moves to the list.
  const tryAgain = () => {
    current.focus();
    void (files.length > 0 ? loadMore() : shown.refresh());
  };
  const showMore = () => {
    // The button goes with the last page, and then the focus moves to the first new entry.
    const { length } = entries;
    current.focusWhenThere((now) => (now.length > length ? length : -1));
    void loadMore();
  };

  const hasAddresses = !onOpen && transportOf(settings).downloadHref !== undefined;
  const formOf = (entry: Entry) =>
    editing && (
      <EntryForm
        // Another action on the same entry begins with another text.
        key={editing.action}
        entry={entry}
        action={editing.action}
        folder={folder}
        subfolders={folders.map(({ folder: name }) => name)}
        labels={labels}
        locale={props.locale}
        onSave={(value) => did.save(entry, editing, value)}
        onCancel={did.closeField}
      />
    );
  const rowOf = (entry: Entry, index: number) => (
    <EntryRow
      key={entry.key}
      entry={entry}
      index={index}
      isCurrent={index === current.index}
      isTiled={isTiled}
      labels={labels}
      locale={props.locale}
      urls={urls}
      hasVariants={variant !== undefined}
      href={entry.file && hasAddresses ? shown.hrefOf(entry.file, { disposition: "inline" }) : undefined}
      actions={entry.file ? actions : folderActions}
      isBusy={!entry.file && running !== null}
      onOpen={open}
      onAct={did.act}
      onSelect={current.select}
      form={index === edited ? formOf(entry) : undefined}
    />
  );
  const isLoading = status === "loading" || status === "loading-more";
  const emptyText = status === "ready" && entries.length === 0 ? labels.empty : "";

  return (
    <div className={`stowage stowage-browser ${className}`} data-theme={theme}>
      <BrowserBar
        folder={folder}
        labels={labels}
        layout={layout}
        onFolder={openFolder}
        onLayout={setLayout}
      />
      {error && (
        <p role="alert" className="stowage-files-error">
          <span>{`${error.message} `}</span>
          {status === "failed" && (
            <button type="button" className="stowage-link" onClick={tryAgain}>
              {labels.tryAgain}
            </button>
          )}
        </p>
      )}
      <div className="stowage-browser-message">
        <p role="status">{did.text || (isLoading ? labels.loading : emptyText)}</p>
        {running && (
          <progress
            aria-label={running.text}
            // Without a value, it shows that the end is not known.
            value={running.total > 0 ? running.done : undefined}
            max={running.total || 1}
          />
        )}
        {did.canUndo && (
          <button type="button" className="stowage-link" onClick={() => void did.undo()}>
            {labels.undo}
          </button>
        )}
      </div>
      <div
        ref={list}
        role="grid"
        aria-label={labels.list}
        aria-busy={status === "loading"}
        aria-rowcount={hasMore ? -1 : entries.length}
        className="stowage-entries"
        data-layout={layout}
        // An empty list keeps the focus of the folder that was opened.
        tabIndex={entries.length === 0 ? 0 : -1}
        onKeyDown={onKeyDown}
        {...current.handlers}
      >
        <div role="presentation" className="stowage-lines" style={{ blockSize: heightPx }}>
          {lines.map(({ key, index, first, entries: inLine, startPx }) => (
            <div
              key={key}
              role="presentation"
              ref={measure}
              className="stowage-line"
              style={{
                gridTemplateColumns: isTiled ? `repeat(${columns}, minmax(0, 1fr))` : undefined,
                ...(startPx !== undefined && { position: "absolute", insetBlockStart: startPx }),
              }}
              // The virtualizer reads it.
              data-index={index}
            >
              {inLine.map((entry, offset) => rowOf(entry, first + offset))}
            </div>
          ))}
        </div>
      </div>
      {hasMore && (
        <button
          type="button"
          className="stowage-link"
          // Not the attribute `disabled`, which would take the focus away.
          aria-disabled={status === "loading-more"}
          onClick={showMore}
        >
          {labels.more}
        </button>
      )}
    </div>
  );
}
