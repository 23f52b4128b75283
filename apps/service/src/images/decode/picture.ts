import sharp, { type Metadata, type Raw, type Sharp } from "sharp";
import { rgbaToThumbHash } from "thumbhash";
import type { VariantParameters } from "../preset-parameters.js";
import type { DecodableFormat } from "../source-formats.js";
import { sniffImage } from "../sniff-image.js";
import type { ImageInfo } from "./protocol.js";
import { isHeavy, requireFewPixels } from "./limits.js";
import { outputSize, type Size } from "./size.js";
import { sources } from "./sources.js";
import { UnreadableError } from "./renderer.js";

/** An original that libvips can read. */
export interface Picture {
  bytes: Buffer;
  /** What the bytes are, if they are bare pixels. */
  raw: Raw | null;
  metadata: Metadata;
  /** Of the original. */
  format: DecodableFormat;
  originalBytes: number;
  /** Size of the original, as people see it. Null if the file does not say it, or if the original has no pixels, such as a PDF. */
  size: Size | null;
  /** Whether a renderer made the bytes. */
  isRendered: boolean;
  /** Whether its facts are wanted. */
  isDescribed: boolean;
  /** Whether damage is shown, and not refused. */
  isTolerant: boolean;
}

/** @throws {UnreadableError} */
export async function readPicture(
  original: Buffer,
  format: DecodableFormat,
  parameters: VariantParameters,
): Promise<Picture> {
  const { render } = sources[format];
  const rendered = render ? await render(original, parameters) : null;
  const bytes = rendered?.bytes ?? original;
  const metadata = await openBytes(bytes).metadata();
  const readAs = render ? sniffImage(bytes) : format;
  if (readAs === null || metadata.format !== (sources[readAs].decodedAs ?? readAs))
    throw new UnreadableError("not the image that its first bytes announce");
  requireFewPixels(format, metadata, isHeavy(format, metadata));
  const size = rendered ? rendered.size : metadata.autoOrient;
  const originalBytes = original.length;
  return {
    bytes,
    raw: null,
    metadata,
    format,
    originalBytes,
    size,
    isRendered: rendered !== null,
    isDescribed: true,
    isTolerant: false,
  };
}

/** Only the first page of an animation is read. */
function openBytes(bytes: Buffer, isTolerant = false): Sharp {
  return sharp(bytes, {
    autoOrient: true,
    failOn: isTolerant ? "none" : "error",
    limitInputPixels: false,
    pages: 1,
    sequentialRead: true,
  });
}

export const openPicture = ({ bytes, raw, isTolerant }: Opened): Sharp =>
  raw ? sharp(bytes, { raw, limitInputPixels: false }) : openBytes(bytes, isTolerant);

type Opened = Pick<Picture, "bytes" | "isTolerant"> & Partial<Pick<Picture, "raw">>;

/** More frames, or pixels of all frames, are not kept: the time for one image would not be enough. */
const MAX_FRAMES = 300;
const MAX_ANIMATION_PIXELS = { original: 50_000_000, variant: 16_000_000 };

/** Whether the variant is an animation: the preset wants it, the original is one, and it is not too long or large. */
export function isAnimated({ metadata }: Picture, parameters: VariantParameters): boolean {
  const { pages: frames = 1, width, height } = metadata;
  if (parameters.animated !== true || parameters.format !== "webp") return false;
  const output = outputSize({ width, height }, parameters);
  return (
    frames > 1 &&
    frames <= MAX_FRAMES &&
    frames * width * height <= MAX_ANIMATION_PIXELS.original &&
    frames * output.width * output.height <= MAX_ANIMATION_PIXELS.variant
  );
}

/** With all frames. */
export const openAnimation = ({ bytes }: Picture): Sharp =>
  sharp(bytes, { animated: true, failOn: "error", limitInputPixels: false, sequentialRead: true });

/** ThumbHash takes at most 100 × 100 pixels. */
const PLACEHOLDER_PIXELS = 100;

/** @param source a picture with the proportions of the original */
export async function makePlaceholder(source: Sharp): Promise<ImageInfo["placeholder"]> {
  const { data, info } = await source
    .resize(PLACEHOLDER_PIXELS, PLACEHOLDER_PIXELS, { fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString("base64");
}
