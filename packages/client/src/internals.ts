/*
 * What the packages with components share: `@stowage/react` and `@stowage/element`. These depend on exactly this version. The names
 * may change in any release; pages use the other entries.
 */
export { createImageUrls, type ImageUrl, type ImageUrls } from "./images/image-urls.js";
export { loadCode, type NamedCode } from "./load-code.js";
export { kindsOf } from "./kinds.js";
export { englishBrowserLabels, type FileBrowserLabels } from "./labels/browser-labels.js";
export {
  englishAvatarLabels,
  englishGridLabels,
  type FileGridLabels,
  type UploadAvatarLabels,
} from "./labels/image-labels.js";
export { type ActiveLabels, englishLabels } from "./labels/labels.js";
export {
  englishFormLabels,
  englishPageLabels,
  englishTrayLabels,
  englishTriggerLabels,
} from "./labels/part-labels.js";
export { hintOnce } from "./network/hint-once.js";
export { type BackendSettings, transportOf } from "./network/transport-of.js";
export { browserRuntime } from "./runtime.js";
export {
  createStoreCache,
  type DetachedList,
  type StoreCache,
  type UploadUser,
} from "./store/store-cache.js";
export { addTotals } from "./store/totals.js";
export { defaultListKey, listKeyOf } from "./store/list-key.js";
export { storeCacheOf } from "./store/upload-client.js";
export { hasOwnText } from "./view/clipboard-text.js";
export { createAnnouncer } from "./view/announcer.js";
export {
  createDropTarget,
  type DragState,
  type DropTargetOptions,
  hasFiles,
  isTouched,
} from "./view/drop-target.js";
export { comesFrom, comesFromTextField } from "./view/event-path.js";
export { addFilesFromEvent, type FilesEvent } from "./view/files-from-event.js";
export type { FilesNotice } from "./view/read-files.js";
export { isFirstInvalid } from "./view/form-fields.js";
export { hintText } from "./view/hint-text.js";
export type { ActionName, ItemView, SharedView } from "./view/item-view.js";
export { focusTarget, type LastFocus, lastFocusAt } from "./view/focus-target.js";
export { uploadPath } from "./view/upload-path.js";
