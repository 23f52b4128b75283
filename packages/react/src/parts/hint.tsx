"use client";

import { formatBytes } from "@stowage/schemas/rules";
import { kindsOf } from "../core/kinds.js";
import type { UploadLimits } from "../core/upload-limits.js";
import type { Words } from "./labels.js";
import { type PartProps, useView } from "./upload-context.js";

/** What may be chosen; or, when a form has something to say, that. */
export function UploadHint(props: PartProps) {
  const { hint, hintId, notice } = useView();
  return hint ? (
    <p id={hintId} data-notice={notice ? "" : undefined} {...props}>
      {hint}
    </p>
  ) : null;
}

export function hintText(limits: UploadLimits, labels: Words): string {
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
