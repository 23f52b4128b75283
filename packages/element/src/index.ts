import { StowageDropzone } from "./stowage-dropzone.js";

export type {
  DropzoneChangeDetail,
  DropzoneEventMap,
  DropzoneFailedDetail,
  DropzoneUploadedDetail,
} from "./dropzone-events.js";
export { registerLocales } from "./texts/registered-locales.js";
export type { DropzoneProperties, DropzoneSettings } from "./dropzone-settings.js";
export type { PickerSource } from "./input/file-pickers.js";
export { StowageDropzone };

// A server has no document, and a page may load two copies of this module.
if (typeof document !== "undefined" && customElements.get("stowage-dropzone") === undefined) {
  customElements.define("stowage-dropzone", StowageDropzone);
}

declare global {
  interface HTMLElementTagNameMap {
    "stowage-dropzone": StowageDropzone;
  }
}
