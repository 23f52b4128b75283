/*
 * What the rows of a list need: the part of `internals` that `@stowage/react` loads after the first view. No module is in both: esbuild
 * loads a module first if the first view uses another one of the same entry.
 */
export { formatDateTime, formatPercent } from "./format.js";
export type { ActiveLabels } from "./labels/labels.js";
export { englishResumeLabels } from "./labels/resume-labels.js";
export { failureOf, pendingRetryOf } from "./upload-item.js";
export {
  alertPath,
  checkPath,
  closePath,
  collapsePath,
  pausePath,
  resumePath,
  retryPath,
} from "./view/icon-paths.js";
export {
  type ActionName,
  connectionText,
  fileView,
  isShownInPercent,
  type ItemView,
  listView,
  type SharedView,
} from "./view/item-view.js";
export { createListUse, hasFocus } from "./view/list-in-use.js";
export { announceResumable, lostText, resumableText, type ResumeLabels } from "./view/resumable-view.js";
export { canPreview, extensionOf } from "./view/row-badge.js";
export { firstAddedRow, orderRows } from "./view/row-order.js";
export { firstSlots, LONG_LIST_ROWS, type MeasuredRows, type RowSlot, slotsOf } from "./view/row-slots.js";
export { focusedRowId, OVERSCAN_ROWS, ROW_PX, withFocusedRow } from "./view/row-window.js";
export { nameFiles, NO_NAMES, type UniqueNames, uniqueNameOf } from "./view/unique-names.js";
