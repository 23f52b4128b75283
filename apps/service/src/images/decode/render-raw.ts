import type { VariantParameters } from "../preset-parameters.js";
import { isSensorDirectory, readTiffDirectories, type TiffDirectory, tiffTags } from "../tiff-directories.js";
import { type Rendered, UnreadableError } from "./renderer.js";
import { scaledSize, type Size } from "./size.js";

/** A JPEG inside of another file. */
interface Preview extends Size {
  /** From its first byte to the end of the file. A decoder stops at the end of the JPEG. */
  bytes: Buffer;
}

/**
 * Shows a camera raw file by a JPEG that the camera put into it. Nothing is developed. Of the previews that have all pixels of the variant,
 * the smallest is taken.
 */
export async function renderRaw(original: Buffer, parameters: VariantParameters): Promise<Rendered> {
  const directories = findDirectories(original);
  const orientation = directories.map((each) => valueOf(each, tiffTags.orientation)).find(Boolean) ?? 1;
  const previews = findPreviews(original).toSorted((a, b) => a.width - b.width);
  const largest = previews.at(-1);
  if (!largest) throw new UnreadableError("there is no preview in this camera raw file");
  const found = findSize(original, directories);
  const stored = found && isLike(found, largest) ? found : null;
  const size = stored && (isOnItsSide(orientation) ? turned(stored) : stored);
  // If the file does not say the size of its picture, the variant needs as many pixels as the preset allows.
  const shape = size ?? (isOnItsSide(orientation) ? turned(largest) : largest);
  const scale = size ? 1 : UNKNOWN_SCALE;
  const needed = scaledSize({ width: shape.width * scale, height: shape.height * scale }, parameters);
  const preview = previews.find((each) => longSide(each) >= ENOUGH * longSide(needed));
  if (!preview)
    throw new UnreadableError(
      `the largest preview in this camera raw file has ${largest.width} × ${largest.height} pixels, and the variant needs ${needed.width} × ${needed.height}`,
    );
  return { bytes: withOrientation(preview.bytes, orientation), size };
}

/** Larger than each preset. */
const UNKNOWN_SCALE = 10_000;
/** Previews leave out some pixels of the border. */
const ENOUGH = 0.97;

/** Some sensors have rows that are shifted by half a pixel. Their files name a size with another shape than the picture. */
const MAX_OTHER_SHAPE = 1.4;
const isLike = (size: Size, preview: Size) => {
  const ratio = (size.width * preview.height) / (size.height * preview.width);
  return ratio < MAX_OTHER_SHAPE && ratio > 1 / MAX_OTHER_SHAPE;
};

const longSide = ({ width, height }: Size) => Math.max(width, height);
const turned = ({ width, height }: Size): Size => ({ width: height, height: width });
const isOnItsSide = (orientation: number) => orientation >= 5;
const valueOf = (directory: TiffDirectory, tag: number) => directory.get(tag)?.[0];

/** Most formats are TIFF. CR3 has three of them in boxes of QuickTime. */
function findDirectories(bytes: Buffer): TiffDirectory[] {
  const boxes = ["CMT1", "CMT2"].map((name) => bytes.indexOf(name, 0, "latin1")).filter((at) => at > 0);
  return [
    readTiffDirectories(bytes),
    ...boxes.map((at) => readTiffDirectories(bytes.subarray(at + 4))),
  ].flat();
}

/** As the sensor has it, without a turn. Null: the file does not tell. */
function findSize(bytes: Buffer, directories: TiffDirectory[]): Size | null {
  const pairs = [
    ...directories.map((each) => each.get(tiffTags.croppedSize) ?? []),
    ...directories.map((each) => [each.get(tiffTags.pixelWidth), each.get(tiffTags.pixelHeight)].flat()),
    ...directories.map(panasonicSize),
    fujiSize(bytes),
    ...directories
      .filter(isSensorDirectory)
      .map((each) => [each.get(tiffTags.width), each.get(tiffTags.height)].flat()),
  ];
  for (const [width, height] of pairs)
    if (width !== undefined && height !== undefined && width > 0 && height > 0)
      return { width: Math.round(width), height: Math.round(height) };
  return null;
}

/** Panasonic writes the borders of the picture on the sensor: top, left, bottom, right. */
function panasonicSize(directory: TiffDirectory): number[] {
  const [top, left, bottom, right] = [4, 5, 6, 7].map((tag) => valueOf(directory, tag));
  const isWhole = top !== undefined && left !== undefined && bottom !== undefined && right !== undefined;
  return isWhole ? [right - left, bottom - top] : [];
}

const FUJI_HEADER_OFFSET = 92;
const FUJI_CROPPED_SIZE = 0x111;

/** Fujifilm has a list of its own: number, length, value. */
function fujiSize(bytes: Buffer): number[] {
  if (!bytes.toString("latin1", 0, 8).startsWith("FUJIFILM") || bytes.length < 100) return [];
  let at = bytes.readUInt32BE(FUJI_HEADER_OFFSET);
  if (at + 4 > bytes.length) return [];
  const count = Math.min(bytes.readUInt32BE(at), 256);
  at += 4;
  for (let n = 0; n < count && at + 8 <= bytes.length; n++) {
    const [tag, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    if (tag === FUJI_CROPPED_SIZE) return [bytes.readUInt16BE(at + 6), bytes.readUInt16BE(at + 4)];
    at += 4 + length;
  }
  return [];
}

/** Compressed pixels of a sensor look like the start of a JPEG now and then. Each is checked, but not without an end. */
const MAX_CANDIDATES = 1000;
const START = Buffer.from([0xff, 0xd8, 0xff]);

/** Looks for every JPEG, because each maker keeps them in another place. */
function findPreviews(bytes: Buffer): Preview[] {
  const previews: Preview[] = [];
  let at = bytes.indexOf(START);
  for (let n = 0; at !== -1 && n < MAX_CANDIDATES; n++) {
    const candidate = bytes.subarray(at);
    const size = jpegSize(candidate);
    if (size) previews.push({ bytes: candidate, ...size });
    at = bytes.indexOf(START, at + START.length);
  }
  return previews;
}

/** The start of a frame that sharp decodes: baseline, extended, progressive. The pixels of a sensor are lossless JPEG, 0xc3. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const MAX_SEGMENTS = 100;

function jpegSize(bytes: Buffer): Size | null {
  for (const { code, at, end } of segmentsOf(bytes)) {
    if (code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code)) {
      if (!FRAMES.includes(code) || bytes[at] !== 8 || end - at < 6) return null;
      const [height, width] = [bytes.readUInt16BE(at + 1), bytes.readUInt16BE(at + 3)];
      return width > 0 && height > 0 ? { width, height } : null;
    }
  }
  return null;
}

/** The segments of a JPEG until its first scan: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.1. */
function* segmentsOf(bytes: Buffer): Generator<{ code: number; at: number; end: number }> {
  let at = 2;
  for (let n = 0; n < MAX_SEGMENTS && at + 4 <= bytes.length && bytes[at] === 0xff; n++) {
    const [code, length] = [bytes[at + 1] ?? 0, bytes.readUInt16BE(at + 2)];
    const end = at + 2 + length;
    if (code < 0xc0 || code === 0xda || length < 2 || end > bytes.length) return;
    yield { code, at: at + 4, end };
    at = end;
  }
}

/** Tells a decoder how the camera was held, unless the preview tells it. */
function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const exifOf = ({ code, at }: { code: number; at: number }) =>
    code === 0xe1 && jpeg.toString("latin1", at, at + 6) === "Exif\0\0";
  const own = [...segmentsOf(jpeg)].filter(exifOf);
  const says = own.some(({ at, end }) =>
    readTiffDirectories(jpeg.subarray(at + 6, end)).some((each) => each.has(tiffTags.orientation)),
  );
  if (says || orientation < 2 || orientation > 8) return jpeg;
  const value = orientation.toString(16).padStart(4, "0");
  const tiff = `4d4d002a0000000800010112000300000001${value}000000000000`;
  const exif = Buffer.from(`ffe10022457869660000${tiff}`, "hex");
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
