"use client";

import type { HTMLAttributes } from "react";
import { onDemand, useOnDemand } from "../on-demand.js";
import type { ResumableRowsProps } from "./resumable-rows.js";
import { useRootView } from "./upload-context.js";

/** The attributes of the list. */
export type UploadResumableProps = Omit<HTMLAttributes<HTMLUListElement>, "children">;

/**
 * Names files that were lost with the last page, and lists unfinished large uploads, for example after a reload: their progress, until when they can be continued, Continue and
 * Discard. Renders nothing while there are none. `UploadDropzone`, `UploadButton`, `Upload.Tray` and an
 * `Upload.List` without children contain it.
 *
 * @example <Upload.Root endpoint="/api/upload" resumable><Upload.Resumable /><Upload.Trigger /></Upload.Root>
 */
export function UploadResumable(props: UploadResumableProps) {
  const { upload, shared, announce } = useRootView();
  return <ResumableUploads {...props} upload={upload} labels={shared.labels} announce={announce} />;
}

const rows = /* @__PURE__ */ onDemand(() => import("./resumable-rows.js"), "resumable-rows");

/** Loads the rows when the first one is needed. They stay mounted to announce how each upload ended. */
export function ResumableUploads(props: ResumableRowsProps) {
  const code = useOnDemand(rows, props.upload.resumable.length + props.upload.lost.length > 0);
  return code ? <code.ResumableRows {...props} /> : null;
}
