"use client";

import {
  destructiveButton,
  iconButton,
  outlineButton,
  progressBar,
  row,
  rowImage,
  textButton,
} from "@/registry/stowage/lib/stowage-styles";
import { cn } from "@/registry/stowage/lib/utils";
import { type FilesUsage, type ListedFile, useFiles, type UseFilesOptions } from "@stowage/react";
import { FileIcon, Trash2Icon } from "lucide-react";
import { type CSSProperties, useEffect, useRef, useState } from "react";

export interface FileListProps extends UseFilesOptions {
  className?: string;
  /** Offers to delete files. The route of your backend must allow it with `allowDelete`. */
  canDelete?: boolean;
}

/**
 * The stored files of the signed-in user, newest first. Files that are uploaded or deleted elsewhere on the page appear and
 * disappear by themselves. Your backend must allow it with `allowList` and `allowDownload`; `usage` needs `allowUsage`.
 *
 * @example <FileList endpoint="/api/stowage" usage canDelete />
 */
export function FileList({ className, canDelete = false, ...options }: FileListProps) {
  const { files, status, error, usage, hasMore, loadMore, refresh, remove, hrefOf } = useFiles(options);
  const section = useRef<HTMLElement>(null);
  const isLoading = status === "loading" || status === "loading-more";

  function onDelete(file: ListedFile) {
    // The button with the focus will be gone.
    section.current?.focus();
    void remove(file);
  }

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="Files"
      aria-busy={isLoading}
      className={cn("grid gap-3 outline-none", className)}
    >
      {usage && <Usage usage={usage} />}
      {error && (
        <p role="alert" className="flex flex-wrap items-center gap-2 text-sm text-destructive">
          <span>{error.message}</span>
          {status === "failed" && (
            <button
              type="button"
              className={textButton}
              onClick={() => void (files.length > 0 ? loadMore() : refresh())}
            >
              Try again
            </button>
          )}
        </p>
      )}
      <ul role="list" className="flex flex-col gap-2 empty:hidden">
        {files.map((file) => (
          <FileRow
            key={file.file_path}
            file={file}
            href={hrefOf(file)}
            onDelete={canDelete ? () => onDelete(file) : undefined}
          />
        ))}
      </ul>
      <p role="status" className="text-sm text-muted-foreground empty:hidden">
        {files.length > 0 ? "" : EMPTY_TEXTS[status]}
      </p>
      {hasMore && (
        <button
          type="button"
          className={cn(outlineButton, "justify-self-center")}
          aria-disabled={isLoading}
          onClick={() => void loadMore()}
        >
          Show more
        </button>
      )}
    </section>
  );
}

const EMPTY_TEXTS = { loading: "Loading…", ready: "No files yet.", "loading-more": "", failed: "" };

interface FileRowProps {
  file: ListedFile;
  href: string;
  onDelete: (() => void) | undefined;
}

function FileRow({ file, href, onDelete }: FileRowProps) {
  return (
    <li className={row}>
      <span aria-hidden="true" className={rowImage}>
        <FileIcon className="size-5" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <a
          href={href}
          className="truncate rounded-sm text-sm font-medium underline-offset-4 outline-none hover:underline focus-visible:ring-[3px] focus-visible:ring-ring/50"
        >
          <bdi translate="no">{file.filename}</bdi>
        </a>
        <span className="text-sm text-muted-foreground">
          <span>{`${formatBytes(file.size)} · `}</span>
          <time dateTime={file.stored_at}>{formatDate(file.stored_at)}</time>
        </span>
      </div>
      {onDelete && <DeleteButton file={file} onDelete={onDelete} />}
    </li>
  );
}

/** Asks before it deletes. The focus stays in this place. */
function DeleteButton({ file, onDelete }: { file: ListedFile; onDelete(): void }) {
  const [isAsking, setAsking] = useState(false);
  const wasAsking = useRef(false);
  const ask = useRef<HTMLButtonElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
    else if (wasAsking.current) ask.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button
        ref={ask}
        type="button"
        aria-label={`Delete ${file.filename}`}
        className={iconButton}
        onClick={() => setAsking(true)}
      >
        <Trash2Icon className="size-4" />
      </button>
    );
  }
  return (
    <span className="flex shrink-0 gap-1">
      <button ref={keep} type="button" className={textButton} onClick={() => setAsking(false)}>
        Keep
      </button>
      <button
        type="button"
        aria-label={`Delete ${file.filename} now`}
        className={destructiveButton}
        onClick={onDelete}
      >
        Delete
      </button>
    </span>
  );
}

function Usage({ usage }: { usage: FilesUsage }) {
  const { used_bytes: used, quota_bytes: quota, file_count: count } = usage;
  const files = count === 1 ? "1 file" : `${count} files`;
  if (quota === null) {
    return <p className="text-sm text-muted-foreground">{`${formatBytes(used)} in ${files}`}</p>;
  }
  const percent = quota === 0 ? 100 : Math.min(100, Math.round((used / quota) * 100));
  return (
    <div className="grid gap-1 text-sm text-muted-foreground">
      <p>{`${formatBytes(used)} of ${formatBytes(quota)} in ${files}`}</p>
      <div
        role="progressbar"
        aria-label="Storage used"
        aria-valuenow={percent}
        className={progressBar}
        style={{ "--progress": `${percent}%` } as CSSProperties}
      />
    </div>
  );
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** 1 MB is 1,000,000 bytes, as in the limits of Stowage. */
function formatBytes(bytes: number): string {
  const step = bytes < 1_000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  const format = {
    style: "unit",
    unit: UNITS[step],
    unitDisplay: step === 0 ? "long" : "short",
    maximumFractionDigits: 1,
  } as const;
  return new Intl.NumberFormat("en", format).format(bytes / 1_000 ** step);
}

function formatDate(date: string): string {
  return new Intl.DateTimeFormat("en", { dateStyle: "medium" }).format(new Date(date));
}
