export {
  UploadCancel as Cancel,
  UploadCancelAll as CancelAll,
  UploadClear as Clear,
  UploadRemove as Remove,
  UploadRetry as Retry,
  UploadRetryAll as RetryAll,
  UploadStart as Start,
} from "./buttons.js";
export { UploadArea as Dropzone } from "./dropzone.js";
export { UploadHint as Hint } from "./hint.js";
export { UploadInput as Input, type UploadInputProps as InputProps } from "./input.js";
export { UploadRowItem as Item } from "./item.js";
export { UploadPage as Page, type UploadPageProps as PageProps } from "./page.js";
export { UploadPlainList as List, type UploadPlainListProps as ListProps } from "./plain-list.js";
export { UploadPreview as Preview, type UploadPreviewProps as PreviewProps } from "./preview.js";
export { UploadProgress as Progress } from "./progress.js";
export { UploadRoot as Root, type UploadRootProps as RootProps } from "./root.js";
export { UploadStatus as Status } from "./status.js";
export {
  type PickerSource,
  UploadSourceTrigger as Trigger,
  type UploadTriggerProps as TriggerProps,
} from "./source-trigger.js";
export { UploadTitle as Title } from "./title.js";
export type { PartProps } from "./upload-context.js";
