import type { VariantParameters } from "../preset-parameters.js";
import type { DecodableFormat } from "../source-formats.js";

export interface Size {
  width: number;
  height: number;
}

/** How the pixels of a format are made. */
export interface Source {
  /** libvips' loader, which may run. */
  loader?: string;
  /** What libvips calls the format. */
  decodedAs?: string;
  /**
   * Makes bytes that libvips reads, in a format of this table that has a loader.
   *
   * @param parameters so that no more pixels are made than needed
   * @throws {UnreadableError} if the original has no picture
   */
  render?: (original: Buffer, parameters: VariantParameters) => Promise<Buffer>;
}

/** An original that cannot become a picture, whatever memory and time it gets. The message is for operators. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/** How the pixels of each format are made: by a loader of libvips, or by a renderer. */
export const sources: Record<DecodableFormat, Source> = {
  jpeg: { loader: "VipsForeignLoadJpegBuffer" },
  png: { loader: "VipsForeignLoadPngBuffer" },
  webp: { loader: "VipsForeignLoadWebpBuffer" },
  gif: { loader: "VipsForeignLoadNsgifBuffer" },
  avif: { loader: "VipsForeignLoadHeifBuffer", decodedAs: "heif" },
  tiff: { loader: "VipsForeignLoadTiffBuffer" },
};
