export { createImageParts, type ImageParts } from "./create-image-parts.js";
export { FileGrid, type FileGridProps } from "./file-grid.js";
export type { FileGridLabels, UploadAvatarLabels } from "@stowage/client/internals";
export {
  createImageLoader,
  type ImageLoaderInput,
  type ImageLoaderOptions,
  type ImageSize,
  toSrcSet,
} from "@stowage/client";
export { UploadAvatar, type UploadAvatarProps } from "./upload-avatar.js";
