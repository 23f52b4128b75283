export {
  UploadCancel as Cancel,
  UploadCancelAll as CancelAll,
  UploadClear as Clear,
  UploadPause as Pause,
  UploadPauseAll as PauseAll,
  UploadRemove as Remove,
  UploadRetry as Retry,
  UploadRetryAll as RetryAll,
  UploadStart as Start,
} from "./action-button.js";
export { UploadArea as Dropzone, UploadHint as Hint, UploadTitle as Title } from "./area.js";
export { UploadDiscard as Discard, type UploadDiscardProps as DiscardProps } from "./discard.js";
export { UploadInput as Input, type UploadInputProps as InputProps } from "./input.js";
export {
  UploadPlainList as List,
  type UploadPlainListProps as ListProps,
  UploadRowItem as Item,
} from "./list.js";
export { UploadPage as Page, type UploadPageProps as PageProps } from "./page.js";
export { UploadPreview as Preview, type UploadPreviewProps as PreviewProps } from "./preview.js";
export { UploadProgress as Progress, UploadStatus as Status } from "./progress.js";
export { UploadProvider as Provider, type UploadProviderProps as ProviderProps } from "./provider.js";
export { UploadResumable as Resumable, type UploadResumableProps as ResumableProps } from "./resumable.js";
export { UploadRoot as Root, type UploadRootProps as RootProps } from "./root.js";
export { UploadTray as Tray, type UploadTrayProps as TrayProps } from "./tray.js";
export {
  type PickerSource,
  UploadSourceTrigger as Trigger,
  type UploadTriggerProps as TriggerProps,
} from "./trigger.js";
export type { PartProps } from "./upload-context.js";
