import type { VariantParameters } from "../../preset-parameters.js";
import { type Rendered, UnreadableError } from "../renderer.js";
import type { Size } from "../size.js";
import { aTiffFile } from "../tiff-file.js";
import { type Pdfium, withPdfium } from "./pdfium.js";

/* Numbers of fpdfview.h. */
const BITMAP_BGR = 2;
const WHITE = 0xffffffff;
/** Also annotations; RGB; no cache of decoded pictures, which would need more memory. */
const RENDER_FLAGS = 0x01 | 0x10 | 0x200;
const PASSWORD_ERROR = 4;

/** 4096 × 3072. A narrow page, such as a receipt of two meters, would have more with a preset that names only a width. */
const MAX_PIXELS = 12_600_000;
/** Of a WebP. */
const MAX_SIDE = 16_383;

/** Draws the first page of a PDF on white, at the size of the variant, so that a poster needs no more memory than a letter. */
export async function renderPdf(original: Buffer, parameters: VariantParameters): Promise<Rendered> {
  return withPdfium((pdfium) => {
    const { document, page } = openPage(pdfium, original);
    const points = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
    // A page has no pixels of its own, so it has no size to tell.
    return { bytes: draw(pdfium, { document, page }, sizeOf(points, parameters)), size: null };
  });
}

interface Page {
  document: number;
  page: number;
}

function openPage(pdfium: Pdfium, original: Buffer): Page {
  const at = pdfium.pdfium.wasmExports.malloc(original.length);
  if (at === 0) throw new Error("out of memory while a PDF was read");
  pdfium.pdfium.HEAPU8.set(original, at);
  const document = pdfium.FPDF_LoadMemDocument64(at, original.length, null);
  if (document === 0)
    throw new UnreadableError(
      pdfium.FPDF_GetLastError() === PASSWORD_ERROR
        ? "the PDF can be opened only with its password"
        : "the PDF is damaged",
    );
  const page = pdfium.FPDF_LoadPage(document, 0);
  if (page === 0) throw new UnreadableError("the PDF has no first page");
  return { document, page };
}

/** The size that fits the preset. A page is made of lines and letters, so it may become larger than it is on paper. */
function sizeOf(points: Size, { width, height, fit }: VariantParameters): Size {
  if (!(points.width > 0 && points.height > 0)) throw new UnreadableError("the first page has no size");
  const scales = [width, height].flatMap((side, n) =>
    side === null ? [] : side / (n === 0 ? points.width : points.height),
  );
  const wanted = fit === "inside" ? Math.min(...scales) : Math.max(...scales);
  const scale = Math.min(
    wanted,
    Math.sqrt(MAX_PIXELS / (points.width * points.height)),
    MAX_SIDE / Math.max(points.width, points.height),
  );
  const round = fit === "inside" ? Math.round : Math.ceil;
  const sideOf = (length: number) => Math.max(1, round(length * scale));
  return { width: sideOf(points.width), height: sideOf(points.height) };
}

/** @returns a TIFF */
function draw(pdfium: Pdfium, { document, page }: Page, { width, height }: Size): Buffer {
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BITMAP_BGR, 0, 0);
  if (bitmap === 0) throw new Error("out of memory for the pixels of a page");
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
  // The fields of a form are drawn apart. No action of the document is run.
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo());
  if (form !== 0) pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, RENDER_FLAGS);
  const from = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const { bytes, pixels } = aTiffFile({ width, height, channels: 3 }, null);
  for (let y = 0; y < height; y++) {
    const row = from + y * stride;
    pixels.data.set(pdfium.pdfium.HEAPU8.subarray(row, row + width * 3), y * width * 3);
  }
  return bytes;
}
