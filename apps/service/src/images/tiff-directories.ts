/*
 * Reads the directories of a TIFF (https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf), which most camera raw files are. Every
 * offset may be a lie, so each read is checked, and there is an end to everything.
 */

/** What one directory says about one picture. Values that do not fit are left out. */
export type TiffDirectory = ReadonlyMap<number, readonly number[]>;

export const tiffTags = {
  subfileType: 254,
  width: 256,
  height: 257,
  compression: 259,
  photometric: 262,
  orientation: 274,
  subDirectories: 330,
  exif: 34665,
  pixelWidth: 40962,
  pixelHeight: 40963,
  dngVersion: 50706,
  croppedSize: 50720,
} as const;

/** The pixels of a sensor: a mosaic of colors, or linear. */
const SENSOR_PHOTOMETRICS = [32_803, 34_892];

export const isSensorDirectory = (directory: TiffDirectory) =>
  SENSOR_PHOTOMETRICS.includes(directory.get(tiffTags.photometric)?.[0] ?? 0);

/** TIFF, and what Olympus (twice) and Panasonic write instead. BigTIFF is read by libvips alone. */
const MAGIC_NUMBERS = [42, 0x4f52, 0x5352, 0x55];
const MAX_DIRECTORIES = 32;
const MAX_ENTRIES = 512;
const MAX_VALUES = 16;
const ENTRY_BYTES = 12;
/** By the number of their type: BYTE, ASCII, SHORT, LONG, RATIONAL. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8];
const SHORT = 3;
const RATIONAL = 5;

/** @returns the directories with those inside of them; none if the bytes are no TIFF */
export function readTiffDirectories(bytes: Buffer): TiffDirectory[] {
  const order = bytes.toString("latin1", 0, 2);
  if (bytes.length < 8 || (order !== "II" && order !== "MM")) return [];
  const read = aReader(bytes, order === "II");
  if (!MAGIC_NUMBERS.includes(read.u16(2))) return [];
  const directories: TiffDirectory[] = [];
  const waiting = [read.u32(4)];
  const seen = new Set<number>();
  while (waiting.length > 0 && directories.length < MAX_DIRECTORIES) {
    const at = waiting.shift()!;
    if (at === 0 || seen.has(at)) continue;
    seen.add(at);
    const { directory, next } = readDirectory(read, at);
    directories.push(directory);
    const { subDirectories, exif } = tiffTags;
    waiting.push(...(directory.get(exif) ?? []), ...(directory.get(subDirectories) ?? []), next);
  }
  return directories;
}

type Reader = ReturnType<typeof aReader>;

/** What is outside of the file is zero. */
function aReader(bytes: Buffer, isLittle: boolean) {
  const isInside = (at: number, length: number) => at >= 0 && at + length <= bytes.length;
  return {
    u16: (at: number) => {
      if (!isInside(at, 2)) return 0;
      return isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
    },
    u32: (at: number) => {
      if (!isInside(at, 4)) return 0;
      return isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    },
  };
}

function readDirectory(read: Reader, at: number): { directory: TiffDirectory; next: number } {
  const entries = Math.min(read.u16(at), MAX_ENTRIES);
  const directory = new Map<number, number[]>();
  for (let n = 0; n < entries; n++) {
    const entry = at + 2 + n * ENTRY_BYTES;
    const type = read.u16(entry + 2);
    const count = read.u32(entry + 4);
    const size = TYPE_BYTES[type];
    if (!size || size === 1 || count > MAX_VALUES) {
      directory.set(read.u16(entry), []);
      continue;
    }
    const from = count * size <= 4 ? entry + 8 : read.u32(entry + 8);
    directory.set(
      read.u16(entry),
      Array.from({ length: count }, (_, index) => readValue(read, type, from + index * size)),
    );
  }
  return { directory, next: read.u32(at + 2 + entries * ENTRY_BYTES) };
}

function readValue(read: Reader, type: number, at: number): number {
  if (type === SHORT) return read.u16(at);
  return type === RATIONAL ? read.u32(at) / read.u32(at + 4) : read.u32(at);
}
