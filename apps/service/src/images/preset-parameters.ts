import { createHash } from "node:crypto";
import type { ImageFormat, PresetFit } from "@stowage/operator-schemas";

/** A format that an encoder writes. The format `auto` of a preset becomes one of them for each request. */
export type EncodedFormat = Exclude<ImageFormat, "auto">;

/** Everything that the bytes of a variant depend on, besides its original. */
export interface VariantParameters {
  /** Pixels; null follows from the other one. */
  width: number | null;
  height: number | null;
  fit: PresetFit;
  format: EncodedFormat;
  quality: number;
  /** Whether a variant of an animation is one. Older rows lack it. */
  animated?: boolean;
}

/** A preset as its project defined it. */
export interface PresetParameters extends Omit<VariantParameters, "format"> {
  format: ImageFormat;
  animated: boolean;
}

/**
 * What a request gets of a preset whose format is `auto`: AVIF only if its sender says that the browser shows it. Our encoder of AVIF makes no
 * animations.
 */
export function parametersOf(preset: PresetParameters, accept: string | undefined): VariantParameters {
  const { width, height, fit, quality, animated } = preset;
  const chosen = animated ? "webp" : chooseFormat(accept);
  const format = preset.format === "auto" ? chosen : preset.format;
  return { width, height, fit, format, quality, animated };
}

/** All parameters that requests may have got of a preset. */
export function allParametersOf(preset: PresetParameters): VariantParameters[] {
  if (preset.format !== "auto" || preset.animated) return [parametersOf(preset, undefined)];
  return [undefined, "image/avif"].map((accept) => parametersOf(preset, accept));
}

/** WebP is shown by every browser since 2020. */
function chooseFormat(accept = ""): EncodedFormat {
  const types = accept.split(",").map((range) => range.trim().toLowerCase());
  return types.some((range) => /^image\/avif\s*(;(?!\s*q=0(\.0*)?\s*(;|$))|$)/.test(range)) ? "avif" : "webp";
}

/** Change it with the code that makes variants, if the same parameters have to make other bytes. */
const GENERATION = 1;

/** Identifies the parameters, so that a changed preset never finds a variant of the old one. */
export function hashParameters(parameters: VariantParameters): string {
  const { width, height, fit, format, quality, animated } = parameters;
  const added = animated ? ["animated"] : [];
  const text = JSON.stringify([GENERATION, width, height, fit, format, quality, ...added]);
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
