"use client";

import { type PartProps, useStanding } from "./upload-context.js";

/** Where the file stands that it is in; outside of a file, where all of them stand. */
export function UploadStatus(props: PartProps) {
  return <span {...props}>{useStanding().status}</span>;
}
