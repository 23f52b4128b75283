export { createImageParts, type ImageParts } from "./create-image-parts.js";
export { FileGrid, type FileGridLabels, type FileGridProps } from "./file-grid.js";
export {
  createImageLoader,
  type ImageLoaderInput,
  type ImageLoaderOptions,
  type ImageSize,
  toSrcSet,
} from "./responsive.js";
export { UploadAvatar, type UploadAvatarProps } from "./upload-avatar.js";
