import {
  DEFAULT_PRESET_QUALITY,
  type ImageFormat,
  type PresetFit,
  type SavePresetInput,
  savePresetInput,
} from "@stowage/operator-schemas";
import { images as texts } from "../../components/images-texts.js";

/** The values of the form fields. Numbers are text; an empty width or height follows from the proportions of the image. */
export interface PresetFields {
  name: string;
  width: string;
  height: string;
  fit: PresetFit;
  format: ImageFormat;
  quality: string;
  eager: boolean;
  animated: boolean;
}

export const newPreset: PresetFields = {
  name: "",
  width: "320",
  height: "",
  fit: "inside",
  format: "auto",
  quality: String(DEFAULT_PRESET_QUALITY),
  eager: false,
  animated: false,
};

export function formatPreset({ width, height, quality, ...preset }: SavePresetInput): PresetFields {
  return {
    ...preset,
    width: width === null ? "" : String(width),
    height: height === null ? "" : String(height),
    quality: String(quality),
  };
}

/** Returns the input of the service's call. A text that is not a number becomes NaN, which the schema rejects. */
export function parsePreset({ width, height, quality, ...preset }: PresetFields): SavePresetInput {
  return { ...preset, width: toPixels(width), height: toPixels(height), quality: toNumber(quality) };
}

function toPixels(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

function toNumber(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}

/** Returns the errors by form field. An error about both sides is shown at the width. */
export function validatePreset(fields: PresetFields): Record<string, string> {
  const input = parsePreset(fields);
  const { error } = savePresetInput.safeParse(input);
  const errors: Record<string, string> = {};
  for (const { path, message } of error?.issues ?? []) {
    const field = String(path[0] ?? "width");
    const isNotANumber = Number.isNaN(input[field as keyof SavePresetInput]);
    errors[field] ??= isNotANumber ? texts.notANumber : message;
  }
  return errors;
}
