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
import { sources } from "./sources.js";
import { judge, judgeUnread } from "./verdict.js";

/*
 * Only the child process imports this file: a bug in a decoder must not reach the keys of the worker or the requests of the service.
 */

/** Refuses every other loader in this process, and keeps its memory small. */
export function restrictDecoders(): void {
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: Object.values(sources).flatMap(({ loader }) => loader ?? []) });
  // Each process decodes one image at a time, and a worker has a process for each core.
  sharp.concurrency(1);
  sharp.cache(false);
}

/** Decodes an image and encodes it as the parameters say. Never throws for bytes that are no image. */
export async function transform({ bytes, format, parameters }: DecodeRequest): Promise<ProcessAnswer> {
  const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sniffImage(input) !== format) return { ok: false, reason: "not an image" };
  let picture: Picture;
  try {
    picture = await readPicture(input, format, parameters);
  } catch (error) {
    return judgeUnread(error);
  }
  if (isAnimated(picture, parameters)) {
    // A damaged one may have a good first picture.
    const answer = await makeAnimation(picture, parameters).catch(() => null);
    if (answer) return answer;
  }
  try {
    return await makeVariant(picture, parameters);
  } catch (error) {
    const verdict = await judge(picture, error, parameters);
    if (verdict.ok !== false || format !== "jpeg" || !(await showsTop(picture))) return verdict;
    const damaged = { ...picture, isTolerant: true };
    return await makeVariant(damaged, parameters).catch((again: unknown) =>
      judge(damaged, again, parameters),
    );
  }
}

/** Times and repetitions of the frames are kept. */
async function makeAnimation(picture: Picture, parameters: VariantParameters): Promise<ProcessAnswer> {
  const { metadata, size } = picture;
  const { width, height, fit } = parameters;
  const image = openAnimation(picture).resize(width, height, { fit, withoutEnlargement: true });
  const bytes = await encode(image, metadata, parameters).toBuffer();
  const placeholder = await makePlaceholder(openPicture(picture));
  return { ok: true, bytes, contentType: "image/webp", image: size && { ...size, placeholder } };
}

async function makeVariant(picture: Picture, parameters: VariantParameters): Promise<ProcessAnswer> {
  // Where the variant shows the whole image, it is a smaller source.
  const isWhole = parameters.fit === "inside";
  const first = isWhole ? null : await makePlaceholder(openPicture(picture));
  if (parameters.format === "avif") await settle(picture, parameters);
  const bytes = await encodeSmall(picture, parameters);
  const placeholder = first ?? (await makePlaceholder(openPicture({ bytes, isTolerant: false })));
  return {
    ok: true,
    bytes,
    contentType: `image/${parameters.format}`,
    image: picture.size && { ...picture.size, placeholder },
  };
}

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
 * Lets the decoder end before the AVIF encoder starts: a progressive JPEG of 48 megapixels keeps 288 MB until its last line is read, and a
 * HEIC of that size 146 MB. The other encoders need little, and begin with the first line.
 */
async function settle(picture: Picture, parameters: VariantParameters): Promise<void> {
  picture.bytes = await resize(openPicture(picture), picture.metadata, parameters)
    .tiff({ compression: "none" })
    .toBuffer();
  picture.isTolerant = false;
  if (picture.isRendered) await freeMemory();
}
