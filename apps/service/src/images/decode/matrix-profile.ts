/** Primaries of ITU-T H.273 that are wider than those of sRGB. */
export type Primaries = "p3" | "bt2020";

/** The columns of the matrix from RGB to XYZ with the white D50. */
const COLUMNS: Record<Primaries, number[][]> = {
  p3: [
    [0.51512, 0.2412, -0.00105],
    [0.29198, 0.69225, 0.04189],
    [0.1571, 0.06657, 0.78407],
  ],
  bt2020: [
    [0.67346, 0.27904, -0.00194],
    [0.16565, 0.67534, 0.02998],
    [0.12505, 0.04561, 0.79684],
  ],
};

const D50 = [0.9642, 1, 0.82491];
/** The curve of sRGB: gamma, a, b, c, d. */
const SRGB_CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];
const HEADER_BYTES = 128;

/** A color profile of some 500 bytes, with the curve of sRGB: https://www.color.org/specification/ICC.1-2022-05.pdf */
export function profileOf(primaries: Primaries): Buffer {
  const [red = [], green = [], blue = []] = COLUMNS[primaries];
  const curve = element("para", u16(3), u16(0), ...SRGB_CURVE.map(fixed));
  const tags: [name: string, value: Buffer][] = [
    ["desc", text(primaries === "p3" ? "Display P3" : "BT.2020")],
    ["cprt", text("CC0")],
    ["wtpt", xyz(D50)],
    ["rXYZ", xyz(red)],
    ["gXYZ", xyz(green)],
    ["bXYZ", xyz(blue)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  let at = HEADER_BYTES + 4 + 12 * tags.length;
  const table = [u32(tags.length)];
  for (const [name, value] of tags) {
    table.push(Buffer.from(name), u32(at), u32(value.length));
    at += value.length;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(at);
  header.writeUInt32BE(0x04300000, 8);
  header.write("mntrRGB XYZ ", 12, "latin1");
  header.write("acsp", 36, "latin1");
  Buffer.concat(D50.map(fixed)).copy(header, 68);
  return Buffer.concat([header, ...table, ...tags.map(([, value]) => value)]);
}

function element(type: string, ...parts: Buffer[]): Buffer {
  const bytes = Buffer.concat([Buffer.from(type), u32(0), ...parts]);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
}

const xyz = (values: number[]) => element("XYZ ", ...values.map(fixed));

/** A text in one language, in UTF-16. */
function text(value: string): Buffer {
  const encoded = Buffer.from(value, "utf16le").swap16();
  return element("mluc", u32(1), u32(12), Buffer.from("enUS"), u32(encoded.length), u32(28), encoded);
}

/** 16 bits before and 16 after the point. */
function fixed(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65536));
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
