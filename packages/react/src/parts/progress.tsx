"use client";

import type { CSSProperties } from "react";
import { type PartProps, useStanding } from "./upload-context.js";

/**
 * The progress of the file that it is in, named after it; outside of a file, of all of them. There only while
 * something is on its way. How far it is stands in the variable `--progress`.
 */
export function UploadProgress(props: PartProps) {
  const { name, share, progress } = useStanding();
  const percent = share === undefined ? share : Math.floor(share * 100);
  return progress ? (
    <div
      role="progressbar"
      aria-label={name}
      aria-valuenow={percent}
      aria-valuetext={progress}
      style={{ "--progress": `${percent ?? 0}%` } as CSSProperties}
      {...props}
    />
  ) : null;
}
