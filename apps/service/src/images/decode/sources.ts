import type { DecodableFormat } from "../source-formats.js";
import { renderHeic } from "./heic/render-heic.js";
import { renderPdf } from "./pdf/render-pdf.js";
import { renderJxl } from "./render-jxl.js";
import { renderRaw } from "./render-raw.js";
import type { Renderer } from "./renderer.js";

/** How the pixels of a format are made. */
export interface Source {
  /** libvips' loader, which may run. */
  loader?: string;
  /** What libvips calls the format. */
  decodedAs?: string;
  /** Makes a picture that libvips reads. */
  render?: Renderer;
}

/** How the pixels of each format are made: by a loader of libvips, or by a renderer. */
export const sources: Record<DecodableFormat, Source> = {
  jpeg: { loader: "VipsForeignLoadJpegBuffer" },
  png: { loader: "VipsForeignLoadPngBuffer" },
  webp: { loader: "VipsForeignLoadWebpBuffer" },
  gif: { loader: "VipsForeignLoadNsgifBuffer" },
  avif: { loader: "VipsForeignLoadHeifBuffer", decodedAs: "heif" },
  tiff: { loader: "VipsForeignLoadTiffBuffer" },
  heic: { render: renderHeic },
  raw: { render: renderRaw },
  jxl: { render: renderJxl },
  pdf: { render: renderPdf },
};
