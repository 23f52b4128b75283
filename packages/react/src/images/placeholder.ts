import { thumbHashToDataURL } from "thumbhash";

/** What is known about an image before it is loaded. Missing until the first variant of the file was made. */
export interface ImageFacts {
  /** Pixels, as people see the image. */
  width: number;
  height: number;
  /** A ThumbHash in base64. */
  placeholder: string;
}

/** A file that may have the facts of an image. */
export interface MaybeImage {
  image?: ImageFacts | undefined;
}

/**
 * Turns a ThumbHash into the URL of a small blurred image.
 *
 * @param base64 comes from the backend; undefined is returned if it is damaged
 * @see https://evanw.github.io/thumbhash/
 */
export function placeholderUrl(base64: string | undefined): string | undefined {
  if (!base64) return undefined;
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

/**
 * Files that may have a picture. The service judges the bytes: a file with a wrong type gets none.
 *
 * @param hasVariants whether variants are shown, which PDFs and films have too, and not the files themselves
 */
export const mayHaveThumbnail = (
  { content_type: type }: { content_type: string },
  hasVariants: boolean,
): boolean => /^image\/(?!svg)/i.test(type) || (hasVariants && /^(video\/|application\/pdf$)/i.test(type));
