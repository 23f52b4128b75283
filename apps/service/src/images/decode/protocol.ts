import type { VariantParameters } from "../preset-parameters.js";
import type { DecodableFormat } from "../source-formats.js";

/* The messages between a worker and the process that decodes. They are sent with the serialization "advanced", which has bytes. */

export interface DecodeRequest {
  bytes: Uint8Array;
  /** What the bytes are by their signature. */
  format: DecodableFormat;
  parameters: VariantParameters;
  /**
   * Whether the answer has an `image`.
   *
   * @default true
   */
  isDescribed?: boolean;
}

/** What one decode found out about the original. */
export interface ImageInfo {
  /** In pixels, as people see it: after the orientation of the camera. */
  width: number;
  height: number;
  /** A ThumbHash in base64 (https://evanw.github.io/thumbhash/). */
  placeholder: string;
}

/**
 * What a decode found out. `image` is null if it was not asked for, if the file does not say its size, or if it has no pixels, such as a PDF.
 * `ok: false` is about the bytes: they are no image, are damaged, or have too many pixels.
 */
export type DecodeAnswer =
  | { ok: true; bytes: Uint8Array; contentType: string; image: ImageInfo | null }
  | { ok: false; reason: string };

/** What a process sends back. `ok: null` says nothing about the image: there was no memory, or an encoder failed. */
export type ProcessAnswer = DecodeAnswer | { ok: null; kind: "memory" | "crashed"; reason: string };

/** The first message of a process. */
export interface Started {
  /** Why it cannot make even a known good image; null if it can. */
  problem: string | null;
  /** What RLIMIT_DATA counts of it. Null: the system does not say. */
  dataBytes: number | null;
  /** Whether the system refuses what the process must not get. Null: it was not asked to prove that. */
  isMemoryLimited: boolean | null;
}
