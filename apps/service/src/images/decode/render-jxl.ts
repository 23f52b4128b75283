import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { canAllocate, freeMemory } from "./free-memory.js";
import { requireFewPixels } from "./limits.js";
import { type Rendered, UnreadableError } from "./renderer.js";
import type { Size } from "./size.js";
import { aTiffFile } from "./tiff-file.js";

/*
 * JPEG XL, ISO/IEC 18181. libjxl as WebAssembly decodes it into sRGB with 8 bits, and turns it: docs/decisions/0062.
 */

interface Decoder {
  /** Null: the file is damaged, or there was no memory. */
  decode(bytes: Uint8Array): DecodedImage | null;
}

interface DecodedImage extends Size {
  data: Uint8ClampedArray;
}

/** The decoder makes one of these, which only browsers have. */
class ImageData implements DecodedImage {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

export async function renderJxl(original: Buffer): Promise<Rendered> {
  const announced = readSize(original);
  if (!announced) throw new UnreadableError("this JPEG XL has no picture");
  requireFewPixels("jxl", announced);
  const image = await decode(original);
  // Each file has a decoder of its own, which had some 400 MB.
  await freeMemory();
  if (!image) throw failureOf(announced);
  const { data, width, height } = image;
  const { bytes, pixels } = aTiffFile({ width, height, channels: 4 }, null);
  pixels.data.set(data);
  return { bytes, size: { width, height } };
}

const require = createRequire(import.meta.url);
const SCRIPT = "@jsquash/jxl/codec/dec/jxl_dec.js";
const BINARY = "@jsquash/jxl/codec/dec/jxl_dec.wasm";

async function decode(original: Buffer): Promise<DecodedImage | null> {
  Object.assign(globalThis, { ImageData });
  const { default: create } = (await import(SCRIPT)) as {
    default: (options: object) => Promise<Decoder>;
  };
  const quiet = () => undefined;
  const wasmBinary = readFileSync(require.resolve(BINARY));
  const decoder = await create({ wasmBinary, print: quiet, printErr: quiet });
  try {
    return decoder.decode(original);
  } catch {
    // Also a trap, and memory that cannot grow.
    return null;
  }
}

const BYTES_PER_PIXEL = 36;
const DECODER_BYTES = 64 * 1024 ** 2;

/** The decoder says no more than that it failed. Memory that can be had now was not missing before. */
function failureOf({ width, height }: Size): Error {
  const hadMemory = canAllocate(DECODER_BYTES + width * height * BYTES_PER_PIXEL);
  return hadMemory
    ? new UnreadableError("this JPEG XL is damaged")
    : new Error("out of memory while a JPEG XL was decoded");
}

/** Widths by their ratio to the height: ISO/IEC 18181-1, SizeHeader. */
const RATIOS = [0, 1, 1.2, 4 / 3, 1.5, 16 / 9, 1.25, 2];
const SIZE_BITS = [9, 13, 18, 30];

function readSize(bytes: Buffer): Size | null {
  const start = findCodestream(bytes);
  if (start === null || start + 2 > bytes.length) return null;
  let at = (start + 2) * 8;
  const read = (bits: number): number => {
    let value = 0;
    for (let n = 0; n < bits; n++, at++) if (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) value += 2 ** n;
    return value;
  };
  const isSmall = read(1) === 1;
  const readSide = () => (isSmall ? 8 * (read(5) + 1) : read(SIZE_BITS[read(2)] ?? 0) + 1);
  const height = readSide();
  const ratio = read(3);
  return { width: ratio === 0 ? readSide() : Math.floor(height * (RATIOS[ratio] ?? 0)), height };
}

const MAX_BOXES = 64;

/** The codestream alone, or in a box of a container. @returns where it begins */
function findCodestream(bytes: Buffer): number | null {
  if (bytes[0] === 0xff) return 0;
  for (let n = 0, at = 0; n < MAX_BOXES && at + 16 <= bytes.length; n++) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = at + (length === 1 ? 16 : 8);
    if (type === "jxlc") return content;
    // A part of it begins with its number.
    if (type === "jxlp") return content + 4;
    if (length === 0) return null;
    at += length === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : length;
  }
  return null;
}
