import { limits, presetName } from "@stowage/schemas";
import * as z from "zod";
import { imageFormats, presetFits } from "./constants.js";
import { oneOf } from "./fields.js";

/*
 * Inputs of the calls about the presets of image variants.
 */

const pixels = (name: string) =>
  z
    .int({ error: `${name} must be a whole number of pixels` })
    .min(1, { error: `${name} must be at least 1 pixel` })
    .max(limits.variantPixels, { error: `${name} must be at most ${limits.variantPixels} pixels` })
    .nullable()
    .default(null);

export const DEFAULT_PRESET_QUALITY = 80;

export const presetInput = z.object({ name: presetName });
export type PresetInput = z.output<typeof presetInput>;

/** A preset with all its parameters. One side may be missing: it follows from the proportions of the image. */
export const savePresetInput = presetInput
  .extend({
    width: pixels("width"),
    height: pixels("height"),
    fit: oneOf("fit", presetFits).default("inside"),
    format: oneOf("format", imageFormats).default("auto"),
    quality: z
      .int({ error: "quality must be a whole number" })
      .min(1, { error: "quality must be at least 1" })
      .max(100, { error: "quality must be at most 100" })
      .default(DEFAULT_PRESET_QUALITY),
    /** Whether variants are made as soon as a file is stored. */
    eager: z.boolean().default(false),
    /** Whether variants of animations are animations. */
    animated: z.boolean().default(false),
  })
  .refine(({ width, height }) => width !== null || height !== null, { error: "width or height is required" })
  .refine(({ fit, width, height }) => fit !== "cover" || (width !== null && height !== null), {
    error: "cover needs width and height",
  })
  .refine(({ animated, format }) => !animated || format === "auto" || format === "webp", {
    error: "animated needs the format auto or webp",
    path: ["animated"],
  });
export type SavePresetInput = z.output<typeof savePresetInput>;
