import { formatBytes } from "@stowage/schemas/page-rules";
import { kindsOf } from "../kinds.js";
import type { ActiveLabels } from "../labels/labels.js";
import type { UploadLimits } from "../upload-limits.js";

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
