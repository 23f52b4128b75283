import sharp from "sharp";
import { sniffImage } from "../sniff-image.js";
import type { VariantParameters } from "../preset-parameters.js";
import { showsTop } from "./damaged-jpeg.js";
import { freeMemory } from "./free-memory.js";
import { type Effort, encode, resize, smallerEfforts } from "./output.js";
import {
  isAnimated,
  makePlaceholder,
  openAnimation,
  openPicture,
  type Picture,
  readPicture,
} from "./picture.js";
import type { DecodeRequest, ProcessAnswer } from "./protocol.js";
import { scaledSize } from "./size.js";
import { sources } from "./sources.js";
import { judge, judgeUnread } from "./verdict.js";

/*
 * Only the child process imports this file: a bug in a decoder must not reach the keys of the worker or the requests of the service.
 */

/** Refuses every other loader in this process, and keeps its memory small. */
export function restrictDecoders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: Object.values(sources).flatMap(({ loader }) => loader ?? []) });
  // Each process decodes one image at a time, and a worker has a process for each core and one more.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Decodes an image and encodes it as the parameters say. Never throws for bytes that are no image. */
export async function transform(request: DecodeRequest): Promise<ProcessAnswer> {
  const { bytes, format, parameters, isDescribed = true } = request;
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sniffImage(input) !== format) return { ok: false, reason: "not an image" };
  let picture: Picture;
  try {
    picture = { ...(await readPicture(input, format, parameters)), isDescribed };
  } catch (error) {
    return judgeUnread(error);
  }
  if (isAnimated(picture, parameters)) {
    // A damaged one may have a good first picture.
    const answer = await makeAnimation(picture, parameters).catch(() => null);
    if (answer) return answer;
  }
  // The bytes of a JPEG are those of the request, so that a copy takes no memory.
  const untouched = format === "jpeg" ? { ...picture } : null;
  try {
    return await makeVariant(picture, parameters);
  } catch (error) {
    const verdict = await judge(picture, error, parameters);
    // At an eighth of its size, a JPEG without its end is decoded without an error, and the encoder is blamed.
    const mayBeDamaged = verdict.ok === false || (verdict.ok === null && verdict.kind === "crashed");
    if (!untouched || !mayBeDamaged || !(await showsTop(untouched))) return verdict;
    const damaged = { ...untouched, isTolerant: true };
    return await makeVariant(damaged, parameters).catch((again: unknown) =>
      judge(damaged, again, parameters),
    );
  }
}

/** Times and repetitions of the frames are kept. */
async function makeAnimation(picture: Picture, parameters: VariantParameters): Promise<ProcessAnswer> {
  const { metadata, size, isDescribed } = picture;
  const { width, height, fit } = parameters;
  const image = openAnimation(picture).resize(width, height, { fit, withoutEnlargement: true });
  const bytes = await encode(image, metadata, parameters).toBuffer();
  const answer = { ok: true, bytes, contentType: "image/webp" } as const;
  if (!size || !isDescribed) return { ...answer, image: null };
  return { ...answer, image: { ...size, placeholder: await makePlaceholder(openPicture(picture)) } };
}

async function makeVariant(picture: Picture, parameters: VariantParameters): Promise<ProcessAnswer> {
  const size = picture.isDescribed ? picture.size : null;
  // Where the variant shows the whole image, it is a smaller source of the placeholder.
  const isWhole = parameters.fit === "inside";
  const scaled = scaledSize(picture.metadata.autoOrient, parameters);
  const isShared = size !== null && !isWhole && scaled.width * scaled.height <= MAX_SHARED_PIXELS;
  if (isShared) await replaceBy(picture, { ...parameters, ...scaled, fit: "inside" });
  const first = size && !isWhole ? await makePlaceholder(openPicture(picture)) : null;
  if (parameters.format === "avif" && !isShared) await replaceBy(picture, parameters);
  const bytes = await encodeSmall(picture, parameters);
  const placeholder = first ?? (size ? await makePlaceholder(openPicture({ bytes, isTolerant: false })) : "");
  return {
    ok: true,
    bytes,
    contentType: `image/${parameters.format}`,
    image: size && { ...size, placeholder },
  };
}

/**
 * Up to so many pixels, the original is decoded once for a variant that cuts some of it off, and for the placeholder, which does not. This
 * saves a seventh of the CPU of a thumbnail: `npx pnpm lab bench variants`.
 */
const MAX_SHARED_PIXELS = 4_000_000;

/** A variant is not larger than its original if that can be helped. */
async function encodeSmall(picture: Picture, parameters: VariantParameters): Promise<Buffer> {
  const { metadata } = picture;
  const encodeWith = (effort?: Effort) =>
    encode(resize(openPicture(picture), metadata, parameters), metadata, parameters, effort).toBuffer();
  let smallest = await encodeWith();
  for (const effort of smallerEfforts(picture.format, parameters)) {
    if (smallest.length <= picture.originalBytes) break;
    const bytes = await encodeWith(effort);
    if (bytes.length < smallest.length) smallest = bytes;
  }
  return smallest;
}

/**
 * Puts a smaller picture in the place of the original. For AVIF always, so that the decoder ends before the encoder starts: a progressive JPEG
 * of 48 megapixels keeps 288 MB until its last line is read, and a HEIC of that size 146 MB. The other encoders need little, and begin with
 * the first line.
 */
async function replaceBy(picture: Picture, parameters: VariantParameters): Promise<void> {
  Object.assign(picture, await shrink(picture, parameters));
  // Nothing in this function may refer to the original now.
  if (picture.isRendered) await freeMemory();
}

/** Bare pixels take half of the time of a file, but have no color profile. Beside an AVIF encoder, that time is nothing. */
async function shrink(
  picture: Picture,
  parameters: VariantParameters,
): Promise<Pick<Picture, "bytes" | "raw" | "isTolerant">> {
  const { metadata } = picture;
  const smaller = resize(openPicture(picture), metadata, parameters);
  if (metadata.icc || parameters.format === "avif")
    return { bytes: await smaller.tiff({ compression: "none" }).toBuffer(), raw: null, isTolerant: false };
  const { data, info } = await smaller.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return { bytes: data, raw: { width, height, channels }, isTolerant: false };
}
