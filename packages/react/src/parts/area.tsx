"use client";

import { formatBytes } from "@stowage/schemas/rules";
import { kindsOf } from "../core/kinds.js";
import type { UploadLimits } from "../core/upload-limits.js";
import type { ActiveLabels } from "./labels.js";
import { type PartProps, useRootView } from "./upload-context.js";

/** The area that asks for files. It has the same `data-state` as the root; files can be dropped anywhere in the root. */
export function UploadArea(props: PartProps) {
  return <div data-state={useRootView().state} {...props} />;
}

/** Says what to do here. During a drag it says what a drop would do. */
export function UploadTitle(props: PartProps) {
  return <p {...props}>{useRootView().title}</p>;
}

/** Says which files are accepted. A notice of the form replaces it. */
export function UploadHint(props: PartProps) {
  const { hint, hintId, notice } = useRootView();
  return hint ? (
    <p id={hintId} data-notice={notice ? "" : undefined} {...props}>
      {hint}
    </p>
  ) : null;
}

/** The limits in words, with a capital letter at the start. */
export function hintText(limits: UploadLimits, labels: ActiveLabels): string {
  const { locale } = labels;
  const size = (bytes: number | undefined) => (bytes === undefined ? "" : formatBytes(bytes, locale));
  const text = labels.hint(
    {
      kinds: kindsOf(limits.accept, labels.kinds).join(", "),
      minSize: size(limits.minSize),
      maxSize: size(limits.maxSize),
      maxTotalSize: size(limits.maxTotalSize),
      maxFiles: limits.maxFiles,
    },
    locale,
  );
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
