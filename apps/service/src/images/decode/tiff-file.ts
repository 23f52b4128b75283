/** Pixels of a renderer: rows without gaps, 8 bits for each channel. */
export interface Pixels {
  width: number;
  height: number;
  /** RGB, or RGB with alpha that is not multiplied in. */
  channels: 3 | 4;
  /** To write into. */
  data: Buffer;
}

/** Types of values. */
const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const BYTES_OF = { [SHORT]: 2, [LONG]: 4, [UNDEFINED]: 1 };

interface Entry {
  tag: number;
  type: keyof typeof BYTES_OF;
  values: readonly number[] | Buffer;
}

/** libvips reads so many rows at a time. */
const ROWS_PER_STRIP = 64;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/**
 * An uncompressed TIFF whose pixels the caller writes, so that nothing is copied: https://www.itu.int/itudoc/itu-t/com16/tiff-fx/docs/tiff6.pdf.
 * sharp's raw input cannot have a color profile.
 *
 * @throws {Error} about memory
 */
export function aTiffFile(
  { width, height, channels }: Omit<Pixels, "data">,
  icc: Buffer | null,
): { bytes: Buffer; pixels: Pixels } {
  const strips = Array.from({ length: Math.ceil(height / ROWS_PER_STRIP) }, (_, n) => n * ROWS_PER_STRIP);
  const rowBytes = width * channels;
  const entries = (pixelsAt: number): Entry[] => [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: Array<number>(channels).fill(8) },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [2] },
    { tag: 273, type: LONG, values: strips.map((row) => pixelsAt + row * rowBytes) },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [ROWS_PER_STRIP] },
    { tag: 279, type: LONG, values: strips.map((row) => Math.min(ROWS_PER_STRIP, height - row) * rowBytes) },
    ...(channels === 4 ? [{ tag: 338, type: SHORT, values: [2] } as const] : []),
    ...(icc ? [{ tag: 34675, type: UNDEFINED, values: icc } as const] : []),
  ];
  const headBytes = writeHead(entries(0)).length;
  const bytes = allocate(headBytes + rowBytes * height);
  writeHead(entries(headBytes)).copy(bytes);
  return { bytes, pixels: { width, height, channels, data: bytes.subarray(headBytes) } };
}

/** The header, the directory, and the values that do not fit into it. */
function writeHead(entries: Entry[]): Buffer {
  const directory = Buffer.alloc(2 + entries.length * ENTRY_BYTES + 4);
  const outside: Buffer[] = [];
  let outsideAt = HEADER_BYTES + directory.length;
  directory.writeUInt16LE(entries.length);
  for (const [n, { tag, type, values }] of entries.entries()) {
    const at = 2 + n * ENTRY_BYTES;
    directory.writeUInt16LE(tag, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(values.length, at + 4);
    const encoded = encode(type, values);
    if (encoded.length <= 4) encoded.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(outsideAt, at + 8);
      outside.push(encoded);
      outsideAt += encoded.length;
    }
  }
  const header = Buffer.from("49492a0008000000", "hex");
  return Buffer.concat([header, directory, ...outside]);
}

/** With an even length, because values begin at even offsets. */
function encode(type: Entry["type"], values: Entry["values"]): Buffer {
  const length = values.length * BYTES_OF[type];
  const encoded = Buffer.alloc(length + (length % 2));
  if (Buffer.isBuffer(values)) values.copy(encoded);
  else
    for (const [n, value] of values.entries())
      if (type === SHORT) encoded.writeUInt16LE(value, n * 2);
      else encoded.writeUInt32LE(value, n * 4);
  return encoded;
}

function allocate(bytes: number): Buffer {
  try {
    // Zeros: a decoder may leave a part of the pixels out.
    return Buffer.alloc(bytes);
  } catch {
    throw new Error("out of memory for the pixels of a picture");
  }
}
