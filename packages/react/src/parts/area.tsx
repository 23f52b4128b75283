"use client";

import { isTouched } from "@stowage/client/internals";
import { useSyncExternalStore } from "react";
import { type PartProps, useRootView } from "./upload-context.js";

/** The area that asks for files. It has the same `data-state` as the root; files can be dropped anywhere in the root. */
export function UploadArea(props: PartProps) {
  return <div data-state={useRootView().state} {...props} />;
}

/** Says what a person can do here, and during a drag what a drop would do. Phones and tablets show the name of the widget instead. */
export function UploadTitle(props: PartProps) {
  const { title, name, shared } = useRootView();
  const isPhone = useSyncExternalStore(watchNothing, isTouched, () => false);
  return <p {...props}>{isPhone && title === shared.labels.title ? name : title}</p>;
}

const watchNothing = () => () => {};

/** Says which files are accepted. A notice replaces it. A second line says how many system files were left out. */
export function UploadHint(props: PartProps) {
  const { hint, hintId, notice, leftOut } = useRootView();
  return hint || leftOut ? (
    <p id={hintId} data-notice={notice ? "" : undefined} {...props}>
      {hint && <span>{hint}</span>}
      {hint && leftOut && <br />}
      {leftOut && <span>{leftOut}</span>}
    </p>
  ) : null;
}
