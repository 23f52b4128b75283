/** What an original may be. */
export interface SourceFormat {
  /** As a sentence names it. */
  name: string;
  /** Its media types. */
  types: readonly string[];
  /** Larger ones are not decoded: 512 MiB have to be enough (`pnpm lab decoder`). */
  maxMegapixels: number;
  /** The kind of it that needs more memory for each pixel. */
  heavy?: { name: string; maxMegapixels: number };
}

/**
 * The formats of originals. Everything else is refused before a decoder sees it, such as SVG, which is a program. `decode/sources.ts` says
 * how the pixels of each are made.
 */
export const sourceFormats = {
  // Decoded by rows, and at an eighth of its size where that is enough. The coefficients of a progressive one are kept as a whole.
  jpeg: {
    name: "JPEG",
    types: ["image/jpeg"],
    maxMegapixels: 300,
    heavy: { name: "progressive JPEG", maxMegapixels: 60 },
  },
  png: {
    name: "PNG",
    types: ["image/png"],
    maxMegapixels: 100,
    heavy: { name: "interlaced PNG", maxMegapixels: 50 },
  },
  webp: { name: "WebP", types: ["image/webp"], maxMegapixels: 50 },
  gif: { name: "GIF", types: ["image/gif"], maxMegapixels: 50 },
  avif: {
    name: "AVIF",
    types: ["image/avif"],
    maxMegapixels: 30,
    heavy: { name: "AVIF with more than 8 bits", maxMegapixels: 20 },
  },
  heic: { name: "HEIC", types: ["image/heic", "image/heif"], maxMegapixels: 50 },
  // The decoder has 34 bytes for each pixel.
  jxl: { name: "JPEG XL", types: ["image/jxl"], maxMegapixels: 12.2 },
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
  // Its first page is drawn at the size of the variant.
  pdf: { name: "PDF", types: ["application/pdf"], maxMegapixels: 50 },
  tiff: { name: "TIFF", types: ["image/tiff"], maxMegapixels: 50 },
} satisfies Record<string, SourceFormat>;

export type DecodableFormat = keyof typeof sourceFormats;
