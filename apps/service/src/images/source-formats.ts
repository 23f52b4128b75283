/** What an original may be. */
export interface SourceFormat {
  /** As a sentence names it. */
  name: string;
  /** Its media types. */
  types: readonly string[];
  /** Larger ones are not decoded. */
  maxMegapixels: number;
}

/**
 * The formats of originals. Everything else is refused before a decoder sees it, such as SVG, which is a program. `decode/sources.ts` says
 * how the pixels of each are made.
 */
export const sourceFormats = {
  jpeg: { name: "JPEG", types: ["image/jpeg"], maxMegapixels: 50 },
  png: { name: "PNG", types: ["image/png"], maxMegapixels: 50 },
  webp: { name: "WebP", types: ["image/webp"], maxMegapixels: 50 },
  gif: { name: "GIF", types: ["image/gif"], maxMegapixels: 50 },
  avif: { name: "AVIF", types: ["image/avif"], maxMegapixels: 50 },
  heic: { name: "HEIC", types: ["image/heic", "image/heif"], maxMegapixels: 50 },
  raw: {
    name: "camera raw",
    types: [
      "image/x-adobe-dng",
      "image/x-canon-cr2",
      "image/x-canon-cr3",
      "image/x-fuji-raf",
      "image/x-nikon-nef",
      "image/x-olympus-orf",
      "image/x-panasonic-rw2",
      "image/x-sony-arw",
    ],
    maxMegapixels: 200,
  },
  tiff: { name: "TIFF", types: ["image/tiff"], maxMegapixels: 50 },
} satisfies Record<string, SourceFormat>;

export type DecodableFormat = keyof typeof sourceFormats;
