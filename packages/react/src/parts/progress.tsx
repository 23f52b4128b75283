"use client";

import type { CSSProperties } from "react";
import { useItemView } from "./item-view.js";
import type { PartProps } from "./upload-context.js";

/**
 * A progress bar: inside a row of that file, elsewhere of all files. It is rendered only while something is in
 * progress. The CSS variable `--progress` holds the percentage.
 */
export function UploadProgress(props: PartProps) {
  const { name, share, progressText } = useItemView();
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return progressText ? (
    <div
      role="progressbar"
      aria-label={name}
      aria-valuenow={percent}
      aria-valuetext={progressText}
      style={{ "--progress": `${percent ?? 0}%` } as CSSProperties}
      {...props}
    />
  ) : null;
}

/** The state in words: inside a row of that file, elsewhere of all files. */
export function UploadStatus(props: PartProps) {
  return <span {...props}>{useItemView().statusText}</span>;
}
