/** Media types of images that the browsers of today show in an `<img>`. SVG is not one of them: it can contain scripts. */
export const shownImageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"] as const;

/** Media types of further images that the service can make variants of. Its settings may switch some of them off. */
export const convertedImageTypes = [
  "image/heic",
  "image/heif",
  "image/jxl",
  "image/tiff",
  "image/x-adobe-dng",
  "image/x-canon-cr2",
  "image/x-canon-cr3",
  "image/x-fuji-raf",
  "image/x-nikon-nef",
  "image/x-olympus-orf",
  "image/x-panasonic-rw2",
  "image/x-sony-arw",
] as const;
