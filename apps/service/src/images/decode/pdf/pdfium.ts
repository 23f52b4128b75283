import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { RendererMissingError, UnreadableError } from "../renderer.js";

/*
 * PDFium, the renderer of Chromium, compiled to WebAssembly. It has no script engine, and WebAssembly reaches no file and no network.
 * docs/decisions/0059 says why this one.
 */

/** A pointer into the memory of the module. */
type Pointer = number;

/** https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdfview.h */
export interface Pdfium {
  pdfium: {
    readonly HEAPU8: Uint8Array;
    wasmExports: { malloc(bytes: number): Pointer };
  };
  PDFiumExt_Init(): void;
  FPDF_LoadMemDocument64(bytes: Pointer, length: number, password: string | null): Pointer;
  FPDF_GetLastError(): number;
  FPDF_LoadPage(document: Pointer, index: number): Pointer;
  FPDF_GetPageWidthF(page: Pointer): number;
  FPDF_GetPageHeightF(page: Pointer): number;
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    memory: Pointer,
    stride: number,
  ): Pointer;
  FPDFBitmap_FillRect(
    bitmap: Pointer,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): boolean;
  FPDF_RenderPageBitmap(bitmap: Pointer, page: Pointer, ...placed: Placed): void;
  PDFiumExt_OpenFormFillInfo(): Pointer;
  PDFiumExt_InitFormFillEnvironment(document: Pointer, info: Pointer): Pointer;
  FPDF_FFLDraw(form: Pointer, bitmap: Pointer, page: Pointer, ...placed: Placed): void;
  FPDFBitmap_GetBuffer(bitmap: Pointer): Pointer;
  FPDFBitmap_GetStride(bitmap: Pointer): number;
}

type Placed = [left: number, top: number, width: number, height: number, rotation: number, flags: number];

interface Options {
  wasmBinary: Buffer;
  print(text: string): void;
  printErr(text: string): void;
}

const require = createRequire(import.meta.url);
/** It is loaded for the first PDF: most workers see none for long. */
let loaded: ReturnType<typeof load> | null = null;

/**
 * Gives a new instance to `use`, which then needs to free nothing. It takes some 25 ms, and the memory of one document, which may belong
 * to another project, is not there for the next.
 *
 * @throws {RendererMissingError}
 * @throws {UnreadableError} if the instance traps, which another try would repeat
 * @throws {Error} about memory if its memory could not grow, also if it went on without
 */
export async function withPdfium<Result>(use: (pdfium: Pdfium) => Result): Promise<Result> {
  const { init, wasmBinary } = await (loaded ??= load());
  let lacksMemory = false;
  try {
    const pdfium = await init({
      wasmBinary,
      print: () => undefined,
      // It tells a refused growth only here. Without that memory it leaves pictures out of the page.
      printErr: (text) => (lacksMemory ||= /enlarge memory|grow the heap/.test(text)),
    });
    pdfium.PDFiumExt_Init();
    const result = use(pdfium);
    if (!lacksMemory) return result;
  } catch (error) {
    if (!lacksMemory) throw isTrap(error) ? new UnreadableError("the renderer of PDF failed") : error;
  }
  throw new Error("out of memory while a PDF was rendered");
}

/** A WebAssembly.RuntimeError, for which there is no type outside of browsers. */
const isTrap = (error: unknown) => (error as Error).name === "RuntimeError";

async function load() {
  try {
    const { init } = require("@embedpdf/pdfium") as { init(options: Options): Promise<Pdfium> };
    return { init, wasmBinary: await readFile(require.resolve("@embedpdf/pdfium/pdfium.wasm")) };
  } catch (error) {
    loaded = null;
    throw new RendererMissingError("the renderer of PDF cannot be loaded", { cause: error });
  }
}
