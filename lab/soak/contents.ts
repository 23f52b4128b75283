import { EICAR } from "@stowage/service/test/fixtures/a-clamd.js";
import sharp from "sharp";
import type { SoakFile } from "./ledger.js";
import type { Random } from "./random.js";

const MAX_BYTES = 20_000;
const FILLS = 256;
/** The preset of a soak, and the width of its variants. */
export const PRESET = "thumb";
export const VARIANT_WIDTH = 32;
const COLOURS = ["#d03030", "#30a030", "#3050d0", "#c0b020"];

const pictures = await Promise.all(
  COLOURS.map((background) =>
    sharp({ create: { width: 96, height: 64, channels: 3, background } })
      .png()
      .toBuffer(),
  ),
);

/** What a file holds. `fill`: one byte again and again; `virus`: the test file of virus scanners; `picture`: a PNG of one colour. */
export type Content = Pick<SoakFile, "kind" | "fill" | "sizeBytes">;

/** @param isScanned whether some of the files are pictures, and some infected */
export function aContent(random: Random, { isScanned }: { isScanned: boolean }): Content {
  const [choice, fill] = [random.next(), random.below(FILLS)];
  const kind = !isScanned || choice > 0.6 ? "fill" : choice > 0.1 ? "picture" : "virus";
  if (kind === "fill") return { kind, fill, sizeBytes: 1 + random.below(MAX_BYTES) };
  return { kind, fill, sizeBytes: bytesOf({ kind, fill, sizeBytes: 0 }).length };
}

export function bytesOf({ kind, fill, sizeBytes }: Content): Uint8Array<ArrayBuffer> {
  if (kind === "virus") return new TextEncoder().encode(EICAR);
  if (kind === "picture") return new Uint8Array(pictures[fill % pictures.length]!);
  return new Uint8Array(sizeBytes).fill(fill);
}

export function isRight(content: Content, bytes: Uint8Array): boolean {
  return Buffer.compare(bytes, bytesOf(content)) === 0;
}

/** Whether it is an image of the preset's width and of the picture's colour. */
export async function isRightVariant({ fill }: Content, bytes: Uint8Array): Promise<boolean> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colour = COLOURS[fill % COLOURS.length]!;
  const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return info.width === VARIANT_WIDTH && expected.every((value, at) => Math.abs(value - data[at]!) < 16);
}
