import { formatBytes } from "@stowage/schemas/page-rules";
import type { FileBrowserLabels, ImageUrls } from "@stowage/client/internals";
import type { ReactNode } from "react";
import { FileIcon } from "../images/file-tile.js";
import { type MaybeImage, mayHaveThumbnail } from "../images/placeholder.js";
import { RemoteImage } from "../images/remote-image.js";
import type { Entry } from "./entries.js";
import type { FileAction } from "./use-file-actions.js";

interface EntryRowProps {
  entry: Entry;
  index: number;
  /** Whether the row is in the tab order of the page. */
  isCurrent: boolean;
  isTiled: boolean;
  labels: FileBrowserLabels;
  locale: string | undefined;
  urls: ImageUrls;
  hasVariants: boolean;
  /** Without it, a button opens the entry. */
  href: string | undefined;
  actions: readonly FileAction[];
  /** Whether its actions wait for the end of another one. */
  isBusy: boolean;
  /** In place of the name. */
  form: ReactNode;
  onOpen(entry: Entry): void;
  onAct(action: FileAction, entry: Entry): void;
  onSelect(index: number): void;
}

/** A folder or a file. Its first cell opens it, and its second cell has the actions. */
export function EntryRow(props: EntryRowProps) {
  const { entry, index, isCurrent, isTiled, labels, locale, href, actions, isBusy, form, onAct, onSelect } =
    props;
  const tabIndex = isCurrent ? 0 : -1;
  const { name } = entry;
  const nameOf = { rename: labels.renameFile, move: labels.moveFile, delete: labels.deleteFile };
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      data-entry-index={index}
      className="stowage-entry"
      onFocus={() => onSelect(index)}
    >
      <span role="gridcell" className="stowage-entry-name">
        {isTiled && <Thumbnail {...props} />}
        {form ?? <Opener {...props} tabIndex={tabIndex} href={href} />}
      </span>
      {actions.length > 0 && (
        <span role="gridcell" className="stowage-entry-actions">
          {!form &&
            actions.map((action) => (
              <button
                key={action}
                type="button"
                className="stowage-link"
                tabIndex={tabIndex}
                aria-label={nameOf[action](name)}
                // Not the attribute `disabled`, which would take the focus away.
                aria-disabled={isBusy || undefined}
                onClick={() => onAct(action, entry)}
              >
                {labels[action]}
              </button>
            ))}
        </span>
      )}
      <span role="gridcell" className="stowage-entry-detail">
        {entry.folder
          ? labels.fileCount(entry.folder.file_count, locale)
          : formatBytes(entry.file.size, locale ?? "en")}
      </span>
    </div>
  );
}

function Opener({ entry, href, tabIndex, onOpen }: EntryRowProps & { tabIndex: number }) {
  const content = (
    <>
      <span className="stowage-entry-icon" data-kind={entry.folder ? "folder" : "file"} aria-hidden="true" />
      <bdi translate="no">{entry.name}</bdi>
    </>
  );
  const common = { "data-entry": "", tabIndex, className: "stowage-entry-open" };
  return href === undefined ? (
    <button type="button" {...common} onClick={() => onOpen(entry)}>
      {content}
    </button>
  ) : (
    <a href={href} {...common}>
      {content}
    </a>
  );
}

function Thumbnail({ entry: { file, name }, urls, hasVariants }: EntryRowProps) {
  if (!file) return <span className="stowage-frame" data-status="icon" data-kind="folder" />;
  const icon = <FileIcon name={name} />;
  if (!mayHaveThumbnail(file, hasVariants)) {
    return (
      <span className="stowage-frame" data-status="icon">
        {icon}
      </span>
    );
  }
  return (
    <RemoteImage
      urls={urls}
      path={file.file_path}
      placeholder={(file as MaybeImage).image?.placeholder}
      // The name of the file follows.
      alt=""
      isWanted={true}
      fallback={icon}
    />
  );
}
