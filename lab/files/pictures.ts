import { deflateSync } from "node:zlib";
import { aPreview, aRawTiff } from "@stowage/service/test/fixtures/a-raw-file.js";
import { pngChunk } from "@stowage/service/test/fixtures/hostile-images.js";
import sharp, { type Sharp } from "sharp";

const WIDTH = 120;
const HEIGHT = 80;

/** A picture with soft colours, so that encoders have something to do. */
export const aPicture = (channels: 3 | 4 = 3): Sharp => {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * channels);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++)
      pixels.set([x * 2, y * 3, 255 - x, 128 + y].slice(0, channels), (y * WIDTH + x) * channels);
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels } });
};

/** The frames below each other, as sharp encodes an animation. */
export const anAnimation = (frames: number): Sharp =>
  sharp(
    Buffer.concat(Array.from({ length: frames }, (_, n) => Buffer.alloc(WIDTH * HEIGHT * 3, 40 + n * 60))),
    { raw: { width: WIDTH, height: HEIGHT * frames, channels: 3, pageHeight: HEIGHT } },
  );

/** A BMP of 24 bits. */
export function aBmp(): Buffer {
  const head = Buffer.alloc(54);
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3, 0x80);
  head.write("BM", "latin1");
  head.writeUInt32LE(54 + pixels.length, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(WIDTH, 18);
  head.writeInt32LE(HEIGHT, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([head, pixels]);
}

/** An icon with one PNG. */
export async function anIco(): Promise<Buffer> {
  const png = await aPicture().resize(32, 32).png().toBuffer();
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.set([32, 32], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(22, 18);
  return Buffer.concat([head, png]);
}

/** An animated PNG of two frames. Decoders that know no animation show the first. */
export function anApng(): Buffer {
  const rows = (grey: number) =>
    deflateSync(
      Buffer.concat(
        Array.from({ length: HEIGHT }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(WIDTH, grey)])),
      ),
    );
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(WIDTH, 0);
  ihdr.writeUInt32BE(HEIGHT, 4);
  ihdr.set([8, 0], 8);
  const actl = Buffer.alloc(8);
  actl.writeUInt32BE(2, 0);
  const fctl = (sequence: number) => {
    const data = Buffer.alloc(26);
    data.writeUInt32BE(sequence, 0);
    data.writeUInt32BE(WIDTH, 4);
    data.writeUInt32BE(HEIGHT, 8);
    data.writeUInt16BE(1, 20);
    data.writeUInt16BE(2, 22);
    return data;
  };
  const second = Buffer.concat([Buffer.from([0, 0, 0, 2]), rows(200)]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", ihdr),
    pngChunk("acTL", actl),
    pngChunk("fcTL", fctl(0)),
    pngChunk("IDAT", rows(60)),
    pngChunk("fcTL", fctl(1)),
    pngChunk("fdAT", second),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The same JPEG without its end marker, as some phones and downloads leave it. */
export const withoutEnd = (jpeg: Buffer): Buffer => jpeg.subarray(0, -2);
/** Two thirds of a JPEG. */
export const cut = (jpeg: Buffer): Buffer => jpeg.subarray(0, Math.floor((jpeg.length * 2) / 3));

/** A box of the ISO base media file format. */
export function box(type: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0), 0);
  head.write(type, 4, "latin1");
  return Buffer.concat([head, ...parts]);
}

/** `ftyp` with these brands. */
export const ftyp = (major: string, ...compatible: string[]): Buffer =>
  box("ftyp", Buffer.from(`${major}\0\0\0\0${compatible.join("")}`, "latin1"));

/** The same AVIF with other brands before `avif`. */
export function withBrands(avif: Buffer, major: string, ...compatible: string[]): Buffer {
  const next = ftyp(major, ...compatible);
  const old = avif.readUInt32BE(0);
  // Offsets inside count from the start of the file, so the box keeps its length: `free` fills the rest.
  const rest = old - next.length;
  if (rest !== 0 && rest < 8) throw new Error(`${rest} bytes cannot be filled`);
  return Buffer.concat([
    next,
    rest === 0 ? Buffer.alloc(0) : box("free", Buffer.alloc(rest - 8)),
    avif.subarray(old),
  ]);
}

type Entry = Parameters<typeof aRawTiff>[0]["directories"][number]["entries"][number];
const tag = (...entry: Entry): Entry => entry;
const tags = (values: Record<number, number>) =>
  Object.entries(values).map(([number, value]) => tag(Number(number), [value]));

/** A camera's file of 6000 × 4000 pixels with a preview of this size. */
export async function aCameraFile(width: number, height: number): Promise<Buffer> {
  const sensor = { entries: tags({ 254: 0, 256: 6000, 257: 4000, 262: 32_803 }) };
  const first = { entries: [...tags({ 254: 1, 256: 160, 257: 120 }), tag(330, [sensor])] };
  return aRawTiff({ directories: [first], previews: [await aPreview(width, height)] });
}
