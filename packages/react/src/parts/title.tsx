"use client";

import { type PartProps, useView } from "./upload-context.js";

/** What to do here, and what happens on a drop. */
export function UploadTitle(props: PartProps) {
  return <p {...props}>{useView().title}</p>;
}
