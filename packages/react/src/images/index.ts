export { createImageParts, type ImageParts } from "./create-image-parts.js";
export { FileGrid, type FileGridProps } from "./file-grid.js";
export type { FileGridLabels, UploadAvatarLabels } from "./image-labels.js";
export {
  createImageLoader,
  type ImageLoaderInput,
  type ImageLoaderOptions,
  type ImageSize,
  toSrcSet,
} from "./responsive.js";
export { UploadAvatar, type UploadAvatarProps } from "./upload-avatar.js";
