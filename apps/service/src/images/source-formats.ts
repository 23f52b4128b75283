/** What an original may be. */
export interface SourceFormat {
  /** As a sentence names it. */
  name: string;
  /** Its media types. */
  types: readonly string[];
}

/**
 * The formats of originals. Everything else is refused before a decoder sees it, such as SVG, which is a program. `decode/sources.ts` says
 * how the pixels of each are made.
 */
export const sourceFormats = {
  jpeg: { name: "JPEG", types: ["image/jpeg"] },
  png: { name: "PNG", types: ["image/png"] },
  webp: { name: "WebP", types: ["image/webp"] },
  gif: { name: "GIF", types: ["image/gif"] },
  avif: { name: "AVIF", types: ["image/avif"] },
  tiff: { name: "TIFF", types: ["image/tiff"] },
} satisfies Record<string, SourceFormat>;

export type DecodableFormat = keyof typeof sourceFormats;
