import type { VariantParameters } from "../preset-parameters.js";

export interface Size {
  width: number;
  height: number;
}

/** The size of the variant, within a pixel: the side that a preset leaves open follows from the original. */
export function outputSize(original: Size, { width, height, fit }: VariantParameters): Size {
  const sides = [(width ?? Infinity) / original.width, (height ?? Infinity) / original.height];
  const scale = Math.min(1, ...sides);
  return fit === "inside"
    ? { width: original.width * scale, height: original.height * scale }
    : {
        width: Math.min(width ?? Infinity, original.width),
        height: Math.min(height ?? Infinity, original.height),
      };
}

/** The size of a picture that has all details of the variant: for `cover` also those that are cut off. */
export function scaledSize(original: Size, { width, height, fit }: VariantParameters): Size {
  const sides = [(width ?? Infinity) / original.width, (height ?? Infinity) / original.height];
  const scale = Math.min(1, fit === "inside" ? Math.min(...sides) : Math.max(...sides));
  return { width: Math.round(original.width * scale), height: Math.round(original.height * scale) };
}

/** Whether a preview shows as much as its picture. Its sides are whole numbers, so the shapes differ a little. */
export function hasShapeOf(preview: Size, picture: Size): boolean {
  const ratio = preview.width / preview.height / (picture.width / picture.height);
  return Math.abs(Math.log(ratio)) < Math.log(1.03);
}
