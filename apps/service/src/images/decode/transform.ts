import sharp from "sharp";
import { sniffImage } from "../sniff-image.js";
import type { VariantParameters } from "../preset-parameters.js";
import { showsTop } from "./damaged-jpeg.js";
import { encode, resize, settle } from "./output.js";
import { makePlaceholder, openPicture, type Picture, readPicture } from "./picture.js";
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

async function makeVariant(picture: Picture, parameters: VariantParameters): Promise<ProcessAnswer> {
  const { metadata } = picture;
  const resized = await settle(resize(openPicture(picture), metadata, parameters), parameters);
  const bytes = await encode(resized, metadata, parameters).toBuffer();
  // Where the variant shows the whole image, it is a smaller source.
  const source = parameters.fit === "inside" ? { bytes, isTolerant: false } : picture;
  const { width, height } = metadata.autoOrient;
  const placeholder = await makePlaceholder(openPicture(source));
  return {
    ok: true,
    bytes,
    contentType: `image/${parameters.format}`,
    image: { width, height, placeholder },
  };
}
