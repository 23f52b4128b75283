"use client";

import { type PartProps, useView } from "./upload-context.js";

/** The place that asks for files. `data-state` is that of the root. */
export function UploadArea(props: PartProps) {
  return <div data-state={useView().state} {...props} />;
}
