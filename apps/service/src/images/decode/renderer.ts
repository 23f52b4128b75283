import type { VariantParameters } from "../preset-parameters.js";
import type { Size } from "./size.js";

/**
 * Makes a picture that libvips reads of an original that it does not read. It runs in the process that decodes, within its limits of memory
 * and time.
 *
 * @param parameters so that no more pixels are made than the variant needs
 * @throws {UnreadableError} if the original has no picture, or one with too many pixels
 */
export type Renderer = (original: Buffer, parameters: VariantParameters) => Promise<Rendered>;

export interface Rendered {
  /** In a format that a loader of libvips reads. May be smaller than the original, if it has all details of the variant. */
  bytes: Buffer;
  /** Of the original, as people see it. Null: it does not tell, or is made of no pixels. */
  size: Size | null;
}

/** The renderer cannot be loaded, so it says nothing about the original. */
export class RendererMissingError extends Error {
  override readonly name = "RendererMissingError";
}

/** No picture can be made of this original. More memory or time would not help. The message is for operators. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}
